import type { Correction } from '@groundswell/contract/corrections.ts'
import type { Mention } from '@groundswell/contract/insights.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import * as actions from '../corrections/correction-actions.ts'
import { isNamed, type NamedMention } from '../corrections/use-picking.ts'

/** The mentions selected to be grouped, and the action that does it. */
export type Gathering = {
  /** Includes those that the current search no longer shows. */
  ticked: readonly NamedMention[]
  /** Selects only these, which are in the list or already selected. */
  tick: (chosen: readonly string[], listed: readonly Mention[]) => void
  /** The selection is being sent. */
  busy: boolean
  makeInsight: () => Promise<void>
  addTo: (issueNumber: number) => Promise<void>
}

/** Selection in a list that may change meanwhile. Grouped mentions are deselected. */
export function useGathering(): Gathering {
  const client = useQueryClient()
  const [ticked, setTicked] = useState<readonly NamedMention[]>([])
  const [busy, setBusy] = useState(false)
  const ids = ticked.map((one) => one.id)
  const carryOut = async (send: () => Promise<Correction | null>) => {
    setBusy(true)
    const made = await send()
    setBusy(false)
    if (made) setTicked((now) => now.filter((one) => !ids.includes(one.id)))
  }
  return {
    ticked,
    tick: (chosen, listed) => {
      const known = new Map([...ticked, ...listed.filter(isNamed)].map((one) => [one.id, one]))
      setTicked(chosen.flatMap((id) => known.get(id) ?? []))
    },
    busy,
    makeInsight: () => carryOut(() => actions.create(client, ids)),
    addTo: (issueNumber) => carryOut(() => actions.correct(client, issueNumber, { kind: 'add', mentions: ids })),
  }
}
