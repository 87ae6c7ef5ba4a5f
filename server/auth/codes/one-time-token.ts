import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import type { AccountTx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { hashToken, makeToken } from '../sessions/opaque-token.ts'
import {
  countFailure,
  deleteOneTime,
  lockByEmail,
  lockByToken,
  type OneTimeRow,
  type PendingSignUp,
  putOneTime,
  type TokenKind,
} from './store.ts'

/** The contents of a mail: the token for its link, and a six-digit code to enter instead. */
export type MailedToken = { token: string; code: string }

/** A redeemed token: its account, purpose and recipient. */
export type UsedToken = Pick<OneTimeRow, 'accountId' | 'kind' | 'email' | 'codeChallenge' | 'signUp'>

/** How long a mailed token is valid. */
const ONE_TIME_MS = 10 * 60_000

const MAX_FAILURES = 5
/** The client recognizes links that lead to a code exchange by this prefix. */
const CODE_PREFIX = 'pkce_'

/**
 * Creates a token that is valid for ten minutes. Others of the same kind and account stay valid, so that no one can
 * invalidate a link by requesting another; using one invalidates them all. The mail limits bound their number.
 */
export async function makeOneTime(
  services: Pick<Services, 'key' | 'now'>,
  tx: AccountTx,
  given: {
    accountId: string
    kind: TokenKind
    email: string
    codeChallenge?: string | null
    signUp?: PendingSignUp | null
  },
): Promise<MailedToken> {
  const at = services.now()
  const { accountId, kind, email, codeChallenge = null, signUp = null } = given
  const token = `${codeChallenge === null ? '' : CODE_PREFIX}${makeToken().token}`
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const codeHash = hashCode(services, accountId, kind, code)
  const expiresAt = new Date(at.getTime() + ONE_TIME_MS)
  const row = { accountId, kind, tokenHash: hashToken(token), codeHash, email, codeChallenge, signUp, expiresAt }
  await putOneTime(tx, row, at)
  return { token, code }
}

/** Redeems the token of a link. Null when it is unknown, used, expired or of another kind. */
export async function useToken(
  services: Pick<Services, 'now'>,
  tx: AccountTx,
  token: string,
  kinds: readonly TokenKind[],
): Promise<UsedToken | null> {
  const row = await lockByToken(tx, hashToken(token))
  if (!row || !kinds.includes(row.kind) || row.expiresAt <= services.now()) return null
  await deleteOneTime(tx, row.accountId, row.kind)
  return row
}

/** Redeems a code that was sent to an e-mail address. After five wrong codes a token accepts no code. */
export async function useCode(
  services: Pick<Services, 'key' | 'now'>,
  tx: AccountTx,
  email: string,
  code: string,
  kinds: readonly TokenKind[],
): Promise<UsedToken | null> {
  const rows = await lockByEmail(tx, email, kinds)
  const missed: OneTimeRow[] = []
  for (const row of rows) {
    if (row.expiresAt <= services.now() || row.failures >= MAX_FAILURES) continue
    if (timingSafeEqual(row.codeHash, hashCode(services, row.accountId, row.kind, code))) {
      await deleteOneTime(tx, row.accountId, row.kind)
      return row
    }
    missed.push(row)
  }
  for (const row of missed) await countFailure(tx, row)
  return null
}

/** Six digits could be brute-forced by anyone who can read the table, so they are hashed with the installation's key. */
function hashCode({ key }: Pick<Services, 'key'>, accountId: string, kind: TokenKind, code: string): Buffer {
  return createHmac('sha256', key.bytes).update(`one-time code ${accountId} ${kind} ${code}`).digest()
}
