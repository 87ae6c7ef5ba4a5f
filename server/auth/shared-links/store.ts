import { sql } from 'kysely'
import { type AccountTx, switchWorkspace } from '../../platform/db/tenant.ts'

/** What a link shows, an insight or a view, and what it conceals. */
export type LinkTarget = {
  issueNumber: number | null
  viewId: string | null
  hideNames: boolean
  hideQuotes: boolean
}

/** A stored link. `madeBy`: the e-mail address of the member who made it. */
export type LinkRow = LinkTarget & {
  id: string
  accountId: string
  madeBy: string
  createdAt: Date
  expiresAt: Date
}

const columns = sql`
  link.id, link.account_id as "accountId", link.issue_number as "issueNumber", link.view_id as "viewId",
  link.hide_names as "hideNames", link.hide_quotes as "hideQuotes", account.email as "madeBy", link.created_at as "createdAt", link.expires_at as "expiresAt"`

/** The links of a workspace, the newest first. */
export async function linksOfWorkspace(tx: AccountTx, workspaceId: string): Promise<LinkRow[]> {
  const { rows } = await sql<LinkRow>`
    select ${columns} from shared_link link join account on account.id = link.account_id
    where link.workspace_id = ${workspaceId} order by link.created_at desc, link.id`.execute(tx)
  return rows
}

/** Stores a link and returns its id; null when the workspace has `max` already. One transaction at a time counts and adds. */
export async function insertLink(
  tx: AccountTx,
  workspaceId: string,
  link: LinkTarget & Pick<LinkRow, 'accountId' | 'createdAt' | 'expiresAt'> & { tokenHash: Buffer },
  max: number,
): Promise<string | null> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`shared links ${workspaceId}`}, 0))`.execute(tx)
  const { rows } = await sql<{ id: string }>`
    insert into shared_link (workspace_id, account_id, token_hash, issue_number, view_id, hide_names, hide_quotes, created_at, expires_at)
    select ${workspaceId}, ${link.accountId}, ${link.tokenHash}, ${link.issueNumber}::int, ${link.viewId}::uuid, ${link.hideNames},
      ${link.hideQuotes}, ${link.createdAt}::timestamptz, ${link.expiresAt}::timestamptz
    where (select count(*) from shared_link where workspace_id = ${workspaceId}) < ${max}
    returning id`.execute(tx)
  return rows[0]?.id ?? null
}

/** Deletes a link and returns what it was; null when there is none. */
export async function deleteLink(
  tx: AccountTx,
  workspaceId: string,
  id: string,
): Promise<Pick<LinkRow, 'accountId' | 'issueNumber' | 'viewId'> | null> {
  const { rows } = await sql<Pick<LinkRow, 'accountId' | 'issueNumber' | 'viewId'>>`
    delete from shared_link where workspace_id = ${workspaceId} and id = ${id}
    returning account_id as "accountId", issue_number as "issueNumber", view_id as "viewId"`.execute(tx)
  return rows[0] ?? null
}

/** Deletes the links of a workspace that expired before a time. */
export async function deleteExpiredLinks(tx: AccountTx, workspaceId: string, before: Date): Promise<void> {
  await sql`delete from shared_link where workspace_id = ${workspaceId} and expires_at < ${before}`.execute(tx)
}

/**
 * The link with this hash, unless it expired or the account that made it is banned; the transaction is of its workspace from then on. Null: no
 * such link.
 */
export async function enterByLink(
  tx: AccountTx,
  tokenHash: Buffer,
  at: Date,
): Promise<(LinkRow & { workspaceId: string }) | null> {
  await sql`select set_config('groundswell.shared_link', ${tokenHash.toString('hex')}, true)`.execute(tx)
  const { rows } = await sql<LinkRow & { workspaceId: string }>`
    select ${columns}, link.workspace_id as "workspaceId"
    from shared_link link join account on account.id = link.account_id
    where link.token_hash = ${tokenHash} and link.expires_at > ${at}
      and (account.banned_until is null or account.banned_until <= ${at})`.execute(tx)
  const found = rows[0] ?? null
  if (found) await switchWorkspace(tx, found.workspaceId)
  return found
}

/** Deletes all links that an account made, in every workspace. The transaction may be of another account, or of none. */
export async function deleteLinksOfAccount(tx: AccountTx, accountId: string): Promise<void> {
  const { rows } = await sql<{ before: string | null }>`
    select current_setting('groundswell.account', true) as before`.execute(tx)
  await sql`select set_config('groundswell.account', ${accountId}, true)`.execute(tx)
  await sql`delete from shared_link where account_id = ${accountId}`.execute(tx)
  await sql`select set_config('groundswell.account', ${rows[0]?.before ?? ''}, true)`.execute(tx)
}
