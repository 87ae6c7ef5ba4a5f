import type { UnreadMessage } from '../../../insights/index.ts'
import { speaksToModels } from '../../injection.ts'
import { readable } from '../../readable.ts'
import { type ShownMessage, shownBefore } from './question.ts'

const MESSAGES_PER_BATCH = 30
/** The size of one batch: the reply repeats most of it and has to fit into the output. */
const CHARACTERS_PER_BATCH = 8_000
/** A longer message is divided by the engine. */
const MAX_TEXT_LENGTH = 3_000

/** Why a message is not sent; null: it may be. */
export function reasonNotTo({ text }: Pick<UnreadMessage, 'text'>): 'withheld' | 'length' | null {
  if (text.length > MAX_TEXT_LENGTH) return 'length'
  return speaksToModels(text) || speaksToModels(readable(text).plain) ? 'withheld' : null
}

/** A message as the model sees it. */
export function asShown(message: UnreadMessage): ShownMessage {
  const { text, before } = message
  return {
    message,
    shown: readable(text),
    before: before === null || speaksToModels(before) ? null : shownBefore(before),
  }
}

/** Messages in batches of at most 30, whose readings fit into a reply. */
export function batchesOf(messages: readonly ShownMessage[]): ShownMessage[][] {
  const batches: ShownMessage[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const one of messages) {
    const length = one.shown.plain.length + (one.before?.length ?? 0)
    const last = batches.at(-1)
    if (last && last.length < MESSAGES_PER_BATCH && size + length <= CHARACTERS_PER_BATCH) {
      last.push(one)
      size += length
    } else {
      batches.push([one])
      size = length
    }
  }
  return batches
}
