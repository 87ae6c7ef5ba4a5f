import { errorCode } from '../../platform/db/retry.ts'
import { type AccountTx, withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { claimAddress, displaceAccount, reclaimAccount } from '../account/claim.ts'
import { type AccountRow, changeAccount, findAccount, lockAccount } from '../account/store.ts'
import { sendMail } from '../mail/mailer.ts'
import { noticeMessage } from '../mail/messages.ts'
import { recordAudit } from '../record-audit.ts'
import { type IssuedSession, issueSession, type RequestOrigin } from '../sessions/issue-session.ts'
import { knownTokens } from '../sessions/known-tokens.ts'
import { inSignIn } from '../sessions/sign-in-transaction.ts'
import { makeCode } from './code-flow.ts'
import { type UsedToken, useCode, useToken } from './one-time-token.ts'
import type { TokenKind } from './store.ts'

/** The token of a mailed link, or the mailed code with its recipient. */
export type Mailed = { token: string } | { email: string; code: string }

/** The result: a session, or a code that the client exchanges for one. */
export type Redeemed =
  | {
      kind: TokenKind
      session: IssuedSession
      /** A confirmed sign-up that has no password yet. */
      choosesPassword: boolean
    }
  | { kind: TokenKind; code: string }

/**
 * The origin of the request. `redirectTo`: where the browser that followed the link continues; null when the client submitted
 * the token or code itself.
 */
export type RedeemContext = { request: RequestOrigin; redirectTo: string | null }

/** Why a token or code was refused. */
export type RedeemRefusal = 'unknown' | 'banned' | 'taken'

const TAKEN = '23505'

/**
 * Redeems a mailed token or code, once and within ten minutes. It proves access to the mailbox: the address is confirmed or
 * changed, and the person is signed in (at aal1 only). Anyone who used the address before it was proven loses access, except
 * through the link of the sign-up that created the account.
 */
export async function redeemMailed(
  services: Services,
  mailed: Mailed,
  kinds: readonly TokenKind[],
  where: RedeemContext,
): Promise<Redeemed | RedeemRefusal> {
  // A wrong code must be counted even when it is refused, so redeeming and signing in are two transactions.
  const used = await withoutWorkspace(services.db.accounts, (tx) =>
    'token' in mailed
      ? useToken(services, tx, mailed.token, kinds)
      : useCode(services, tx, mailed.email, mailed.code, kinds),
  )
  if (!used) return 'unknown'
  try {
    const result = await inSignIn(services, { accountId: used.accountId }, (tx) => follow(services, tx, used, where))
    knownTokens(services).note('account', [used.accountId], services.now())
    if (typeof result === 'object' && used.kind === 'email_change') {
      sendMail(services, used.email, noticeMessage('The e-mail address of your account was changed to this one'))
    }
    return result
  } catch (error) {
    if (errorCode(error) === TAKEN) return 'taken'
    throw error
  }
}

async function follow(
  services: Services,
  tx: AccountTx,
  used: UsedToken,
  { request, redirectTo }: RedeemContext,
): Promise<Redeemed | RedeemRefusal> {
  const { accountId, kind, email } = used
  const at = services.now()
  const account = await lockAccount(tx, accountId)
  if (!account) return 'unknown'
  if (account.bannedUntil !== null && account.bannedUntil > at) return 'banned'
  const event = { at, actorId: accountId, accountId, request }
  if (kind === 'email_change') {
    if (account.newEmail !== email) return 'unknown'
    await freeAddress(tx, email, { at, request })
    const proven = { emailConfirmedAt: at, emailProvenAt: at, contested: false }
    await changeAccount(tx, accountId, { email, newEmail: null, ...proven }, at)
    await recordAudit(tx, { ...event, action: 'email.changed' })
  } else if (account.email !== email) {
    return 'unknown'
  }
  const ownerId = kind === 'email_change' ? accountId : await proveAddress(tx, account, used, { at, request })
  const isFirst = account.lastSignInAt === null || ownerId !== accountId
  return signIn(services, tx, ownerId, { used, request, redirectTo, isFirst })
}

/** Removes a proven address from an account that never proved it. Throws 23505 when another person has proven it. */
async function freeAddress(tx: AccountTx, email: string, by: { at: Date; request: RequestOrigin }): Promise<void> {
  const other = await findAccount(tx, email)
  const held = other && (await lockAccount(tx, other.id))
  if (held?.email === email && held.emailProvenAt === null) await displaceAccount(tx, held, by)
}

/** Records that the address is proven, and returns the id of the account that belongs to its owner. */
async function proveAddress(
  tx: AccountTx,
  account: AccountRow,
  { kind, signUp }: UsedToken,
  by: { at: Date; request: RequestOrigin },
): Promise<string> {
  const { id: accountId, emailConfirmedAt, emailProvenAt } = account
  const { at, request } = by
  const event = { at, actorId: accountId, accountId, request }
  if (emailProvenAt === null && kind === 'confirm' && signUp !== null) return claimAddress(tx, account, signUp, by)
  if (emailProvenAt === null && kind !== 'confirm') await reclaimAccount(tx, account, by)
  if (emailConfirmedAt !== null && emailProvenAt !== null) return accountId
  const proven = { emailConfirmedAt: emailConfirmedAt ?? at, emailProvenAt: at, contested: false }
  await changeAccount(tx, accountId, proven, at)
  await recordAudit(tx, { ...event, action: 'email.confirmed' })
  return accountId
}

async function signIn(
  services: Services,
  tx: AccountTx,
  accountId: string,
  { used, request, redirectTo, isFirst }: RedeemContext & { used: UsedToken; isFirst: boolean },
): Promise<Redeemed> {
  const { kind, codeChallenge } = used
  const at = services.now()
  if (codeChallenge !== null && redirectTo !== null) {
    const flow = { accountId, provider: 'email', method: 'otp' as const, codeChallenge, redirectTo, isFirst }
    return { kind, code: await makeCode(services, tx, flow) }
  }
  const session = await issueSession(services, tx, accountId, { methods: ['otp'], request, isFirst })
  const detail = { method: 'mail', session_id: session.sessionId }
  await recordAudit(tx, { action: 'session.started', at, actorId: accountId, accountId, request, detail })
  return { kind, session, choosesPassword: used.signUp !== null && used.signUp.passwordHash === null }
}
