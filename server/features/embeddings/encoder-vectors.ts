import type { Tx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { builtinSpace } from './models/builtin-embedder.ts'
import * as store from './store.ts'
import { unpackVector } from './vector-bytes.ts'

/** A statement (`item:number`) and its vector, of length 1. */
export type StatementVector = { statementId: string; vector: Float32Array }

/**
 * The built-in encoder's vectors of these statements (`item:number`), by statement. Those that are not computed yet are missing; all
 * are when the encoder is switched off.
 */
export async function readEncoderVectors(
  services: Services,
  tx: Tx,
  workspaceId: string,
  statementIds: readonly string[],
): Promise<Map<string, Float32Array>> {
  const space = await builtinSpace(services)
  if (space === null) return new Map()
  const stored = await store.readOfStatements(tx, workspaceId, space, statementIds)
  return new Map(stored.map(({ id, vector }) => [id, unpackVector(vector)]))
}

/**
 * The same for all statements of a workspace in the order of their messages, at most `limit` at a time, after the statement
 * `after`. Fewer than `limit` are the last ones.
 */
export async function readEncoderVectorPage(
  services: Services,
  tx: Tx,
  workspaceId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<StatementVector[]> {
  const space = await builtinSpace(services)
  if (space === null) return []
  const stored = await store.readVectorPage(tx, workspaceId, space, { after, limit })
  return stored.map(({ id, vector }) => ({ statementId: id, vector: unpackVector(vector) }))
}

/** How many of the statements that are not small talk the built-in encoder has seen; null when it is switched off. */
export async function readEncoderProgress(
  services: Services,
  tx: Tx,
  workspaceId: string,
): Promise<{ done: number; total: number } | null> {
  const space = await builtinSpace(services)
  if (space === null) return null
  const { embedded, statements } = await store.countVectors(tx, workspaceId, space)
  return { done: embedded, total: statements }
}
