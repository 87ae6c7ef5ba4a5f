import type { DigestChoice, DigestMail } from '@groundswell/contract/digests.ts'
import { sql } from 'kysely'
import { switchWorkspace, type Tx } from '../../platform/db/tenant.ts'
import { setWantsMails } from '../workspaces/index.ts'
import { forgetAlerts } from './alert-store.ts'
import { forgetNotices } from './notice-store.ts'

/** What a person chose. `coveredUntil`: earlier events are not in future digests. */
export type ChoiceRow = DigestChoice & {
  accountId: string
  coveredUntil: Date
  nextAt: Date | null
  /** Earlier events cause no alert; null: alerts are off. */
  alertsSince: Date | null
}

/** A mail whose outcome is open. */
export type MailRow = { id: string; accountId: string; kind: DigestMail['kind']; since: Date; tries: number }

const KEPT_DAYS = 400

const choiceColumns = sql`account_id as "accountId", frequency, weekday, hour, time_zone,
  jsonb_build_object('spike', alert_spike, 'regression', alert_regression, 'themes', watched_themes,
    'customers', watched_customers) as alerts,
  case when quiet_from is not null then jsonb_build_object('from', quiet_from, 'until', quiet_until) end as quiet,
  covered_until as "coveredUntil", next_at as "nextAt", alerts_since as "alertsSince"`
const mailColumns = sql`id, account_id as "accountId", kind, since, tries`

/** Nobody recorded the outcome of an attempt in time: the process that made it is gone. */
const isLost = (now: Date) => sql`(state = 'sending' and due_at <= ${now})`
const LOST_ERROR = 'the server stopped while it was being sent'

/** Workspaces with a digest or another mail that is due, or one whose attempt did not end in time. */
export async function workspacesWithDueMail(tx: Tx, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select workspaces_with_due_mail(${now}) as id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** What a person chose in a workspace; null: nothing yet. `lock`: until the transaction ends. */
export async function readChoice(
  tx: Tx,
  workspaceId: string,
  accountId: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<ChoiceRow | null> {
  const { rows } = await sql<ChoiceRow>`
    select ${choiceColumns} from digest_choice where workspace_id = ${workspaceId} and account_id = ${accountId}
    ${lock ? sql`for update` : sql``}`.execute(tx)
  return rows[0] ?? null
}

/** Stores what a person chose. */
export async function writeChoice(
  tx: Tx,
  workspaceId: string,
  { accountId, frequency, weekday, hour, time_zone, alerts, quiet, coveredUntil, nextAt, alertsSince }: ChoiceRow,
): Promise<void> {
  await sql`
    insert into digest_choice (workspace_id, account_id, frequency, weekday, hour, time_zone, alert_spike, alert_regression,
      watched_themes, watched_customers, quiet_from, quiet_until, covered_until, next_at, alerts_since)
    values (${workspaceId}, ${accountId}, ${frequency}, ${weekday}, ${hour}, ${time_zone}, ${alerts.spike}, ${alerts.regression},
      ${alerts.themes}::int[], ${alerts.customers ?? []}::uuid[], ${quiet?.from ?? null}::int, ${quiet?.until ?? null}::int, ${coveredUntil}, ${nextAt}::timestamptz,
      ${alertsSince}::timestamptz)
    on conflict (workspace_id, account_id) do update
    set frequency = excluded.frequency, weekday = excluded.weekday, hour = excluded.hour, time_zone = excluded.time_zone,
      alert_spike = excluded.alert_spike, alert_regression = excluded.alert_regression, watched_themes = excluded.watched_themes,
      watched_customers = excluded.watched_customers,
      quiet_from = excluded.quiet_from, quiet_until = excluded.quiet_until, covered_until = excluded.covered_until,
      next_at = excluded.next_at, alerts_since = excluded.alerts_since`.execute(tx)
}

/** Choices whose digest is due, locked until the transaction ends. */
export async function lockDueChoices(tx: Tx, workspaceId: string, now: Date): Promise<ChoiceRow[]> {
  const { rows } = await sql<ChoiceRow>`
    select ${choiceColumns} from digest_choice where workspace_id = ${workspaceId} and next_at <= ${now}
    order by account_id for update skip locked`.execute(tx)
  return rows
}

/** Notes when the next digest is due, or what the latest covers. */
export async function moveChoice(
  tx: Tx,
  workspaceId: string,
  accountId: string,
  { nextAt, coveredUntil }: { nextAt?: Date | null; coveredUntil?: Date },
): Promise<void> {
  await sql`
    update digest_choice set
      next_at = ${nextAt === undefined ? sql`next_at` : sql`${nextAt}::timestamptz`},
      covered_until = ${coveredUntil === undefined ? sql`covered_until` : sql`${coveredUntil}::timestamptz`}
    where workspace_id = ${workspaceId} and account_id = ${accountId}`.execute(tx)
}

/** Adds a mail, unless one of its kind is still waiting; deletes those from more than a year ago. */
export async function addMail(
  tx: Tx,
  workspaceId: string,
  { accountId, kind, since }: Pick<MailRow, 'accountId' | 'kind' | 'since'>,
  now: Date,
  dueAt = now,
): Promise<void> {
  await sql`
    delete from digest_mail where workspace_id = ${workspaceId} and account_id = ${accountId}
      and created_at < ${now}::timestamptz - make_interval(days => ${KEPT_DAYS})`.execute(tx)
  await sql`
    insert into digest_mail (workspace_id, account_id, kind, since, state, due_at, created_at)
    select ${workspaceId}::uuid, ${accountId}::uuid, ${kind}, ${since}::timestamptz, 'waiting', ${dueAt}::timestamptz, ${now}::timestamptz
    where not exists (select from digest_mail where workspace_id = ${workspaceId} and account_id = ${accountId}
      and kind = ${kind} and state = 'waiting')`.execute(tx)
}

/** Gives up on attempts whose outcome nobody recorded in time. */
export async function endLostAttempts(tx: Tx, workspaceId: string, now: Date): Promise<void> {
  await sql`
    update digest_mail set state = 'uncertain', due_at = null, error = ${LOST_ERROR}
    where workspace_id = ${workspaceId} and ${isLost(now)}`.execute(tx)
}

/** A mail that is due, locked until the transaction ends; null when there is none. */
export async function lockDueMail(tx: Tx, workspaceId: string, now: Date): Promise<MailRow | null> {
  const { rows } = await sql<MailRow>`
    select ${mailColumns} from digest_mail where workspace_id = ${workspaceId} and state = 'waiting' and due_at <= ${now}
    order by due_at, id limit 1 for update skip locked`.execute(tx)
  return rows[0] ?? null
}

/** Records that an attempt is about to be made. Once this is committed, nobody else sends the mail. */
export async function claimMail(
  tx: Tx,
  workspaceId: string,
  id: string,
  { unsubscribeHash, lostAt }: { unsubscribeHash: Buffer; lostAt: Date },
): Promise<void> {
  await sql`
    update digest_mail set state = 'sending', tries = tries + 1, due_at = ${lostAt}, unsubscribe_hash = ${unsubscribeHash}, error = null
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx)
}

/** Records the outcome of a mail. With `dueAt` another attempt is made then. */
export async function settleMail(
  tx: Tx,
  workspaceId: string,
  id: string,
  { state, error = null, dueAt = null }: { state: DigestMail['state']; error?: string | null; dueAt?: Date | null },
): Promise<void> {
  await sql`
    update digest_mail set state = ${state}, error = ${error}, due_at = ${dueAt}::timestamptz
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx)
}

/** The mails of a person that were due last, the latest first. A lost attempt is known as such before a sweep gives up on it. */
export async function readLatestMails(
  tx: Tx,
  workspaceId: string,
  accountId: string,
  { limit, now }: { limit: number; now: Date },
): Promise<(Omit<DigestMail, 'at'> & { at: Date })[]> {
  const { rows } = await sql<Omit<DigestMail, 'at'> & { at: Date }>`
    select id, kind, created_at as at, case when ${isLost(now)} then 'uncertain' else state end as state,
      case when ${isLost(now)} then ${LOST_ERROR} else error end as error from digest_mail
    where workspace_id = ${workspaceId} and account_id = ${accountId} order by created_at desc, id limit ${limit}`.execute(
    tx,
  )
  return rows
}

/** The mail whose link to unsubscribe has this token; the transaction is of its workspace from then on. Null: there is none. */
export async function enterByUnsubscribe(
  tx: Tx,
  hash: Buffer,
): Promise<{ workspaceId: string; accountId: string; kind: DigestMail['kind'] } | null> {
  await sql`select set_config('groundswell.unsubscribe', ${hash.toString('hex')}, true)`.execute(tx)
  const { rows } = await sql<{ workspaceId: string; accountId: string; kind: DigestMail['kind'] }>`
    select workspace_id as "workspaceId", account_id as "accountId", kind from digest_mail
    where unsubscribe_hash = ${hash}`.execute(tx)
  const found = rows[0] ?? null
  if (found) await switchWorkspace(tx, found.workspaceId)
  return found
}

/** Ends a person's mails of a kind, including one that waits. */
export async function stopMails(
  tx: Tx,
  workspaceId: string,
  accountId: string,
  kind: DigestMail['kind'],
): Promise<void> {
  await sql`
    delete from digest_mail where workspace_id = ${workspaceId} and account_id = ${accountId} and kind = ${kind}
      and state = 'waiting'`.execute(tx)
  if (kind === 'notice') {
    await forgetNotices(tx, workspaceId, accountId)
    return setWantsMails(tx, workspaceId, accountId, false)
  }
  if (kind === 'alert') await forgetAlerts(tx, workspaceId, accountId)
  await sql`
    update digest_choice set ${
      kind === 'digest'
        ? sql`frequency = 'off', next_at = null`
        : sql`alert_spike = false, alert_regression = false, watched_themes = '{}', watched_customers = '{}', alerts_since = null`
    }
    where workspace_id = ${workspaceId} and account_id = ${accountId}`.execute(tx)
}
