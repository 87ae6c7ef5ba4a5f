import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'

/** The sealed secrets of a workspace's connections, locked until the transaction ends. */
export async function lockConnectionSecrets(tx: Tx, workspaceId: string): Promise<{ id: string; sealed: string }[]> {
  const { rows } = await sql<{ id: string; sealed: string }>`
    select id, sealed_secrets as sealed from connection
    where workspace_id = ${workspaceId} and sealed_secrets is not null order by id for update`.execute(tx)
  return rows
}

/** Replaces the secrets of a connection, which are sealed already. */
export async function writeConnectionSecrets(tx: Tx, workspaceId: string, id: string, sealed: string): Promise<void> {
  await sql`
    update connection set sealed_secrets = ${sealed} where workspace_id = ${workspaceId} and id = ${id}`.execute(tx)
}

/** The sealed secrets of a workspace's subscriptions, locked until the transaction ends. */
export async function lockSubscriptionSecrets(tx: Tx, workspaceId: string): Promise<{ id: string; sealed: string }[]> {
  const { rows } = await sql<{ id: string; sealed: string }>`
    select connection_id as id, sealed from event_subscription
    where workspace_id = ${workspaceId} and sealed is not null order by connection_id for update`.execute(tx)
  return rows
}

/** Replaces the secrets of a subscription, which are sealed already. */
export async function writeSubscriptionSecrets(tx: Tx, workspaceId: string, id: string, sealed: string): Promise<void> {
  await sql`
    update event_subscription set sealed = ${sealed}
    where workspace_id = ${workspaceId} and connection_id = ${id}`.execute(tx)
}

/** The sealed credentials of a workspace's own apps, locked until the transaction ends. */
export async function lockApps(tx: Tx, workspaceId: string): Promise<{ connector: string; sealed: string }[]> {
  const { rows } = await sql<{ connector: string; sealed: string }>`
    select connector, sealed from provider_app
    where workspace_id = ${workspaceId} and sealed is not null order by connector for update`.execute(tx)
  return rows
}
