import type { DigestChoice } from '@groundswell/contract/digests.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import { connectionsView } from '../../connections/index.ts'

/** A channel and what it gets. `coveredUntil`: earlier events are not in future digests. `alertsSince`: null: it gets no alerts. */
export type ChannelRow = {
  id: string
  connectionId: string
  channel: string
  label: string
  choice: DigestChoice
  coveredUntil: Date
  nextAt: Date | null
  alertsSince: Date | null
  setBy: string
}

const channelColumns = sql`id, connection_id as "connectionId", channel, label, jsonb_build_object('frequency', frequency,
    'weekday', weekday, 'hour', hour, 'time_zone', time_zone,
    'alerts', jsonb_build_object('spike', alert_spike, 'regression', alert_regression, 'themes', watched_themes,
      'customers', watched_customers),
    'quiet', case when quiet_from is not null then jsonb_build_object('from', quiet_from, 'until', quiet_until) end) as choice,
  covered_until as "coveredUntil", next_at as "nextAt", alerts_since as "alertsSince", set_by as "setBy"`

/** The channels of a workspace, in the order of their names. */
export async function readChannels(tx: Tx, workspaceId: string): Promise<ChannelRow[]> {
  const { rows } = await sql<ChannelRow>`
    select ${channelColumns} from post_channel where workspace_id = ${workspaceId} order by label, id`.execute(tx)
  return rows
}

/** One channel; null: it is not chosen any more. */
export async function readChannel(tx: Tx, workspaceId: string, id: string): Promise<ChannelRow | null> {
  const { rows } = await sql<ChannelRow>`
    select ${channelColumns} from post_channel where workspace_id = ${workspaceId} and id = ${id}`.execute(tx)
  return rows[0] ?? null
}

/** A channel by the provider's id of it, locked until the transaction ends. */
export async function lockChannel(
  tx: Tx,
  workspaceId: string,
  { connectionId, channel }: Pick<ChannelRow, 'connectionId' | 'channel'>,
): Promise<ChannelRow | null> {
  const { rows } = await sql<ChannelRow>`
    select ${channelColumns} from post_channel
    where workspace_id = ${workspaceId} and connection_id = ${connectionId} and channel = ${channel} for update`.execute(
    tx,
  )
  return rows[0] ?? null
}

/** Stores what a channel gets. */
export async function writeChannel(tx: Tx, workspaceId: string, row: Omit<ChannelRow, 'id'>): Promise<void> {
  const { connectionId, channel, label, choice, coveredUntil, nextAt, alertsSince, setBy } = row
  const { frequency, weekday, hour, time_zone, alerts, quiet } = choice
  await sql`
    insert into post_channel (workspace_id, connection_id, channel, label, frequency, weekday, hour, time_zone, alert_spike,
      alert_regression, watched_themes, watched_customers, quiet_from, quiet_until, covered_until, next_at, alerts_since, set_by)
    values (${workspaceId}, ${connectionId}, ${channel}, ${label}, ${frequency}, ${weekday}, ${hour}, ${time_zone}, ${alerts.spike},
      ${alerts.regression}, ${alerts.themes}::int[], ${alerts.customers ?? []}::uuid[], ${quiet?.from ?? null}::int, ${quiet?.until ?? null}::int, ${coveredUntil},
      ${nextAt}::timestamptz, ${alertsSince}::timestamptz, ${setBy})
    on conflict (workspace_id, connection_id, channel) do update
    set label = excluded.label, frequency = excluded.frequency, weekday = excluded.weekday, hour = excluded.hour,
      time_zone = excluded.time_zone, alert_spike = excluded.alert_spike, alert_regression = excluded.alert_regression,
      watched_themes = excluded.watched_themes, watched_customers = excluded.watched_customers,
      quiet_from = excluded.quiet_from, quiet_until = excluded.quiet_until,
      covered_until = excluded.covered_until, next_at = excluded.next_at, alerts_since = excluded.alerts_since,
      set_by = excluded.set_by`.execute(tx)
}

/** Removes a channel, with the messages that were still to be posted there. */
export async function removeChannel(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await sql`delete from post_channel where workspace_id = ${workspaceId} and id = ${id}`.execute(tx)
}

/** Removes every channel whose sign-in was ended. */
export async function removeCutOff(tx: Tx, workspaceId: string): Promise<void> {
  await sql`
    delete from post_channel channel using ${connectionsView} connection
    where channel.workspace_id = ${workspaceId} and connection.workspace_id = ${workspaceId}
      and connection.id = channel.connection_id and not connection.live`.execute(tx)
}

/** Channels whose digest is due, locked until the transaction ends. */
export async function lockDueChannels(tx: Tx, workspaceId: string, now: Date): Promise<ChannelRow[]> {
  const { rows } = await sql<ChannelRow>`
    select ${channelColumns} from post_channel where workspace_id = ${workspaceId} and next_at <= ${now}
    order by id for update skip locked`.execute(tx)
  return rows
}

/** Notes when the next digest is due, or what the latest covers. */
export async function moveChannel(
  tx: Tx,
  workspaceId: string,
  id: string,
  { nextAt, coveredUntil }: { nextAt?: Date | null; coveredUntil?: Date },
): Promise<void> {
  await sql`
    update post_channel set
      next_at = ${nextAt === undefined ? sql`next_at` : sql`${nextAt}::timestamptz`},
      covered_until = ${coveredUntil === undefined ? sql`covered_until` : sql`${coveredUntil}::timestamptz`}
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx)
}
