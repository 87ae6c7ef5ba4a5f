import type { Span } from '@groundswell/engine/index.ts'
import { type Reading, readTaughtPoints, requestGrouping, storeReadings } from '../../../insights/index.ts'
import type { Encode } from '../../encoder.ts'
import type { Applied, TaskReply, TaskRun } from '../../task.ts'
import { checkReply } from './check-reply.ts'
import type { BatchQuestion, ShownMessage } from './question.ts'

/**
 * Stores what was read in a batch. A reply that is not believed is requested again in two halves, so that a single message that spoils
 * replies does not affect the others; a message that spoils one alone is grouped by its own words. Words whose reading a person has corrected
 * are read as that person said.
 */
export async function applyReply(
  run: TaskRun,
  batch: ShownMessage[],
  asked: Pick<BatchQuestion, 'ids' | 'decoy'>,
  reply: TaskReply,
  encode: Encode,
): Promise<Applied<ShownMessage[]>> {
  const found = await checkReply(reply.text, batch, asked, encode)
  if (!found && batch.length > 1) {
    const half = Math.ceil(batch.length / 2)
    return { useful: false, followUps: [batch.slice(0, half), batch.slice(half)] }
  }
  const wordsOf = (at: number, { start, end }: Span) => batch[at]?.message.text.slice(start, end).trim() ?? ''
  const words = found?.flatMap((points, at) => points?.map((point) => wordsOf(at, point)) ?? []) ?? []
  const taught = await run.inside((tx) => readTaughtPoints(tx, run.workspaceId, words))
  const readings = batch.map(({ message: { itemId, hash } }, at): Reading => {
    const points = found?.[at]?.map((one) => ({ ...one, point: taught.get(wordsOf(at, one)) ?? one.point }))
    return points ? { itemId, hash, points } : { itemId, hash, unread: 'reply' }
  })
  await storeRead(run, readings)
  return { useful: found?.some((points) => points !== null) ?? false }
}

/** Stores readings, and has the messages that were read grouped again. */
export async function storeRead(
  { services, workspaceId, askedWith, inside }: TaskRun,
  readings: readonly Reading[],
): Promise<void> {
  await inside(async (tx) => {
    const isChanged = await storeReadings(tx, workspaceId, readings, { ...askedWith, now: services.now() })
    if (isChanged) await requestGrouping(services)(tx, workspaceId)
  })
}
