import type { FeedbackItem } from '@groundswell/connectors/connector.ts'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

/** The newest stored state of an item; `deleted` is final. */
type ItemVersion = { version: number; deleted: boolean }

/** The versions of these items, by external id. Items that were not edited or deleted recently have none. */
export async function readVersions(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, ItemVersion>> {
  if (externalIds.length === 0) return new Map()
  const { rows } = await sql<{ id: string; version: string | number; deleted: boolean }>`
    select external_id as id, version, deleted from item_version
    where workspace_id = ${workspaceId} and connection_id = ${connectionId}
      and external_id = any(${[...externalIds]}::text[])`.execute(tx)
  return new Map(rows.map(({ id, version, deleted }) => [id, { version: Number(version), deleted }]))
}

/** Forgets the versions of a connection's items, and which of them were deleted. */
export async function forgetVersions(tx: Tx, workspaceId: string, connectionId: string): Promise<void> {
  await sql`
    delete from item_version where workspace_id = ${workspaceId} and connection_id = ${connectionId}`.execute(tx)
}

/** Records the versions of edited items and of deleted ones. An older version never replaces a newer one. */
export async function recordVersions(
  tx: Tx,
  workspaceId: string,
  connectionId: string,
  stored: { items: readonly FeedbackItem[]; deleted: readonly string[] },
): Promise<void> {
  const states = new Map<string, ItemVersion>()
  for (const { externalId, version } of stored.items) {
    if (version !== undefined) states.set(externalId, { version, deleted: false })
  }
  for (const id of stored.deleted) states.set(id, { version: 0, deleted: true })
  if (states.size === 0) return
  const all = [...states]
  await sql`
    insert into item_version (workspace_id, connection_id, external_id, version, deleted)
    select ${workspaceId}::uuid, ${connectionId}::uuid, input.* from unnest(
      ${all.map(([id]) => id)}::text[], ${all.map(([, { version }]) => String(version))}::bigint[],
      ${all.map(([, { deleted }]) => deleted)}::boolean[]) as input (external_id, version, deleted)
    on conflict (workspace_id, connection_id, external_id) do update
    set version = greatest(item_version.version, excluded.version), deleted = item_version.deleted or excluded.deleted,
      stored_at = excluded.stored_at`.execute(tx)
}

/** Removes versions so old that no provider still sends events about them. */
export async function deleteOldVersions(tx: Tx, workspaceId: string, before: Date): Promise<void> {
  await sql`delete from item_version where workspace_id = ${workspaceId} and stored_at < ${before}`.execute(tx)
}
