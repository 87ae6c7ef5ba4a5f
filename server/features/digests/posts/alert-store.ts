import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/tenant.ts'
import type { Alert } from '../alert-store.ts'

const AGAIN_DAYS = 7

/** Workspaces with a channel that gets alerts, in which something changed since that sweep found nothing to do. */
export async function workspacesToAlertChannels(tx: Tx, sweep: string, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select workspaces_to_alert_channels(${sweep}, ${now}) as id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Adds alerts that the channel did not get within the last week, and deletes old ones. Returns whether there was anything. */
export async function addChannelAlerts(
  tx: Tx,
  workspaceId: string,
  channelId: string,
  alerts: readonly Alert[],
  now: Date,
): Promise<boolean> {
  if (alerts.length === 0) return false
  await sql`
    delete from post_alert where workspace_id = ${workspaceId} and channel_id = ${channelId}
      and found_at < ${now}::timestamptz - interval '60 days'`.execute(tx)
  const { rows } = await sql`
    insert into post_alert (workspace_id, channel_id, kind, issue_number, note, found_at)
    select ${workspaceId}::uuid, ${channelId}::uuid, kind, number, note, ${now}::timestamptz
    from unnest(${alerts.map((one) => one.kind)}::text[], ${alerts.map((one) => one.issueNumber)}::int[],
      ${alerts.map((one) => one.note)}::text[]) as found (kind, number, note)
    where not exists (select from post_alert before where before.workspace_id = ${workspaceId}
      and before.channel_id = ${channelId} and before.kind = found.kind and before.issue_number = found.number
      and before.found_at > ${now}::timestamptz - make_interval(days => ${AGAIN_DAYS}))
    returning id`.execute(tx)
  return rows.length > 0
}

/** When the next message with alerts may be posted: an hour after the last one was due, so that many come together. */
export async function nextAlertPostAt(tx: Tx, workspaceId: string, channelId: string, now: Date): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`
    select greatest(${now}::timestamptz, max(created_at) + interval '1 hour') as at from post
    where workspace_id = ${workspaceId} and channel_id = ${channelId} and kind = 'alert'`.execute(tx)
  return rows[0]?.at ?? now
}

/** Puts a channel's alerts that are in no message yet into this one, and returns all that it has. */
export async function takeChannelAlerts(
  tx: Tx,
  workspaceId: string,
  channelId: string,
  postId: string,
): Promise<Alert[]> {
  await sql`
    update post_alert set post_id = ${postId} where workspace_id = ${workspaceId} and channel_id = ${channelId}
      and post_id is null`.execute(tx)
  const { rows } = await sql<Alert>`
    select kind, issue_number as "issueNumber", note from post_alert
    where workspace_id = ${workspaceId} and channel_id = ${channelId} and post_id = ${postId}
    order by found_at, issue_number`.execute(tx)
  return rows
}

/** Takes alerts out of a message that was given up, so that the next one has them. */
export async function releaseChannelAlerts(tx: Tx, workspaceId: string, postId: string): Promise<void> {
  await sql`update post_alert set post_id = null where workspace_id = ${workspaceId} and post_id = ${postId}`.execute(
    tx,
  )
}
