import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import type { Tx } from '../../platform/db/tenant.ts'
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

/** What goes into a mail: the token of its link, and a code of six digits to type instead. */
export type MailedToken = { token: string; code: string }

/** A token that was used up: whose it was, what for, and where it had been sent. */
export type UsedToken = Pick<OneTimeRow, 'accountId' | 'kind' | 'email' | 'codeChallenge' | 'signUp'>

/** How long a mailed token is good for. */
const ONE_TIME_MS = 10 * 60_000

const MAX_FAILURES = 5
/** By this the client tells links that end in a code to exchange. */
const CODE_PREFIX = 'pkce_'

/**
 * Makes a token for ten minutes. Others of the same kind and account stay valid, so that nobody can break a link that is on its
 * way by asking for another; the first one that is used ends them all. How many there are is limited by who sends mail.
 */
export async function makeOneTime(
  services: Pick<Services, 'key' | 'now'>,
  tx: Tx,
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

/** Uses up the token of a link. Null for one that is unknown, used, run out or of another kind. */
export async function useToken(
  services: Pick<Services, 'now'>,
  tx: Tx,
  token: string,
  kinds: readonly TokenKind[],
): Promise<UsedToken | null> {
  const row = await lockByToken(tx, hashToken(token))
  if (!row || !kinds.includes(row.kind) || row.expiresAt <= services.now()) return null
  await deleteOneTime(tx, row.accountId, row.kind)
  return row
}

/** Uses up a code that was sent to an e-mail address. A token whose code was typed wrong five times takes no code any more. */
export async function useCode(
  services: Pick<Services, 'key' | 'now'>,
  tx: Tx,
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

/** Six digits are soon tried out by who reads the table, so they are hashed with the key of the installation. */
function hashCode({ key }: Pick<Services, 'key'>, accountId: string, kind: TokenKind, code: string): Buffer {
  return createHmac('sha256', key.bytes).update(`one-time code ${accountId} ${kind} ${code}`).digest()
}
