import { randomUUID } from 'node:crypto'
import { longSpans, prepare, type Span } from '@groundswell/engine/index.ts'
import type { LlmSettings } from '../../../platform/config/config.ts'
import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { type LongMessage, readLong, requestGrouping, storeSplit } from '../../insights/index.ts'
import { callPaid, shareOf } from '../ask.ts'
import { speaksToModels } from '../injection.ts'
import { isDue, Look, type Looking } from '../look.ts'
import { readLooked } from '../look-store.ts'
import { readInstructions, writeData } from '../prompt.ts'
import { clearTrouble, isPaused, openOrComplain, RUN_MS, type RunOptions, type RunOutcome } from '../run.ts'
import { findPieces, Pieces } from './pieces.ts'
import { readable } from './readable.ts'

/** The prompt in use. A changed text is a new file with the next number. */
export const SPLITS_PROMPT = 'split-message-1'

const MESSAGES_A_RUN = 10
/** The answer repeats the text, and has to fit. */
const MAX_QUERY_LENGTH = 3_000

const LOOKING: Looking = { task: 'splits', prompt: SPLITS_PROMPT }

/** True when there may be long messages in a workspace that the model was not asked about. */
export function areSplitsDue(tx: Tx, workspaceId: string, settings: LlmSettings, now: Date): Promise<boolean> {
  return isDue(tx, workspaceId, LOOKING, settings, now)
}

/**
 * Asks the model to take long messages apart, one at a time, and has those read anew that it took apart well. Any other
 * message stays as the engine cuts it, for good. Throws what the queue is to try again.
 */
export async function splitMessages(
  services: Services,
  settings: LlmSettings,
  workspaceId: string,
  { signal, lastAttempt }: RunOptions,
): Promise<RunOutcome> {
  const inside = <T>(work: (tx: Tx) => Promise<T>) => inWorkspace(services.db, workspaceId, work)
  const outcome: RunOutcome = { asked: 0, more: false }
  const ask = await openOrComplain(services, settings)
  if (!ask) return outcome
  const look = new Look(services, workspaceId, LOOKING, settings)
  const settle = (message: LongMessage, pieces: Span[] | null) =>
    inside(async (tx) => {
      const by = { model: settings.model, promptVersion: SPLITS_PROMPT, now: services.now() }
      if (await storeSplit(tx, workspaceId, message, pieces, by)) await requestGrouping(services)(tx, workspaceId)
    })
  const model = { services, workspaceId, ask, tokensPerDay: shareOf(settings) }
  const instructions = await readInstructions(SPLITS_PROMPT)
  const endsAt = performance.now() + RUN_MS
  const { version, messages } = await inside(async (tx) =>
    readLong(tx, workspaceId, await readLooked(tx, workspaceId, 'splits'), MESSAGES_A_RUN),
  )
  for (const message of messages) {
    signal.throwIfAborted()
    if (performance.now() > endsAt) return { ...outcome, more: true }
    const span = askedOf(message)
    if (!span) {
      await settle(message, null)
      continue
    }
    if (await isPaused(services)) return outcome
    const shown = readable(message.text.slice(span.start, span.end))
    try {
      const question = { instructions, message: writeData({ message: shown.plain }, randomUUID()), schema: Pieces }
      const answer = await callPaid(model, question, signal)
      if (!answer) {
        await look.budgetSpent()
        return outcome
      }
      outcome.asked++
      await clearTrouble(services)
      await settle(message, toStore(message, span, findPieces(answer.text, shown)))
    } catch (error) {
      await look.fail(error, lastAttempt)
      return outcome
    }
  }
  if (messages.length === MESSAGES_A_RUN) return { ...outcome, more: true }
  await look.finish(version)
  return outcome
}

/** The text to ask about; null when there is none, more than one, or one that may not be shown or is too long. */
function askedOf({ itemId, text }: LongMessage): Span | null {
  const spans = longSpans({ id: String(itemId), text, at: 0 })
  const [span] = spans
  if (!span || spans.length > 1 || span.end - span.start > MAX_QUERY_LENGTH) return null
  const shown = text.slice(span.start, span.end)
  return speaksToModels(shown) || speaksToModels(readable(shown).plain) ? null : span
}

/** Pieces as offsets of the whole message; null when they are how the engine cuts it anyway. */
function toStore({ itemId, text }: LongMessage, span: Span, pieces: Span[] | null): Span[] | null {
  if (!pieces) return null
  const found = pieces.map(({ start, end }) => ({ start: span.start + start, end: span.start + end }))
  const item = { id: String(itemId), text, at: 0 }
  const places = (made: ReturnType<typeof prepare>) => made.map(({ start, end }) => `${start}-${end}`).join()
  return places(prepare({ ...item, pieces: found })) === places(prepare(item)) ? null : found
}
