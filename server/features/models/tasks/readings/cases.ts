import { isReadingRequested, readUnread } from '../../../insights/index.ts'
import { encoderFor } from '../../encoder.ts'
import { readChoice, storeBefore } from '../../reading-choice-store.ts'
import { scanBacklog } from '../../scan.ts'
import { readScanned } from '../../scan-store.ts'
import type { Backlog, Found, Question, TaskRun } from '../../task.ts'
import { applyReply, storeRead } from './apply.ts'
import { asShown, batchesOf, reasonNotTo } from './batches.ts'
import { type ShownMessage, writeBatch } from './question.ts'

/** The number of messages that one run takes up. */
const MESSAGES_PER_RUN = 240

/** The messages that are to be read, the newest first, in batches. Those that may not be sent are settled without a call. */
export async function find(run: TaskRun): Promise<Found<ShownMessage[]>> {
  const { workspaceId, inside } = run
  const { version, messages } = await inside(async (tx) => {
    const choice = await readChoice(tx, workspaceId)
    if (!choice || choice.paused) return { version: 0, messages: [] }
    const after = await readScanned(tx, workspaceId, 'readings')
    const found = await readUnread(tx, workspaceId, { after, ...choice }, MESSAGES_PER_RUN)
    await storeBefore(tx, workspaceId, found.before)
    return found
  })
  const shown = messages.map((message) => ({ message, reason: reasonNotTo(message) }))
  const refused = shown.flatMap(({ message: { itemId, hash }, reason }) =>
    reason === null ? [] : [{ itemId, hash, unread: reason }],
  )
  if (refused.length > 0) await storeRead(run, refused)
  const sent = shown.filter(({ reason }) => reason === null).map(({ message }) => asShown(message))
  return { cases: batchesOf(sent), more: messages.length === MESSAGES_PER_RUN, version }
}

/** Due while reading is switched on and messages wait to be read. */
export const backlog: Backlog<ShownMessage[]> = {
  ...scanBacklog('readings'),
  async isDue(tx, workspaceId, askedWith, now) {
    const choice = await readChoice(tx, workspaceId)
    if (!choice || choice.paused) return false
    const isBehind = choice.before > 0 || (await isReadingRequested(tx, workspaceId))
    return scanBacklog('readings', { isBehind }).isDue(tx, workspaceId, askedWith, now)
  },
}

/** A question about a batch of messages, whose reply is applied to the same messages. */
export async function ask(run: TaskRun, batch: ShownMessage[]): Promise<Question<ShownMessage[]> | null> {
  const { text, ...asked } = writeBatch(batch)
  return { message: text, apply: (reply) => applyReply(run, batch, asked, reply, encoderFor(run)) }
}
