import type { Correction, CorrectionRequest } from '@groundswell/contract/corrections.ts'
import type { Mention } from '@groundswell/contract/insights.ts'
import { useQueryClient } from '@tanstack/react-query'
import { startTransition, useCallback, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import * as actions from './correction-actions.ts'
import { useCorrections } from './corrections-query.ts'

/** The ids of the selected mentions, and the chosen correction, if any. */
export type PickDraft = { what: 'pick'; chosen: readonly string[]; aim: 'move' | 'split' | 'reject' | null }

/** A correction being prepared, before it is sent. */
type Draft = { what: 'merge' } | { what: 'rename' } | { what: 'move'; mention: Mention & { id: string } } | PickDraft

/** The corrections of the insight in the panel: applied ones, the one being prepared, and how to apply it. */
export type Correcting = {
  corrections: readonly Correction[]
  draft: Draft | null
  setDraft: (draft: Draft | null) => void
  /** Sends a correction; true once it is applied. */
  correct: (body: CorrectionRequest) => Promise<boolean>
  undo: (correctionId: string) => Promise<void>
  /** One is being sent from here. */
  busy: boolean
}

/** Null on a server without corrections, and until that is known. `version` changes with the insight. */
export function useCorrecting(here: number, version: string, enabled: boolean): Correcting | null {
  const client = useQueryClient()
  const { data: corrections } = useCorrections(here, version, enabled)
  const [drafted, setDrafted] = useState<{ issue: number; draft: Draft | null } | null>(null)
  const [sent, setSent] = useState(0)
  const [, setAddress] = useSearchParams()
  const { state } = useLocation()
  // A correction that is applied ends its own preparation, not what has begun meanwhile on another insight.
  const setDraft = useCallback(
    (draft: Draft | null) =>
      setDrafted((now) => (draft === null && now !== null && now.issue !== here ? now : { issue: here, draft })),
    [here],
  )

  const correct = useCallback(
    async (body: CorrectionRequest) => {
      setSent((count) => count + 1)
      const made = await actions.correct(client, here, body, ({ kind, other }) => {
        const address = new URLSearchParams(window.location.search)
        // After a merge the panel opens the other insight, unless the user has opened another one meanwhile.
        if (kind !== 'merge' || other === null || address.get('issue') !== String(here)) return
        address.set('issue', String(other))
        setAddress(address, { replace: true, state })
      })
      // With the new address, which is a transition too: the insight that has ended is never shown without its data.
      startTransition(() => setSent((count) => count - 1))
      return made !== null
    },
    [client, here, setAddress, state],
  )
  const undo = useCallback(
    async (correctionId: string) => {
      setSent((count) => count + 1)
      await actions.undo(client, correctionId)
      setSent((count) => count - 1)
    },
    [client],
  )
  if (!enabled || corrections === undefined) return null
  const draft = drafted?.issue === here ? drafted.draft : null
  return { corrections, draft, setDraft, correct, undo, busy: sent > 0 }
}
