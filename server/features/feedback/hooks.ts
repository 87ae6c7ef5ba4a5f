import type { Tx } from '../../platform/db/tenant.ts'

/** What other features do, in the transaction that changed feedback. */
export type FeedbackHooks = {
  /** Something has to be grouped: it was stored, its text changed, or it was deleted. */
  stored(tx: Tx, workspaceId: string): Promise<void>
  /** The items of this author are about to be erased for good, with whatever copies there are of their words. */
  erasing?: (tx: Tx, workspaceId: string, erased: { author: string; itemIds: readonly number[] }) => Promise<void>
  /** Author or date of these items changed, but not their text. */
  relabelled?: (tx: Tx, workspaceId: string, itemIds: readonly number[]) => Promise<void>
}
