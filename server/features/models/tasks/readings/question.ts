import { randomInt } from 'node:crypto'
import type { UnreadMessage } from '../../../insights/index.ts'
import { DECOYS } from '../../decoys.ts'
import { oneLine, withoutAddresses } from '../../plain-text.ts'
import { newMark, writeData } from '../../prompt.ts'
import { RandomIds } from '../../random-ids.ts'
import type { Readable } from '../../readable.ts'
import { numbered } from './sentences.ts'

/** A message as it is shown to the model. `before`: what it replies to, on one line; null: nothing, or nothing that may be shown. */
export type ShownMessage = { message: UnreadMessage; shown: Readable; before: string | null }

/** What is sent about a batch. `ids`: of the messages, in their order. */
export type BatchQuestion = { text: string; ids: string[]; decoy: string }

/** Characters that are shown of an earlier message. */
const MAX_BEFORE = 160

/** Puts a batch into one message, with a decoy. Each has a random id, and its sentences have numbers; the decoy has a random place. */
export function writeBatch(batch: readonly ShownMessage[]): BatchQuestion {
  const ids = new RandomIds()
  const messages = batch.map(({ message, shown, before }): [string, string | { before: string; text: string }] => {
    const text = numbered(shown.plain)
    return [ids.of(String(message.itemId)), before === null ? text : { before, text }]
  })
  const decoy = ids.of('decoy')
  messages.splice(randomInt(messages.length + 1), 0, [decoy, DECOYS[randomInt(DECOYS.length)] as string])
  return {
    text: writeData({ messages: Object.fromEntries(messages) }, newMark(), { compact: true }),
    ids: batch.map(({ message }) => ids.of(String(message.itemId))),
    decoy,
  }
}

/** An earlier message as it is shown. */
export function shownBefore(text: string): string {
  return oneLine(withoutAddresses(text), MAX_BEFORE)
}
