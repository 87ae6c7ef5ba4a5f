import { sql } from 'kysely'
import type { Tx } from '../../platform/db/tenant.ts'
import { members } from '../workspaces/index.ts'

/** What a person gets a mail about: that something was assigned to them, or that a comment mentions them. `madeBy`: the account that did it. */
export type Notice = {
  kind: 'assigned' | 'mentioned'
  issueNumber: number
  commentId: string | null
  madeBy: string
}

const KEPT_DAYS = 60

/** Adds notices for people who want mails about themselves, and forgets old ones. Returns the accounts that have a new notice, each once. */
export async function addNotices(
  tx: Tx,
  workspaceId: string,
  notices: readonly (Notice & { accountId: string })[],
  now: Date,
): Promise<string[]> {
  await sql`
    delete from notice_item where workspace_id = ${workspaceId}
      and account_id = any(${notices.map((one) => one.accountId)}::uuid[])
      and found_at < ${now}::timestamptz - make_interval(days => ${KEPT_DAYS})`.execute(tx)
  const { rows } = await sql<{ accountId: string }>`
    insert into notice_item (workspace_id, account_id, kind, issue_number, comment_id, made_by, found_at)
    select ${workspaceId}::uuid, found.account_id, kind, number, comment_id, made_by, ${now}::timestamptz
    from unnest(${notices.map((one) => one.accountId)}::uuid[], ${notices.map((one) => one.kind)}::text[],
      ${notices.map((one) => one.issueNumber)}::int[], ${notices.map((one) => one.commentId)}::uuid[],
      ${notices.map((one) => one.madeBy)}::uuid[]) as found (account_id, kind, number, comment_id, made_by)
    join ${members} m on m.workspace_id = ${workspaceId} and m.account_id = found.account_id and m.mails_about_me
    where not exists (select from notice_item before where before.workspace_id = ${workspaceId}
      and before.account_id = found.account_id and before.comment_id = found.comment_id)
    returning account_id as "accountId"`.execute(tx)
  return [...new Set(rows.map(({ accountId }) => accountId))]
}

/** Puts a person's notices that are in no mail yet into this one, and returns all that it has, the oldest first. */
export async function takeNotices(tx: Tx, workspaceId: string, accountId: string, mailId: string): Promise<Notice[]> {
  await sql`
    update notice_item set mail_id = ${mailId} where workspace_id = ${workspaceId} and account_id = ${accountId}
      and mail_id is null`.execute(tx)
  const { rows } = await sql<Notice>`
    select kind, issue_number as "issueNumber", comment_id as "commentId", made_by as "madeBy" from notice_item
    where workspace_id = ${workspaceId} and account_id = ${accountId} and mail_id = ${mailId}
    order by found_at, issue_number, id`.execute(tx)
  return rows
}

/** Takes notices out of a mail that was given up, so that the next one has them. */
export async function releaseNotices(tx: Tx, workspaceId: string, mailId: string): Promise<void> {
  await sql`update notice_item set mail_id = null where workspace_id = ${workspaceId} and mail_id = ${mailId}`.execute(
    tx,
  )
}

/** Forgets a person's notices that are in no mail yet. */
export async function forgetNotices(tx: Tx, workspaceId: string, accountId: string): Promise<void> {
  await sql`
    delete from notice_item where workspace_id = ${workspaceId} and account_id = ${accountId} and mail_id is null`.execute(
    tx,
  )
}
