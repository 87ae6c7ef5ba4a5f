import type { Tx } from '../../../platform/db/tenant.ts'

/** Where vectors of statements come from, for workspaces that group with an embedding model. The wiring passes in that of `embeddings`. */
export type VectorSource = {
  /** The model whose vectors a workspace groups with; '' for none. */
  space(tx: Tx, workspaceId: string): Promise<string>
  /** The stored vectors of these statements, by statement id; none for a statement whose text has changed. */
  stored(
    tx: Tx,
    workspaceId: string,
    space: string,
    statements: readonly { itemId: string; number: number; text: string }[],
  ): Promise<ReadonlyMap<string, Float32Array>>
  /** Vectors for statements about to be grouped, within a bounded time. Missing ones are compared by their words; a failing model throws nothing. */
  fresh(
    workspaceId: string,
    space: string,
    statements: readonly { itemId: number; number: number; text: string; version: string }[],
    stop?: AbortSignal,
  ): Promise<Map<string, Float32Array>>
}

/** The model whose vectors a state is to use ('' for none, null for the stored one) and their source. `fresh`: ignore the snapshot. */
export type StateOptions = { space: string | null; vectors?: VectorSource; fresh?: boolean }
