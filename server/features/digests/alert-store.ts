import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

/** What an alert is about. */
export type AlertKind = 'spike' | 'regression' | 'theme' | 'customer'

/** An alert for a person. */
export type Alert = { kind: AlertKind; issueNumber: number; note: string }

const AGAIN_DAYS = 7
const HOUR_APART = sql`interval '1 hour'`

/** Workspaces with people who want alerts, in which something changed since that sweep found nothing to do. */
export async function workspacesToAlertPeople(tx: Tx, sweep: string, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select workspaces_to_alert_people(${sweep}, ${now}) as id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** The people of a workspace who want alerts. */
export async function readAlerted(tx: Tx, workspaceId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select account_id as id from digest_choice where workspace_id = ${workspaceId} and alerts_since is not null
    order by account_id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Adds alerts that the person did not get within the last week, and deletes old ones. Returns whether there was anything. */
export async function addAlerts(
  tx: Tx,
  workspaceId: string,
  accountId: string,
  alerts: readonly Alert[],
  now: Date,
): Promise<boolean> {
  if (alerts.length === 0) return false
  await sql`
    delete from alert_item where workspace_id = ${workspaceId} and account_id = ${accountId}
      and found_at < ${now}::timestamptz - interval '60 days'`.execute(tx)
  const { rows } = await sql`
    insert into alert_item (workspace_id, account_id, kind, issue_number, note, found_at)
    select ${workspaceId}::uuid, ${accountId}::uuid, kind, number, note, ${now}::timestamptz
    from unnest(${alerts.map((one) => one.kind)}::text[], ${alerts.map((one) => one.issueNumber)}::int[],
      ${alerts.map((one) => one.note)}::text[]) as found (kind, number, note)
    where not exists (select from alert_item before where before.workspace_id = ${workspaceId}
      and before.account_id = ${accountId} and before.kind = found.kind and before.issue_number = found.number
      and before.found_at > ${now}::timestamptz - make_interval(days => ${AGAIN_DAYS}))
    returning id`.execute(tx)
  return rows.length > 0
}

/** When the next mail with alerts may be sent: an hour after the last one was due, so that many come together. */
export async function nextAlertMailAt(tx: Tx, workspaceId: string, accountId: string, now: Date): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`
    select greatest(${now}::timestamptz, max(created_at) + ${HOUR_APART}) as at from digest_mail
    where workspace_id = ${workspaceId} and account_id = ${accountId} and kind = 'alert'`.execute(tx)
  return rows[0]?.at ?? now
}

/** Puts a person's alerts that are in no mail yet into this one, and returns all that it has. */
export async function takeAlerts(tx: Tx, workspaceId: string, accountId: string, mailId: string): Promise<Alert[]> {
  await sql`
    update alert_item set mail_id = ${mailId} where workspace_id = ${workspaceId} and account_id = ${accountId}
      and mail_id is null`.execute(tx)
  const { rows } = await sql<Alert>`
    select kind, issue_number as "issueNumber", note from alert_item
    where workspace_id = ${workspaceId} and account_id = ${accountId} and mail_id = ${mailId}
    order by found_at, issue_number`.execute(tx)
  return rows
}

/** Takes alerts out of a mail that was given up, so that the next one has them. */
export async function releaseAlerts(tx: Tx, workspaceId: string, mailId: string): Promise<void> {
  await sql`update alert_item set mail_id = null where workspace_id = ${workspaceId} and mail_id = ${mailId}`.execute(
    tx,
  )
}

/** Drops a person's alerts that have not been sent. */
export async function forgetAlerts(tx: Tx, workspaceId: string, accountId: string): Promise<void> {
  await sql`
    delete from alert_item where workspace_id = ${workspaceId} and account_id = ${accountId} and mail_id is null`.execute(
    tx,
  )
}
