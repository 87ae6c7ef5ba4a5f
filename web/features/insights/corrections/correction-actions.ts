import {
  type Correction,
  type CorrectionRequest,
  correctInsight,
  correctPoint as correctPointOf,
  createInsight,
  getCorrection,
  undoCorrection,
} from '@groundswell/contract/corrections.ts'
import { keepEmerging } from '@groundswell/contract/insights/emerging.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
import type { QueryClient } from '@tanstack/react-query'
import { PROGRESS_POLL_MS } from '../../../ui/constants.ts'
import { toast } from '../../../ui/toast-store.ts'
import { call } from '../../client/index.ts'
import { EMERGING } from '../emerging/emerging-query.ts'
import { INSIGHTS } from '../insight-queries.ts'
import { mentionsText } from '../mention-words.ts'
import { MERGES, SUGGESTIONS } from '../suggestions/suggestions-query.ts'
import { FOUND } from '../ungrouped/found-query.ts'
import { UNGROUPED } from '../ungrouped/ungrouped-query.ts'
import { wordsFor } from './correction-words.ts'
import { CORRECTIONS, WHY } from './corrections-query.ts'
import { refreshListed } from './refresh-listed.ts'

/** A grouping takes seconds. For a longer one the panel continues polling. */
export const FOLLOWED_FOR_MS = 60_000

/**
 * Corrects one insight, waits until the correction is applied, and shows a toast with an undo. `onApplied` is called before
 * anything is refetched. Resolves to the correction once it is applied, otherwise to null. Never throws.
 */
export async function correct(
  client: QueryClient,
  issueNumber: number,
  body: CorrectionRequest,
  onApplied?: (made: Correction) => void,
): Promise<Correction | null> {
  const send = () => call(correctInsight, { params: { issue_number: issueNumber }, body })
  return carryOut(client, wordsFor(body), send, onApplied)
}

/** Corrects what a mention in no insight is read as; null restores what the model read. Otherwise like `correct`. */
export async function correctPoint(
  client: QueryClient,
  mention: string,
  point: string | null,
): Promise<Correction | null> {
  return carryOut(client, wordsFor({ kind: 'point' }), () => call(correctPointOf, { body: { mention, point } }))
}

/** Creates an insight from mentions that are in none. Otherwise like `correct`. */
export async function create(client: QueryClient, mentions: string[]): Promise<Correction | null> {
  return carryOut(client, wordsFor({ kind: 'create' }), () => call(createInsight, { body: { mentions } }))
}

/** Makes an emerging insight a regular one. Otherwise like `correct`. */
export async function keep(client: QueryClient, emergingId: number): Promise<Correction | null> {
  const send = () => call(keepEmerging, { params: { emerging_id: emergingId } })
  return carryOut(client, wordsFor({ kind: 'create' }), send)
}

async function carryOut(
  client: QueryClient,
  words: ReturnType<typeof wordsFor>,
  send: () => Promise<ReplyOf<typeof correctInsight>>,
  onApplied?: (made: Correction) => void,
): Promise<Correction | null> {
  try {
    const reply = await send()
    const waiting = reply.state === 'waiting'
    if (waiting) toast({ title: words.doing, durationMs: FOLLOWED_FOR_MS })
    void client.invalidateQueries({ queryKey: [CORRECTIONS] })
    const made = await follow(reply.correction_id)
    if (made.state === 'applied') onApplied?.(made)
    await refresh(client)
    if (made.state === 'refused') throw new Error(made.problem ?? 'The change could not be applied.')
    if (made.state === 'waiting') {
      toast({ title: words.doing, description: 'This is taking longer than usual. The change will still be applied.' })
      return null
    }
    toast({
      title: words.done,
      description: describe(made),
      action: { label: 'Undo', run: () => void undo(client, made.correction_id) },
    })
    return made
  } catch (error) {
    toast({ title: words.failed, description: inWords(error), tone: 'destructive' })
    void refresh(client)
    return null
  }
}

/** Undoes a correction, waits until that is done, and shows a toast. Never throws. */
export async function undo(client: QueryClient, correctionId: string): Promise<void> {
  try {
    const { state } = await call(undoCorrection, { params: { correction_id: correctionId } })
    if (state === 'waiting') {
      toast({ title: 'Undoing…', durationMs: FOLLOWED_FOR_MS })
      const seen = await follow(correctionId, 'undone')
      if (seen.state !== 'undone') throw new Error(seen.problem ?? 'The change could not be undone yet. Try again.')
    }
    await refresh(client)
    toast({ title: 'Undone' })
  } catch (error) {
    toast({ title: 'Undo failed', description: inWords(error), tone: 'destructive' })
    void refresh(client)
  }
}

/** Polls a correction until it no longer waits, or until it has the state `until`. */
export async function follow(correctionId: string, until?: Correction['state']): Promise<Correction> {
  const end = Date.now() + FOLLOWED_FOR_MS
  for (;;) {
    const seen = await call(getCorrection, { params: { correction_id: correctionId } })
    const there = until === undefined ? seen.state !== 'waiting' : seen.state === until || seen.problem !== null
    if (there || Date.now() > end) return seen
    await new Promise((resolve) => setTimeout(resolve, PROGRESS_POLL_MS))
  }
}

/**
 * Refetches everything that a correction may change, the list first: data of an insight that has left the list is not
 * requested. Reasons are refetched when they are opened again, since their mention may no longer be there. Resolves when the list is
 * there, and the list of ungrouped feedback where it is shown.
 */
export async function refresh(client: QueryClient): Promise<void> {
  void client.invalidateQueries({ queryKey: [CORRECTIONS] })
  void client.invalidateQueries({ queryKey: [WHY], refetchType: 'none' })
  void client.invalidateQueries({ queryKey: [SUGGESTIONS], refetchType: 'none' })
  await Promise.all([
    client.invalidateQueries({ queryKey: INSIGHTS }),
    client.invalidateQueries({ queryKey: [UNGROUPED] }),
    client.invalidateQueries({ queryKey: [FOUND] }),
    client.invalidateQueries({ queryKey: [EMERGING] }),
    client.invalidateQueries({ queryKey: [MERGES] }),
  ])
  refreshListed(client)
}

/** The second line of the toast. */
function describe(made: Correction): string {
  const mentions = mentionsText(made.mentions)
  switch (made.kind) {
    case 'merge':
      return `#${made.issue_number} is now part of #${made.other ?? ''}.`
    case 'split':
      return made.other === null
        ? `${mentions} left #${made.issue_number}.`
        : `${mentions} moved to the new #${made.other}.`
    case 'move':
      return made.other === null ? `${mentions} left #${made.issue_number}.` : `${mentions} moved to #${made.other}.`
    case 'add':
      return `${mentions} moved to #${made.issue_number}.`
    case 'create':
      return `${mentions} now form the new #${made.issue_number}.`
    case 'reject':
      return `${mentions} left #${made.issue_number} and will not come back to it.`
    case 'decline':
      return `${mentions} will not be suggested for #${made.issue_number} again.`
    case 'rename':
      return made.name === null ? 'Its name is generated automatically again.' : `It is now called “${made.name}”.`
    case 'lock':
      return made.locked ? 'Regrouping does not change its mentions.' : 'It takes part in regrouping again.'
    case 'point':
      return `It is read as “${made.point ?? ''}” and grouped by that.`
  }
}

function inWords(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
