import { withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { type AccountRow, findAccount, lockAccount } from '../account/store.ts'
import { recordAudit } from '../record-audit.ts'
import { type IssuedSession, issueSession, type RequestOrigin } from '../sessions/issue-session.ts'
import { inSignIn } from '../sessions/sign-in-transaction.ts'
import { tryPassword } from './attempt.ts'

/** Why a sign-in by password was refused. `wrong` also stands for an unknown e-mail address. */
export type SignInRefusal = 'wrong' | 'banned' | 'unconfirmed'

/**
 * Signs in with e-mail address and password. Takes as long for an unknown address as for a wrong password. Throws
 * `too_many_requests` after too many attempts.
 */
export async function signInByPassword(
  services: Services,
  given: { email: string; password: string },
  request: RequestOrigin,
): Promise<{ account: AccountRow; session: IssuedSession } | SignInRefusal> {
  const at = services.now()
  const email = given.email.trim().toLowerCase()
  const account = await withoutWorkspace(services.db.accounts, (tx) => findAccount(tx, email))
  const right = await tryPassword(services, { email, account }, given.password, request.address)
  if (!account || !right) {
    await refused(services, account, request, account ? 'wrong password' : 'unknown address')
    return 'wrong'
  }
  if (account.bannedUntil !== null && account.bannedUntil > at) {
    await refused(services, account, request, 'banned')
    return 'banned'
  }
  if (services.config.authAutoconfirm === false && account.emailConfirmedAt === null) {
    await refused(services, account, request, 'unconfirmed')
    return 'unconfirmed'
  }
  const session = await inSignIn(services, { accountId: account.id }, async (tx) => {
    // While the password was being checked it may have changed, or the account may have been transferred to the owner of its
    // address.
    if ((await lockAccount(tx, account.id))?.passwordHash !== account.passwordHash) return null
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
  return session ? { account, session } : 'wrong'
}

/** What was entered is not recorded: people enter their password in the wrong field. */
function refused(services: Services, account: AccountRow | null, request: RequestOrigin, why: string): Promise<void> {
  return withoutWorkspace(services.db.accounts, (tx) =>
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
