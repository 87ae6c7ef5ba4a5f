import type { Language } from '@groundswell/engine/index.ts'
import type { Tx } from '../../../platform/db/tenant.ts'

/**
 * The model whose vectors a workspace groups with, and the languages that it was made for (null: all). `space`: '' for none. `late`: its
 * vectors are computed after grouping, which does not wait for them.
 */
export type GroupingModel = { space: string; languages: readonly Language[] | null; late: boolean }

/** Where vectors of statements come from. The wiring passes in that of `embeddings`. */
export type VectorSource = {
  /** The model of a workspace; null while that cannot be determined: states then keep the model that they have. */
  model(tx: Tx, workspaceId: string): Promise<GroupingModel | null>
  /** The stored vectors of these statements, of their points where they have one, by statement id; none where that has changed. */
  stored(
    tx: Tx,
    workspaceId: string,
    space: string,
    statements: readonly { itemId: string; number: number; text: string; point?: string | null }[],
  ): Promise<ReadonlyMap<string, Float32Array>>
  /** Which of these messages have a stored vector. */
  withVectors(tx: Tx, workspaceId: string, space: string, itemIds: readonly number[]): Promise<number[]>
  /** Vectors for statements about to be grouped, within a bounded time. Missing ones are compared by their words; a failing model throws nothing. */
  fresh(
    workspaceId: string,
    space: string,
    statements: readonly { itemId: number; number: number; text: string; version: string }[],
    stop?: AbortSignal,
  ): Promise<Map<string, Float32Array>>
}

/** The model whose vectors a state is to use (null: that of the snapshot) and their source. `fresh`: ignore the snapshot. */
export type StateOptions = { model: GroupingModel | null; vectors?: VectorSource; fresh?: boolean }
