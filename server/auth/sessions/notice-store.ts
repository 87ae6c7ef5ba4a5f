import { sql } from 'kysely'
import type { AccountTx } from '../../platform/db/tenant.ts'
import { CLOCK_SKEW_MS } from './lifetimes.ts'

/** The channel that announces invalid access tokens to every process: `<kind>:<id>:<ms>`, or `keys`. */
export const NOTICE_CHANNEL = 'token_notice'

/** Access tokens that are not to be trusted: all of a session, or those of an account issued before `at`. */
export type Notice = { subject: string; kind: 'session' | 'account'; at: Date }

/** Invalidates the access tokens of sessions in every process when the transaction commits. */
export function announceEndedSessions(tx: AccountTx, sessionIds: readonly string[], at: Date): Promise<void> {
  return insertNotices(tx, 'session', sessionIds, at)
}

/**
 * Announces that an account changed or was deleted: every process reads it again for older access tokens once the transaction
 * commits.
 */
export function announceChangedAccount(tx: AccountTx, accountId: string, at: Date): Promise<void> {
  return insertNotices(tx, 'account', [accountId], at)
}

/**
 * The same, where what the account is in a workspace changed, or where its session acts. Tokens issued within the next half minute are read
 * again too: a sign-in may have read the role before this transaction commits, and other machines' clocks differ.
 */
export function announceChangedMember(tx: AccountTx, accountId: string, at: Date): Promise<void> {
  return announceChangedAccount(tx, accountId, new Date(at.getTime() + CLOCK_SKEW_MS))
}

/** Notifies every process when the transaction commits. */
export async function notifyProcesses(tx: AccountTx, message: string): Promise<void> {
  await sql`select pg_notify(${NOTICE_CHANNEL}, ${message})`.execute(tx)
}

/** The notices since a time. */
export async function noticesSince(tx: AccountTx, since: Date): Promise<Notice[]> {
  const { rows } = await sql<Notice>`select subject, kind, at from token_notice where at > ${since}`.execute(tx)
  return rows
}

/** Deletes the notices from before a time, when every token they concern has expired. */
export async function deleteNotices(tx: AccountTx, before: Date): Promise<void> {
  await sql`delete from token_notice where at < ${before}`.execute(tx)
}

async function insertNotices(
  tx: AccountTx,
  kind: Notice['kind'],
  subjects: readonly string[],
  at: Date,
): Promise<void> {
  if (subjects.length === 0) return
  await sql`
    insert into token_notice (subject, kind, at)
    select unnest(${subjects}::uuid[]), ${kind}, ${at}
    on conflict (subject) do update set at = greatest(token_notice.at, excluded.at)`.execute(tx)
  await sql`
    select pg_notify(${NOTICE_CHANNEL}, ${kind} || ':' || subject || ':' || ${String(at.getTime())})
    from unnest(${subjects}::uuid[]) subject`.execute(tx)
}
