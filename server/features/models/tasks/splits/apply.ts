import { prepare, type Span } from '@groundswell/engine/index.ts'
import { type LongMessage, requestGrouping, storeSplit } from '../../../insights/index.ts'
import type { Readable } from '../../readable.ts'
import type { Applied, TaskReply, TaskRun } from '../../task.ts'
import { findPieces } from './pieces.ts'

/** Stores the pieces of a good reply, and has the message read again. After any other, the message stays as the engine divides it. */
export async function applyReply(
  run: TaskRun,
  message: LongMessage,
  { span, shown }: { span: Span; shown: Readable },
  reply: TaskReply,
): Promise<Applied<LongMessage>> {
  await storePieces(run, message, inMessage(message, span, findPieces(reply.text, shown)))
  return { useful: true }
}

/** Null: the message stays as it is. */
export async function storePieces(
  { services, workspaceId, askedWith, inside }: TaskRun,
  message: LongMessage,
  pieces: Span[] | null,
): Promise<void> {
  await inside(async (tx) => {
    const isReadAgain = await storeSplit(tx, workspaceId, message, pieces, { ...askedWith, now: services.now() })
    if (isReadAgain) await requestGrouping(services)(tx, workspaceId)
  })
}

/** Pieces as offsets in the whole message; null when the engine divides it in the same way. */
function inMessage({ itemId, text }: LongMessage, span: Span, pieces: Span[] | null): Span[] | null {
  if (!pieces) return null
  const found = pieces.map(({ start, end }) => ({ start: span.start + start, end: span.start + end }))
  const item = { id: String(itemId), text, at: 0 }
  const offsets = (statements: ReturnType<typeof prepare>) =>
    statements.map(({ start, end }) => `${start}-${end}`).join()
  return offsets(prepare({ ...item, pieces: found })) === offsets(prepare(item)) ? null : found
}
