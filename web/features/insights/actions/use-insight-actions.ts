import type { Insight } from '@groundswell/contract/insights.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { useAfterFirstLook } from '../../../ui/first-look.ts'
import { PartNotLoaded, tellNotOpened } from '../../../ui/loading/missing-part.tsx'
import type { Push } from './insight-actions.ts'

const load = () => import('./insight-actions.ts')

type Actions = Awaited<ReturnType<typeof load>>

/** Runs one of the actions, or reports that they could not be loaded. */
async function carryOut(run: (actions: Actions) => Promise<void>): Promise<void> {
  let actions: Actions
  try {
    actions = await load()
  } catch (error) {
    tellNotOpened(new PartNotLoaded(error))
    return
  }
  await run(actions)
}

/** Push and Delete. Their code is fetched after the first view. `pushing`: the number of the insight being pushed. */
export function useInsightActions() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const settled = useAfterFirstLook()
  const [pushing, setPushing] = useState<number | null>(null)
  useEffect(() => {
    // A failure here occurs again, and is reported, with the first action.
    if (settled) load().catch(() => undefined)
  }, [settled])
  const push = useCallback(
    async (what: Push) => {
      setPushing(what.insight.issue_number)
      await carryOut((actions) => actions.push(client, what, () => void navigate('/integrations')))
      setPushing(null)
    },
    [client, navigate],
  )
  const remove = useCallback((insight: Insight) => carryOut((actions) => actions.remove(client, insight)), [client])
  return { push, remove, pushing }
}
