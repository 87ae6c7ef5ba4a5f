import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'

/** The channel on which every process hears what access tokens are no longer worth: `<kind>:<id>:<ms>`, or `keys`. */
export const NOTICE_CHANNEL = 'token_notice'

/** Access tokens that are not to be believed: all of a session, or an account's from before `at`. */
export type Notice = { subject: string; kind: 'session' | 'account'; at: Date }

/** Ends the access tokens of sessions, in every process as soon as the transaction is committed. */
export function announceEndedSessions(tx: Tx, sessionIds: readonly string[], at: Date): Promise<void> {
  return insertNotices(tx, 'session', sessionIds, at)
}

/**
 * Says that an account changed, or is gone: what access tokens say of it is read anew, in every process as soon as the
 * transaction is committed.
 */
export function announceChangedAccount(tx: Tx, accountId: string, at: Date): Promise<void> {
  return insertNotices(tx, 'account', [accountId], at)
}

/** Tells every process when the transaction is committed. */
export async function notifyProcesses(tx: Tx, message: string): Promise<void> {
  await sql`select pg_notify(${NOTICE_CHANNEL}, ${message})`.execute(tx)
}

/** The notices since that time. */
export async function noticesSince(tx: Tx, since: Date): Promise<Notice[]> {
  const { rows } = await sql<Notice>`select subject, kind, at from token_notice where at > ${since}`.execute(tx)
  return rows
}

/** Removes the notices from before that time, when every token they were about has expired. */
export async function deleteNotices(tx: Tx, before: Date): Promise<void> {
  await sql`delete from token_notice where at < ${before}`.execute(tx)
}

async function insertNotices(tx: Tx, kind: Notice['kind'], subjects: readonly string[], at: Date): Promise<void> {
  if (subjects.length === 0) return
  await sql`
    insert into token_notice (subject, kind, at)
    select unnest(${subjects}::uuid[]), ${kind}, ${at}
    on conflict (subject) do update set at = greatest(token_notice.at, excluded.at)`.execute(tx)
  await sql`
    select pg_notify(${NOTICE_CHANNEL}, ${kind} || ':' || subject || ':' || ${String(at.getTime())})
    from unnest(${subjects}::uuid[]) subject`.execute(tx)
}
