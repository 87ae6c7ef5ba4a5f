import type { Role } from '@groundswell/contract/values/role.ts'
import { sql } from 'kysely'
import { memberRole } from '../../features/workspaces/index.ts'
import type { AccountTx } from '../../platform/db/tenant.ts'
import { requiresSso } from '../sso/store.ts'
import { networkOf } from '../throttle/network.ts'
import type { AuthMethod } from './access-token.ts'
import { announceEndedSessions } from './notice-store.ts'

/** A stored session. */
export type SessionRow = {
  id: string
  accountId: string
  workspaceId: string
  aal: 'aal1' | 'aal2'
  amr: AuthMethod[]
  isFirst: boolean
  /** Made by the single sign-on of its workspace. */
  bySso: boolean
  userAgent: string | null
  address: string | null
  createdAt: Date
  lastUsedAt: Date
  idleUntil: Date
  expiresAt: Date
  endedAt: Date | null
}

/** A stored refresh token. Its successor is sealed with the token itself. */
export type RefreshTokenRow = {
  tokenHash: Buffer
  nextHash: Buffer | null
  sealedNext: string | null
  rotatedAt: Date | null
  revoked: boolean
}

/** What a session may do now: its account, where it acts, and as what. `role` is null when the account is no member there (any more). */
export type Standing = {
  workspaceId: string
  role: Role | null
  name: string
  email: string
  isAdmin: boolean
  aal: 'aal1' | 'aal2'
  hasSecondFactor: boolean
  /** The single sign-on of the workspace made the session, or is required there and did not. */
  sso: 'made' | 'required' | null
}

const session = sql`
  s.id, s.account_id as "accountId", s.workspace_id as "workspaceId", s.aal, s.amr, s.is_first as "isFirst", s.by_sso as "bySso",
  s.user_agent as "userAgent", s.address, s.created_at as "createdAt", s.last_used_at as "lastUsedAt",
  s.idle_until as "idleUntil", s.expires_at as "expiresAt", s.ended_at as "endedAt"`

/** Stores a new session and returns its id. */
export async function insertSession(
  tx: AccountTx,
  row: Omit<SessionRow, 'id' | 'lastUsedAt' | 'endedAt'>,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into session (account_id, workspace_id, aal, amr, is_first, by_sso, user_agent, address, created_at, last_used_at,
      idle_until, expires_at)
    values (${row.accountId}, ${row.workspaceId}, ${row.aal}, ${JSON.stringify(row.amr)}::jsonb, ${row.isFirst}, ${row.bySso},
      ${row.userAgent}, ${row.address}, ${row.createdAt}, ${row.createdAt}, ${row.idleUntil}, ${row.expiresAt})
    returning id`.execute(tx)
  const id = rows[0]?.id
  if (id === undefined) throw new Error('the new sign-in has no id')
  return id
}

/** A live session: neither ended nor expired. */
export async function findLiveSession(tx: AccountTx, id: string, at: Date): Promise<SessionRow | null> {
  const { rows } = await sql<SessionRow>`
    select ${session} from session s
    where s.id = ${id} and s.ended_at is null and s.idle_until > ${at} and s.expires_at > ${at}`.execute(tx)
  return rows[0] ?? null
}

/** The live sessions of an account, most recently used first. */
export async function liveSessions(tx: AccountTx, accountId: string, at: Date): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`
    select ${session} from session s
    where s.account_id = ${accountId} and s.ended_at is null and s.idle_until > ${at} and s.expires_at > ${at}
    order by s.last_used_at desc, s.id`.execute(tx)
  return rows
}

/** The session of a refresh token, live or not, locked until the transaction ends. */
export async function lockSessionOfToken(tx: AccountTx, tokenHash: Buffer): Promise<SessionRow | null> {
  const { rows } = await sql<SessionRow>`
    select ${session} from session s
    where s.id = (select session_id from refresh_token where token_hash = ${tokenHash}) for update`.execute(tx)
  return rows[0] ?? null
}

/** Records a renewal, which extends the session. */
export async function touchSession(
  tx: AccountTx,
  id: string,
  used: { at: Date; idleUntil: Date; userAgent: string | null; address: string | null },
): Promise<void> {
  await sql`
    update session set last_used_at = ${used.at}, idle_until = ${used.idleUntil}, user_agent = ${used.userAgent},
      address = ${used.address}
    where id = ${id}`.execute(tx)
}

/** Sets the level and methods of a session. */
export async function setLevel(
  tx: AccountTx,
  id: string,
  aal: 'aal1' | 'aal2',
  amr: readonly AuthMethod[],
): Promise<void> {
  await sql`update session set aal = ${aal}, amr = ${JSON.stringify(amr)}::jsonb where id = ${id}`.execute(tx)
}

/** Stores a refresh token as the active one of its session. */
export async function insertRefreshToken(tx: AccountTx, tokenHash: Buffer, sessionId: string, at: Date): Promise<void> {
  await sql`
    insert into refresh_token (token_hash, session_id, created_at)
    values (${tokenHash}, ${sessionId}, ${at})`.execute(tx)
}

/** A refresh token by its hash. */
export async function findRefreshToken(tx: AccountTx, tokenHash: Buffer): Promise<RefreshTokenRow | null> {
  const { rows } = await sql<RefreshTokenRow>`
    select token_hash as "tokenHash", next_hash as "nextHash", sealed_next as "sealedNext", rotated_at as "rotatedAt", revoked
    from refresh_token where token_hash = ${tokenHash}`.execute(tx)
  return rows[0] ?? null
}

/** Records the successor of a refresh token. */
export async function markRotated(
  tx: AccountTx,
  tokenHash: Buffer,
  next: { nextHash: Buffer; sealedNext: string; at: Date },
): Promise<void> {
  await sql`
    update refresh_token set next_hash = ${next.nextHash}, sealed_next = ${next.sealedNext}, rotated_at = ${next.at}
    where token_hash = ${tokenHash}`.execute(tx)
}

/** Revokes every refresh token of a session. */
export async function revokeRefreshTokens(tx: AccountTx, sessionId: string): Promise<void> {
  await sql`update refresh_token set revoked = true where session_id = ${sessionId} and not revoked`.execute(tx)
}

/**
 * Ends live sessions of an account, in every process when the transaction commits, and returns their ids. `which` narrows it:
 * one of them, all others, those of one level, those in one workspace, or those that single sign-on made. With all or all others, the sign-ins
 * and links that were started for the account end too. For sessions that people end themselves there is `endOwnSessions`.
 */
export async function endSessions(
  tx: AccountTx,
  accountId: string,
  at: Date,
  which: { only?: string; except?: string; aal?: 'aal1' | 'aal2'; workspaceId?: string; bySso?: true } = {},
): Promise<string[]> {
  const { only = null, except = null, aal = null, workspaceId = null, bySso = false } = which
  const { rows } = await sql<{ id: string }>`
    update session set ended_at = ${at}
    where account_id = ${accountId} and ended_at is null
      and (${only}::uuid is null or id = ${only}) and (${except}::uuid is null or id <> ${except})
      and (${aal}::text is null or aal = ${aal})
      and (${workspaceId}::uuid is null or workspace_id = ${workspaceId})
      and (by_sso or not ${bySso})
    returning id`.execute(tx)
  const ids = rows.map((row) => row.id)
  await announceEndedSessions(tx, ids, at)
  if (only === null && workspaceId === null && !bySso) {
    await sql`delete from flow_state where account_id = ${accountId}`.execute(tx)
  }
  return ids
}

/** Moves a session to another workspace of its account. Announce the account, so that no process uses what it knew of the session. */
export async function moveSession(tx: AccountTx, id: string, accountId: string, workspaceId: string): Promise<void> {
  await sql`
    update session set workspace_id = ${workspaceId} where id = ${id} and account_id = ${accountId} and ended_at is null`.execute(
    tx,
  )
}

/** What a live session may do; null when it has ended or the account is deleted or banned. */
export async function findStanding(tx: AccountTx, sessionId: string, at: Date): Promise<Standing | null> {
  const { rows } = await sql<Standing>`
    select s.workspace_id as "workspaceId", ${memberRole(sql`s.workspace_id`, sql`s.account_id`)} as role,
      a.name, a.email, a.is_admin as "isAdmin", s.aal,
      case when s.by_sso then 'made' when ${requiresSso(sql`s.workspace_id`, sql`s.account_id`)} then 'required' end as sso,
      exists (select from factor f where f.account_id = a.id and f.status = 'verified') as "hasSecondFactor"
    from session s join account a on a.id = s.account_id
    where s.id = ${sessionId} and s.ended_at is null and (a.banned_until is null or a.banned_until <= ${at})`.execute(
    tx,
  )
  return rows[0] ?? null
}

/** True when an address of the same network has signed in to the account before. */
export async function hasSignedInFrom(tx: AccountTx, accountId: string, address: string): Promise<boolean> {
  const { rows } = await sql<{ address: string | null }>`
    select distinct address from session where account_id = ${accountId}`.execute(tx)
  const network = networkOf(address)
  return rows.some((row) => row.address !== null && networkOf(row.address) === network)
}

/** Deletes sessions that ended or expired before that time. */
export async function deleteOldSessions(tx: AccountTx, before: Date): Promise<void> {
  await sql`
    delete from session where ended_at < ${before} or idle_until < ${before} or expires_at < ${before}`.execute(tx)
}
