import type { Tx } from '../../platform/db/tenant.ts'

/** What other features do, in the transaction that changed feedback. */
export type FeedbackHooks = {
  /** Something waits to be grouped: it was stored, has another text, or was deleted. */
  stored(tx: Tx, workspaceId: string): Promise<void>
  /** Author or date of these items changed, but not their text. */
  relabelled?: (tx: Tx, workspaceId: string, itemIds: readonly number[]) => Promise<void>
}
