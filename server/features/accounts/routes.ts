import { getUserData, type LoginReply, login, logout, signup } from '@groundswell/contract/accounts.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import { inWorkspace, withoutWorkspace } from '../../platform/db/tenant.ts'
import { type Handler, handle } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { userDataOf } from '../connections/index.ts'
import { readSettings } from '../settings/index.ts'
import { recordAudit } from './audit/record-audit.ts'
import { hostedRoutes } from './hosted/routes.ts'
import { exportRoute, myAccountRoutes } from './mine/routes.ts'
import { siteUrl } from './sessions/access-token.ts'
import { endOwnSessions } from './sessions/end-own-sessions.ts'
import type { IssuedSession } from './sessions/issue-session.ts'
import { knownTokens } from './sessions/known-tokens.ts'
import { findLiveSession } from './sessions/store.ts'
import { signInByPassword } from './sign-in.ts'
import { signUp } from './sign-up.ts'

/** The calls of accounts under /api. Those under /auth/v1 speak a protocol of their own. */
export function accountRoutes(services: Services): Handler[] {
  if (services.config.hostedAuth) {
    return [...hostedRoutes(services), userDataRoute(services), exportRoute(services)]
  }
  return [
    loginRoute(services),
    signupRoute(services),
    logoutRoute(services),
    userDataRoute(services),
    ...myAccountRoutes(services),
  ]
}

function loginRoute(services: Services): Handler {
  return handle(login, async ({ body, request }) => {
    const signedIn = await signInByPassword(services, body, request)
    if (signedIn === 'unconfirmed') {
      throw new ContractError('email_unconfirmed', 'Confirm your e-mail address first: the link is in your mail')
    }
    if (typeof signedIn === 'string') throw new ContractError('login_refused', 'Wrong email or password')
    return replyOf(signedIn.session, false)
  })
}

function signupRoute(services: Services): Handler {
  return handle(signup, async ({ body, request }) => {
    const { email, name, password, setup_token } = body
    const options = { redirectTo: siteUrl(services), setupToken: setup_token }
    const { session } = await signUp(services, { email, name, password }, request, options)
    if (!session) {
      throw new ContractError('email_unconfirmed', 'Confirm your e-mail address: the link is in your mail. Then log in')
    }
    return replyOf(session, true)
  })
}

function logoutRoute(services: Services): Handler {
  return handle(logout, async ({ caller, request }) => {
    const at = services.now()
    await withoutWorkspace(services.db, async (tx) => {
      const { accountId, workspaceId, session } = caller
      await endOwnSessions(tx, { accountId, aal: session.aal }, at, { only: session.id })
      if (await findLiveSession(tx, session.id, at)) {
        throw new ContractError('mfa_required', 'This token is from before the second factor was given')
      }
      await recordAudit(tx, { action: 'session.ended', at, actorId: accountId, accountId, workspaceId, request })
    })
    knownTokens(services).note('session', [caller.session.id], at)
    return { ok: true as const }
  })
}

function userDataRoute(services: Services): Handler {
  return handle(getUserData, ({ caller }) =>
    inWorkspace(services.db, caller.workspaceId, async (tx) => ({
      ...(await userDataOf(services, tx, caller.workspaceId)),
      name: caller.name,
      email: caller.email,
      is_admin: caller.isAdmin,
      settings: await readSettings(tx, caller.workspaceId),
      ...(caller.session.isFirst ? { is_new_user: true } : {}),
    })),
  )
}

function replyOf(session: IssuedSession, isNewUser: boolean): LoginReply {
  return {
    token: session.accessToken,
    is_new_user: isNewUser,
    refresh_token: session.refreshToken,
    expires_at: session.expiresAt,
    ...(session.needsSecondFactor ? { mfa_required: true } : {}),
  }
}
