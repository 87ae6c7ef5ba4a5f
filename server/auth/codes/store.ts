import { sql } from 'kysely'
import type { AccountTx } from '../../platform/db/tenant.ts'

/** The purpose of a mailed token. */
export type TokenKind = 'confirm' | 'recovery' | 'email_change' | 'reauthentication' | 'invite'

/** A sign-up that waits for its link. `passwordHash` is null when the person chooses a password afterwards. */
export type PendingSignUp = { name: string; passwordHash: string | null; userMetadata: Record<string, unknown> }

/** A stored mailed token. */
export type OneTimeRow = {
  accountId: string
  kind: TokenKind
  tokenHash: Buffer
  codeHash: Buffer
  email: string
  codeChallenge: string | null
  /** The sign-up that the link completes; null for the account's own. */
  signUp: PendingSignUp | null
  failures: number
  expiresAt: Date
}

/** A stored browser sign-in whose code the client has yet to exchange. */
export type CodeFlowRow = {
  id: string
  provider: string
  method: string
  codeChallenge: string
  accountId: string
  isFirst: boolean
  sealedProviderTokens: string | null
  expiresAt: Date
}

const columns = sql`
  account_id as "accountId", kind, token_hash as "tokenHash", code_hash as "codeHash", email,
  code_challenge as "codeChallenge", sign_up as "signUp", failures, expires_at as "expiresAt"`

/** Stores a token beside the others of its kind and account. */
export async function putOneTime(tx: AccountTx, row: Omit<OneTimeRow, 'failures'>, at: Date): Promise<void> {
  await sql`
    insert into one_time_token (account_id, kind, token_hash, code_hash, email, code_challenge, sign_up, created_at, expires_at)
    values (${row.accountId}, ${row.kind}, ${row.tokenHash}, ${row.codeHash}, ${row.email}, ${row.codeChallenge},
      ${row.signUp === null ? null : JSON.stringify(row.signUp)}::jsonb, ${at}, ${row.expiresAt})`.execute(tx)
}

/** The token of a link, locked until the transaction ends. */
export async function lockByToken(tx: AccountTx, tokenHash: Buffer): Promise<OneTimeRow | null> {
  const { rows } = await sql<OneTimeRow>`
    select ${columns} from one_time_token where token_hash = ${tokenHash} for update`.execute(tx)
  return rows[0] ?? null
}

/** The tokens of these kinds that were sent to an e-mail address, locked until the transaction ends. */
export async function lockByEmail(tx: AccountTx, email: string, kinds: readonly TokenKind[]): Promise<OneTimeRow[]> {
  const { rows } = await sql<OneTimeRow>`
    select ${columns} from one_time_token where email = ${email} and kind = any(${kinds}::text[])
    order by created_at desc, kind for update`.execute(tx)
  return rows
}

/** Counts a wrong code. */
export async function countFailure(tx: AccountTx, row: OneTimeRow): Promise<void> {
  await sql`
    update one_time_token set failures = failures + 1 where token_hash = ${row.tokenHash}`.execute(tx)
}

/** Deletes every token of a kind and account. */
export async function deleteOneTime(tx: AccountTx, accountId: string, kind: TokenKind): Promise<void> {
  await sql`delete from one_time_token where account_id = ${accountId} and kind = ${kind}`.execute(tx)
}

/** Stores a code that the client exchanges for a session. */
export async function insertCodeFlow(
  tx: AccountTx,
  row: CodeFlowRow & { codeHash: Buffer; redirectTo: string; at: Date },
): Promise<void> {
  await sql`
    insert into flow_state (id, provider, method, code_hash, code_challenge, redirect_to, account_id, is_first,
      sealed_provider_tokens, created_at, expires_at)
    values (${row.id}, ${row.provider}, ${row.method}, ${row.codeHash}, ${row.codeChallenge}, ${row.redirectTo}, ${row.accountId},
      ${row.isFirst}, ${row.sealedProviderTokens}, ${row.at}, ${row.expiresAt})`.execute(tx)
}

/** The flow that a code belongs to, locked until the transaction ends. */
export async function lockCodeFlow(tx: AccountTx, codeHash: Buffer): Promise<CodeFlowRow | null> {
  const { rows } = await sql<CodeFlowRow>`
    select id, provider, method, code_challenge as "codeChallenge", account_id as "accountId", is_first as "isFirst",
      sealed_provider_tokens as "sealedProviderTokens", expires_at as "expiresAt"
    from flow_state where code_hash = ${codeHash} for update`.execute(tx)
  return rows[0] ?? null
}

/** Deletes a used code. */
export async function deleteFlow(tx: AccountTx, id: string): Promise<void> {
  await sql`delete from flow_state where id = ${id}`.execute(tx)
}

/** Deletes tokens and flows that expired before that time. */
export async function deleteRunOut(tx: AccountTx, before: Date): Promise<void> {
  await sql`delete from one_time_token where expires_at < ${before}`.execute(tx)
  await sql`delete from flow_state where expires_at < ${before}`.execute(tx)
}
