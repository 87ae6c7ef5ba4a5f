import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import type { Tx } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { hashToken, makeToken } from '../sessions/opaque-token.ts'
import {
  countFailure,
  deleteOneTime,
  lockByEmail,
  lockByToken,
  type OneTimeRow,
  putOneTime,
  type TokenKind,
} from './store.ts'

/** What goes into a mail: the token of its link, and a code of six digits to type instead. */
export type MailedToken = { token: string; code: string }

/** A token that was used up: whose it was, what for, and where it had been sent. */
export type UsedToken = Pick<OneTimeRow, 'accountId' | 'kind' | 'email' | 'codeChallenge'>

/** How long a mailed token is good for. */
const ONE_TIME_MS = 10 * 60_000

const MOST_FAILURES = 5
/** By this the client tells links that end in a code to exchange. */
const CODE_PREFIX = 'pkce_'

/** Makes a token for ten minutes. Any other of the same kind and account is worth nothing from then on. */
export async function makeOneTime(
  services: Pick<Services, 'key' | 'now'>,
  tx: Tx,
  given: { accountId: string; kind: TokenKind; email: string; codeChallenge?: string | null },
): Promise<MailedToken> {
  const at = services.now()
  const { accountId, kind, email, codeChallenge = null } = given
  const token = `${codeChallenge === null ? '' : CODE_PREFIX}${makeToken().token}`
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const codeHash = hashCode(services, accountId, kind, code)
  const expiresAt = new Date(at.getTime() + ONE_TIME_MS)
  await putOneTime(tx, { accountId, kind, tokenHash: hashToken(token), codeHash, email, codeChallenge, expiresAt }, at)
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

/** Uses up a code that was sent to an e-mail address. After five wrong ones the token is worth nothing. */
export async function useCode(
  services: Pick<Services, 'key' | 'now'>,
  tx: Tx,
  email: string,
  code: string,
  kinds: readonly TokenKind[],
): Promise<UsedToken | null> {
  const rows = await lockByEmail(tx, email, kinds)
  for (const row of rows) {
    if (row.expiresAt <= services.now() || row.failures >= MOST_FAILURES) continue
    if (timingSafeEqual(row.codeHash, hashCode(services, row.accountId, row.kind, code))) {
      await deleteOneTime(tx, row.accountId, row.kind)
      return row
    }
    await countFailure(tx, row)
  }
  return null
}

/** Six digits are soon tried out by who reads the table, so they are hashed with the key of the installation. */
function hashCode({ key }: Pick<Services, 'key'>, accountId: string, kind: TokenKind, code: string): Buffer {
  return createHmac('sha256', key.bytes).update(`one-time code ${accountId} ${kind} ${code}`).digest()
}
