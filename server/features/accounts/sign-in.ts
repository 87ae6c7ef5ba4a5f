import { inAccount, withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { type AccountRow, findAccount } from './account/store.ts'
import { recordAudit } from './audit/record-audit.ts'
import { checkPassword } from './passwords/hash.ts'
import { type From, type IssuedSession, issueSession } from './sessions/issue-session.ts'
import { hasSignedInFrom } from './sessions/store.ts'
import { limits } from './throttle/limits.ts'

/** Why a password did not sign anybody in. `wrong` also stands for an e-mail address that is unknown. */
export type SignInRefusal = 'wrong' | 'banned' | 'unconfirmed'

/**
 * Signs in by e-mail address and password. Takes as long for an unknown address as for a wrong password. Throws
 * `too_many_requests` for who guesses: wrong tries count for the account and address together, for the address, and for the
 * account from addresses that never signed in to it, so that nobody can shut the owner out of an address they use.
 */
export async function signInByPassword(
  services: Services,
  given: { email: string; password: string },
  request: From,
): Promise<{ account: AccountRow; session: IssuedSession } | SignInRefusal> {
  const at = services.now()
  const email = given.email.trim().toLowerCase()
  const pair = `${email} ${request.address}`
  const { login, login_address, login_account } = limits(services)
  login.check(pair, at.getTime())
  login_address.check(request.address, at.getTime())
  const account = await withoutWorkspace(services.db, (tx) => findAccount(tx, email))
  if (login_account.isSpent(email, at.getTime())) {
    const known =
      account && (await withoutWorkspace(services.db, (tx) => hasSignedInFrom(tx, account.id, request.address)))
    if (!known) login_account.check(email, at.getTime())
  }
  const right = await checkPassword(account?.passwordHash ?? null, given.password)
  if (!account || !right) {
    login.count(pair, at.getTime())
    login_address.count(request.address, at.getTime())
    login_account.count(email, at.getTime())
    await refused(services, account, request, account ? 'wrong password' : 'unknown address')
    return 'wrong'
  }
  login.clear(pair)
  if (account.bannedUntil !== null && account.bannedUntil > at) {
    await refused(services, account, request, 'banned')
    return 'banned'
  }
  if (services.config.authAutoconfirm === false && account.emailConfirmedAt === null) {
    await refused(services, account, request, 'unconfirmed')
    return 'unconfirmed'
  }
  const session = await inAccount(services.db, account.id, async (tx) => {
    const issued = await issueSession(services, tx, account.id, { methods: ['password'], request })
    await recordAudit(tx, {
      action: 'session.started',
      at,
      actorId: account.id,
      accountId: account.id,
      request,
      detail: { method: 'password', session_id: issued.sessionId },
    })
    return issued
  })
  return { account, session }
}

/** What was typed is not written down: people type their password in the wrong field. */
function refused(services: Services, account: AccountRow | null, request: From, why: string): Promise<void> {
  return withoutWorkspace(services.db, (tx) =>
    recordAudit(tx, {
      action: 'session.refused',
      at: services.now(),
      actorId: null,
      accountId: account?.id ?? null,
      request,
      detail: { why },
    }),
  )
}
