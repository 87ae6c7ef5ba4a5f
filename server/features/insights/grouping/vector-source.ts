import type { Tx } from '../../../platform/db/tenant.ts'

/** Where vectors of statements come from, for workspaces that group with a model's. Given in at the door, see `embeddings`. */
export type VectorSource = {
  /** The model whose vectors a workspace groups with; empty: none. */
  space(tx: Tx, workspaceId: string): Promise<string>
  /** What is stored of these statements, by their id; of what says something else by now there is none. */
  stored(
    tx: Tx,
    workspaceId: string,
    space: string,
    statements: readonly { itemId: string; number: number; text: string }[],
  ): Promise<ReadonlyMap<string, Float32Array>>
  /** For statements about to be placed, within a bounded time; what is missing is compared by its words. Never fails for a model. */
  fresh(
    workspaceId: string,
    space: string,
    statements: readonly { itemId: number; number: number; text: string; version: string }[],
    stop?: AbortSignal,
  ): Promise<Map<string, Float32Array>>
}

/** Whose vectors a state is to hold ('': none; null: whatever is stored), and where they are. `fresh`: built from nothing but what is stored. */
export type StateOptions = { space: string | null; vectors?: VectorSource; fresh?: boolean }
