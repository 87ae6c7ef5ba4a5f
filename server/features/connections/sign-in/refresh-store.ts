import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { type Connection, type CredentialLife, connectionColumns } from '../store.ts'

/** A live, signed-in connection with the lease of the refresh that is running, if any. */
type Leased = { connection: Connection; lease: string | null; leaseUntil: Date | null }

/** A live, signed-in connection; null when it ended or was signed out. `lock`: locked until the transaction ends. */
export async function readForRefresh(
  tx: Tx,
  workspaceId: string,
  id: string,
  { lock = false } = {},
): Promise<Leased | null> {
  const { rows } = await sql<Connection & Omit<Leased, 'connection'>>`
    select ${connectionColumns}, refresh_lease as lease, refresh_lease_until as "leaseUntil" from connection
    where workspace_id = ${workspaceId} and id = ${id} and disconnected_at is null and not signed_out
    ${lock ? sql`for no key update` : sql``}`.execute(tx)
  const [row] = rows
  if (!row) return null
  const { lease, leaseUntil, ...connection } = row
  return { connection, lease, leaseUntil }
}

/** Takes the lease of a connection that is locked. */
export async function writeLease(tx: Tx, workspaceId: string, id: string, lease: string, until: Date): Promise<void> {
  await sql`
    update connection set refresh_lease = ${lease}, refresh_lease_until = ${until}
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx)
}

/** Stores the credentials of a refresh and ends its lease. */
export async function writeRefreshed(
  tx: Tx,
  workspaceId: string,
  id: string,
  sealedSecrets: string,
  { expiresAt, renewAt }: CredentialLife,
): Promise<void> {
  await sql`
    update connection
    set sealed_secrets = ${sealedSecrets}, expires_at = ${expiresAt}, renew_at = ${renewAt},
      refresh_lease = null, refresh_lease_until = null
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx)
}

/** Ends a lease, unless another one has taken its place. */
export async function endLease(tx: Tx, workspaceId: string, id: string, lease: string): Promise<void> {
  await sql`
    update connection set refresh_lease = null, refresh_lease_until = null
    where workspace_id = ${workspaceId} and id = ${id} and refresh_lease = ${lease}`.execute(tx)
}
