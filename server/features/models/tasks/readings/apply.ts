import { type Reading, requestGrouping, storeReadings } from '../../../insights/index.ts'
import type { Encode } from '../../encoder.ts'
import type { Applied, TaskReply, TaskRun } from '../../task.ts'
import { checkReply } from './check-reply.ts'
import type { BatchQuestion, ShownMessage } from './question.ts'

/**
 * Stores what was read in a batch. A reply that is not believed is requested again in two halves, so that a single message that spoils
 * replies does not affect the others; a message that spoils one alone is grouped by its own words.
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
  const readings = batch.map(({ message: { itemId, hash } }, at): Reading => {
    const points = found?.[at]
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
