import { errorCode } from '../../../platform/db/retry.ts'
import { inAccount, type Tx, withoutWorkspace } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { changeAccount, lockAccount } from '../account/store.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { sendMail } from '../mail/mailer.ts'
import { noticeMessage } from '../mail/messages.ts'
import { type From, type IssuedSession, issueSession } from '../sessions/issue-session.ts'
import { knownTokens } from '../sessions/known-tokens.ts'
import { makeCode } from './code-flow.ts'
import { type UsedToken, useCode, useToken } from './one-time-token.ts'
import type { TokenKind } from './store.ts'

/** What a mail brought: the token of its link, or the code with the address it was sent to. */
export type Mailed = { token: string } | { email: string; code: string }

/** What using it up led to: a sign-in, or a code that the client exchanges for one. */
export type Redeemed = { kind: TokenKind; session: IssuedSession } | { kind: TokenKind; code: string }

/** Where it comes from. `redirectTo`: a browser followed the link and goes on there; null for who typed it at the client itself. */
export type Where = { request: From; redirectTo: string | null }

/** Why it led to nothing. */
export type RedeemRefusal = 'unknown' | 'banned' | 'taken'

const TAKEN = '23505'

/**
 * Uses up what a mail brought, once and within ten minutes. Whoever has it has the mailbox, so the address is confirmed by
 * it, or changed to the new one, and the person is signed in (not past a second factor).
 */
export async function redeemMailed(
  services: Services,
  mailed: Mailed,
  kinds: readonly TokenKind[],
  where: Where,
): Promise<Redeemed | RedeemRefusal> {
  // Counting a wrong code must outlast the refusal, so using up and signing in are two transactions.
  const used = await withoutWorkspace(services.db, (tx) =>
    'token' in mailed
      ? useToken(services, tx, mailed.token, kinds)
      : useCode(services, tx, mailed.email, mailed.code, kinds),
  )
  if (!used) return 'unknown'
  try {
    const result = await inAccount(services.db, used.accountId, (tx) => follow(services, tx, used, where))
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
  tx: Tx,
  used: UsedToken,
  { request, redirectTo }: Where,
): Promise<Redeemed | RedeemRefusal> {
  const { accountId, kind, email, codeChallenge } = used
  const at = services.now()
  const account = await lockAccount(tx, accountId)
  if (!account) return 'unknown'
  if (account.bannedUntil !== null && account.bannedUntil > at) return 'banned'
  const deed = { at, actorId: accountId, accountId, request }
  if (kind === 'email_change') {
    if (account.newEmail !== email) return 'unknown'
    await changeAccount(tx, accountId, { email, newEmail: null, emailConfirmedAt: at }, at)
    await recordAudit(tx, { ...deed, action: 'email.changed' })
  } else if (account.email !== email) {
    return 'unknown'
  } else if (account.emailConfirmedAt === null) {
    await changeAccount(tx, accountId, { emailConfirmedAt: at }, at)
    await recordAudit(tx, { ...deed, action: 'email.confirmed' })
  }
  const isFirst = account.lastSignInAt === null
  if (codeChallenge !== null && redirectTo !== null) {
    const flow = { accountId, provider: 'email', method: 'otp' as const, codeChallenge, redirectTo, isFirst }
    return { kind, code: await makeCode(services, tx, flow) }
  }
  const session = await issueSession(services, tx, accountId, { methods: ['otp'], request, isFirst })
  await recordAudit(tx, {
    ...deed,
    action: 'session.started',
    detail: { method: 'mail', session_id: session.sessionId },
  })
  return { kind, session }
}
