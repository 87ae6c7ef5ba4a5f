import path from 'node:path'
import { readInstructions } from '../prompt.ts'
import { asShown, batchesOf, reasonNotTo } from '../tasks/readings/batches.ts'
import type { ShownMessage } from '../tasks/readings/question.ts'

/** The instructions of this task. */
export function instructionsOf(task: 'names' | 'readings' | 'reviews'): Promise<string> {
  return readInstructions(path.resolve(import.meta.dirname, '../tasks', task))
}

/** The messages that may be sent, in the batches in which they are read. Their item ids are their places. */
export function batchesToRead(messages: readonly { text: string }[]): ShownMessage[][] {
  const shown = messages.map(({ text }, at) => asShown({ itemId: at, text, hash: '', before: null }))
  return batchesOf(shown.filter(({ message }) => reasonNotTo(message) === null))
}
