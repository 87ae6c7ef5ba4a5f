import { connectorById } from '@groundswell/connectors/index.ts'
import type { LastTest } from '@groundswell/contract/connections.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'
import { requiresChoices } from './choices/requires-choices.ts'

/** What a person chose for a field, with the labels that the provider showed then. */
export type Chosen = { field: string; label: string; values: { value: string; label: string }[] }

/** A configured source or destination of one workspace. `sealedSecrets` opens only for this id. */
export type Connection = {
  workspaceId: string
  id: string
  connector: string
  /** Distinguishes several connections of one connector; '' where there is only one. */
  name: string
  paused: boolean
  pushAutomatically: boolean
  /** A tracker's closed item is reopened when its insight is mentioned again; otherwise it gets a comment. */
  reopenItems: boolean
  /** How the provider names the account behind it; null where that is not known. */
  account: string | null
  /** The sign-in ended at the provider: the connection does not work until the owner signs in again. */
  signedOut: boolean
  settings: Record<string, unknown>
  /** False until its required choices are made: nothing is read or sent. */
  ready: boolean
  chosen: Chosen[]
  sealedSecrets: string | null
  /** When the credentials end at the provider; null: they do not, or it is not known. */
  expiresAt: Date | null
  /** From when on they are refreshed before a call. */
  renewAt: Date | null
  error: string | null
  /** The outcome of the last Test; null when there was none since it was connected. */
  lastTest: LastTest | null
  createdAt: Date
  /** Set once it is disconnected: then it only explains where feedback came from and deliveries went. */
  disconnectedAt: Date | null
}

/** When credentials end, and from when on they are refreshed before a call; null: they do not end. */
export type CredentialLife = { expiresAt: Date | null; renewAt: Date | null }

/** What an owner may change of a live connection. Fields left out stay as they are. */
export type ConnectionChange = {
  paused?: boolean
  pushAutomatically?: boolean
  reopenItems?: boolean
  account?: string | null
  signedOut?: boolean
  settings?: Record<string, unknown>
  ready?: true
  chosen?: Chosen[]
  sealedSecrets?: string | null
  /** Given with the secrets of a new sign-in: a refresh that is still running is then discarded. */
  life?: CredentialLife
  error?: string | null
  lastTest?: LastTest | null
}

/** The columns of `connection` as a `Connection`. */
export const connectionColumns = sql`connection.workspace_id as "workspaceId", id, connector, name, paused, push_automatically as "pushAutomatically",
  reopen_items as "reopenItems",
  account, signed_out as "signedOut", settings, ready, chosen, sealed_secrets as "sealedSecrets", expires_at as "expiresAt",
  renew_at as "renewAt", error, last_test as "lastTest",
  created_at as "createdAt", disconnected_at as "disconnectedAt"`

/** Every live connection of a workspace, oldest first. */
export async function liveConnectionRows(tx: Tx, workspaceId: string): Promise<Connection[]> {
  const { rows } = await sql<Connection>`
    select ${connectionColumns} from connection
    where workspace_id = ${workspaceId} and disconnected_at is null
    order by created_at, id`.execute(tx)
  return rows
}

/** Every disconnected connection of a workspace, the latest first. */
export async function disconnectedRows(tx: Tx, workspaceId: string): Promise<Connection[]> {
  const { rows } = await sql<Connection>`
    select ${connectionColumns} from connection
    where workspace_id = ${workspaceId} and disconnected_at is not null
    order by disconnected_at desc, id`.execute(tx)
  return rows
}

/** The settings of every connection of a connector, live or not. */
export async function settingsOfAll(
  tx: Tx,
  workspaceId: string,
  connector: string,
): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<{ settings: Record<string, unknown> }>`
    select settings from connection where workspace_id = ${workspaceId} and connector = ${connector}`.execute(tx)
  return rows.map(({ settings }) => settings)
}

/** One connection by its id, live or not; null when this workspace has no such connection. */
export async function connectionById(tx: Tx, workspaceId: string, id: string): Promise<Connection | null> {
  const { rows } = await sql<Connection>`
    select ${connectionColumns} from connection where workspace_id = ${workspaceId} and id = ${id}`.execute(tx)
  return rows[0] ?? null
}

/** Locks a connection until the transaction ends. Rows that refer to it can still be written meanwhile. */
export async function lockConnection(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await sql`
    select 1 from connection where workspace_id = ${workspaceId} and id = ${id} for no key update`.execute(tx)
}

/**
 * The live connection of one connector and name, locked until the transaction ends; null when there is none. Rows that refer
 * to it can still be written meanwhile.
 */
export async function lockLiveConnection(
  tx: Tx,
  workspaceId: string,
  connector: string,
  name = '',
): Promise<Connection | null> {
  const { rows } = await sql<Connection>`
    select ${connectionColumns} from connection
    where workspace_id = ${workspaceId} and connector = ${connector} and name = ${name} and disconnected_at is null
    for no key update`.execute(tx)
  return rows[0] ?? null
}

/**
 * Creates an empty live connection unless there is one, and returns the live one, locked. `made`: it is new. A new one whose
 * connector requires choices is not ready.
 */
export async function ensureConnection(
  tx: Tx,
  workspaceId: string,
  connector: string,
  name = '',
): Promise<{ connection: Connection; made: boolean }> {
  const inserted = await sql<Connection>`
    insert into connection (workspace_id, connector, name, ready)
    values (${workspaceId}, ${connector}, ${name}, ${!requiresChoices(connectorById(connector))})
    on conflict (workspace_id, connector, name) where disconnected_at is null do nothing
    returning ${connectionColumns}`.execute(tx)
  const connection = inserted.rows[0] ?? (await lockLiveConnection(tx, workspaceId, connector, name))
  if (!connection) throw new Error('a live connection ended while it was being made again')
  return { connection, made: inserted.rows.length > 0 }
}

/**
 * Makes the newest disconnected connection of this account live again: it has what it read before, and
 * resumes from its cursor. Null when there was none.
 */
export async function reviveConnection(
  tx: Tx,
  workspaceId: string,
  connector: string,
  account: string,
): Promise<Connection | null> {
  const { rows } = await sql<Connection>`
    update connection set disconnected_at = null
    where workspace_id = ${workspaceId} and id = (
      select id from connection
      where workspace_id = ${workspaceId} and connector = ${connector} and account = ${account}
        and disconnected_at is not null
      order by disconnected_at desc limit 1)
    returning ${connectionColumns}`.execute(tx)
  return rows[0] ?? null
}

/** Makes other transactions that connect or disconnect in this workspace wait until this one ends. */
export async function lockConnecting(tx: Tx, workspaceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('connect:' || ${workspaceId}, 0))`.execute(tx)
}

/** Changes a live connection; null when it is no longer live. */
export async function changeConnection(
  tx: Tx,
  workspaceId: string,
  id: string,
  change: ConnectionChange,
): Promise<Connection | null> {
  const parts: RawBuilder<unknown>[] = []
  if (change.paused !== undefined) parts.push(sql`paused = ${change.paused}`)
  if (change.pushAutomatically !== undefined) parts.push(sql`push_automatically = ${change.pushAutomatically}`)
  if (change.reopenItems !== undefined) parts.push(sql`reopen_items = ${change.reopenItems}`)
  if (change.account !== undefined) parts.push(sql`account = ${change.account}`)
  if (change.signedOut !== undefined) parts.push(sql`signed_out = ${change.signedOut}`)
  if (change.settings !== undefined) parts.push(sql`settings = ${JSON.stringify(change.settings)}::jsonb`)
  if (change.ready !== undefined) parts.push(sql`ready = ${change.ready}`)
  if (change.chosen !== undefined) parts.push(sql`chosen = ${JSON.stringify(change.chosen)}::jsonb`)
  if (change.sealedSecrets !== undefined) parts.push(sql`sealed_secrets = ${change.sealedSecrets}`)
  if (change.life !== undefined) {
    const { expiresAt, renewAt } = change.life
    parts.push(sql`expires_at = ${expiresAt}, renew_at = ${renewAt}, refresh_lease = null, refresh_lease_until = null`)
  }
  if (change.error !== undefined) parts.push(sql`error = ${change.error}`)
  if (change.lastTest !== undefined) {
    parts.push(sql`last_test = ${change.lastTest && JSON.stringify(change.lastTest)}::jsonb`)
  }
  if (parts.length === 0) return connectionById(tx, workspaceId, id)
  const { rows } = await sql<Connection>`
    update connection set ${sql.join(parts)}
    where workspace_id = ${workspaceId} and id = ${id} and disconnected_at is null
    returning ${connectionColumns}`.execute(tx)
  return rows[0] ?? null
}

/** Removes a connection with everything that it brought. */
export async function removeConnection(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await sql`delete from connection where workspace_id = ${workspaceId} and id = ${id}`.execute(tx)
}

/** How many live connections are paused, and how many report an error. */
export async function countConnectionProblems(
  tx: Tx,
  workspaceId: string,
): Promise<{ paused: number; errors: number }> {
  const { rows } = await sql<{ paused: number; errors: number }>`
    select (count(*) filter (where paused))::int as paused, (count(*) filter (where error is not null))::int as errors
    from connection where workspace_id = ${workspaceId} and disconnected_at is null`.execute(tx)
  return rows[0] ?? { paused: 0, errors: 0 }
}

/** Ends a connection and stops its sync. Its row stays for its feedback and deliveries; its secrets are deleted. */
export async function endConnection(tx: Tx, workspaceId: string, id: string, at: Date): Promise<void> {
  await sql`
    update connection
    set disconnected_at = ${at}, sealed_secrets = null, error = null, signed_out = false,
      expires_at = null, renew_at = null, refresh_lease = null, refresh_lease_until = null
    where workspace_id = ${workspaceId} and id = ${id} and disconnected_at is null`.execute(tx)
}

/** Stops a destination until its owner resumes it: the endpoint returned 410 Gone. */
export async function pauseConnection(tx: Tx, workspaceId: string, id: string, reason: string): Promise<void> {
  await changeConnection(tx, workspaceId, id, { paused: true, error: reason })
}

/** Stores what went wrong last, as text for the tile; null once it works again. */
export async function noteConnectionError(
  tx: Tx,
  workspaceId: string,
  id: string,
  message: string | null,
): Promise<void> {
  await sql`
    update connection set error = ${message}
    where workspace_id = ${workspaceId} and id = ${id} and disconnected_at is null and error is distinct from ${message}`.execute(
    tx,
  )
}

/** Workspaces that have a connection with one of these fields, by connector, among its settings. Run without a workspace. */
export async function workspacesToSeal(tx: Tx, fields: Readonly<Record<string, readonly string[]>>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select workspaces_to_seal(${JSON.stringify(fields)}::jsonb) as id`.execute(
    tx,
  )
  return rows.map((row) => row.id)
}

/** Connections of one connector, live or not, with any of these fields in their settings; locked. */
export async function connectionsWithFields(
  tx: Tx,
  workspaceId: string,
  connector: string,
  fields: readonly string[],
): Promise<Connection[]> {
  const { rows } = await sql<Connection>`
    select ${connectionColumns} from connection
    where workspace_id = ${workspaceId} and connector = ${connector} and settings ?| ${[...fields]}::text[]
    order by id for no key update`.execute(tx)
  return rows
}

/** Removes these fields from the settings of a connection and stores the sealed secrets. */
export async function removePlainFields(
  tx: Tx,
  workspaceId: string,
  id: string,
  fields: readonly string[],
  sealedSecrets: string | null,
): Promise<void> {
  await sql`
    update connection set settings = settings - ${[...fields]}::text[], sealed_secrets = ${sealedSecrets}
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx)
}

/**
 * The sign-in ended at the provider: the sync stops, and the tile asks the owner to connect again. What was read stays.
 * Nothing happens when the owner has signed in again since the connection was read.
 */
export async function signOut(
  tx: Tx,
  { workspaceId, id, sealedSecrets }: Pick<Connection, 'workspaceId' | 'id' | 'sealedSecrets'>,
  reason: string,
): Promise<void> {
  await sql`
    update connection set signed_out = true, error = ${reason}
    where workspace_id = ${workspaceId} and id = ${id} and disconnected_at is null
      and sealed_secrets is not distinct from ${sealedSecrets}`.execute(tx)
}

/** The live connections that a provider's event may be about; `ownApp`: their workspace has its own app there. */
export async function connectionsOfAccount(
  tx: Tx,
  connector: string,
  account: string,
): Promise<{ workspaceId: string; id: string; ownApp: boolean }[]> {
  const { rows } = await sql<{ workspaceId: string; id: string; ownApp: boolean }>`
    select workspace_id as "workspaceId", id, own_app as "ownApp"
    from provider_connections(${connector}, ${account})`.execute(tx)
  return rows
}
