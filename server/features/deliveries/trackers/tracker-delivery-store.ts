import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'

/** Removes an insight's waiting updates to a destination that were never sent. */
export async function removeWaitingUpdates(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  issueNumber: number,
): Promise<void> {
  await sql`
    delete from delivery
    where workspace_id = ${workspaceId} and connection_id = ${connectionId} and issue_number = ${issueNumber}
      and event = 'insight.updated' and state = 'waiting' and payload is null`.execute(tx)
}

/** Whether this attempt still has the delivery: its lease has not ended. The delivery is locked until the transaction ends. */
export async function holdsLease(
  tx: Tx,
  workspaceId: string,
  id: string,
  attempt: number,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from delivery
    where workspace_id = ${workspaceId} and id = ${id} and state = 'sending' and attempts = ${attempt}
      and lease_until > ${now} for update`.execute(tx)
  return rows.length > 0
}

/** Ends an attempt as if it had not been made: the next one is due then. False when another worker has taken the delivery meanwhile. */
export async function storePostponed(
  tx: Tx,
  workspaceId: string,
  id: string,
  attempt: number,
  until: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update delivery set state = 'waiting', attempts = attempts - 1, lease_until = null, next_attempt_at = ${until},
      waits_for = 'confirming'
    where workspace_id = ${workspaceId} and id = ${id} and state = 'sending' and attempts = ${attempt}`.execute(tx)
  return numAffectedRows === 1n
}
