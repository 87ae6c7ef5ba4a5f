import type { Tx } from '../../platform/db/tenant.ts'

/** What accounts know of a person's visits to the insights. Passed in by the wiring, because insights are above accounts. */
export type AccountHooks = {
  /** When the previous visit ended; null: there was none. */
  previousVisit(tx: Tx, workspaceId: string, accountId: string, now: Date): Promise<Date | null>
  /** When the person was last seen there; null: never. */
  lastVisit(tx: Tx, workspaceId: string, accountId: string): Promise<Date | null>
}
