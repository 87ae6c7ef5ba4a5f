import { getUserData, type LoginReply, login, logout, signup, type UserData } from '@groundswell/contract/accounts.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import { type IssuedSession, signInByPassword, signOut, signUp, siteUrl } from '../../auth/index.ts'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import { type Caller, type Handler, handle } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { userDataOf } from '../connections/index.ts'
import { readSettings } from '../settings/index.ts'
import { readTimeZone, workspacesOf } from '../workspaces/index.ts'
import type { AccountHooks } from './hooks.ts'
import { hostedRoutes } from './hosted-routes.ts'
import { exportRoute, myAccountRoutes } from './my-account/routes.ts'
import { workspaceDeletionRoutes } from './workspace-deletion-routes.ts'

/** The account calls under /api. Those under /auth/v1 follow a separate protocol. */
export function accountRoutes(services: Services, hooks?: AccountHooks): Handler[] {
  if (services.config.hostedAuth) {
    return [
      ...hostedRoutes(services),
      userDataRoute(services, hooks),
      exportRoute(services, hooks),
      ...workspaceDeletionRoutes(services),
    ]
  }
  return [
    loginRoute(services),
    signupRoute(services),
    logoutRoute(services),
    userDataRoute(services, hooks),
    ...myAccountRoutes(services, hooks),
    ...workspaceDeletionRoutes(services),
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
    const { email, name, password, setup_token, invitation } = body
    const options = { redirectTo: siteUrl(services), setupToken: setup_token, invitation }
    const { session } = await signUp(services, { email, name, password }, request, options)
    if (!session) {
      throw new ContractError('email_unconfirmed', 'Confirm your e-mail address: the link is in your mail. Then log in')
    }
    return replyOf(session, true)
  })
}

function logoutRoute(services: Services): Handler {
  return handle(logout, async ({ caller, request }) => {
    await signOut(services, caller, request)
    return { ok: true as const }
  })
}

function userDataRoute(services: Services, hooks: AccountHooks | undefined): Handler {
  const visitOf = async (tx: Tx, { workspaceId, accountId }: Caller) => {
    const visit = await hooks?.previousVisit(tx, workspaceId, accountId, services.now())
    return visit === undefined ? {} : { previous_visit: visit?.toISOString() ?? null }
  }
  return handle(getUserData, ({ caller }) =>
    inWorkspace(services.db, caller.workspaceId, async (tx) => ({
      ...(await userDataOf(services, tx, caller.workspaceId)),
      account_id: caller.accountId,
      name: caller.name,
      email: caller.email,
      is_admin: caller.isAdmin,
      settings: await readSettings(tx, caller.workspaceId),
      ...(caller.session.isFirst ? { is_new_user: true } : {}),
      ...(await visitOf(tx, caller)),
      workspace: await placeOf(tx, caller),
    })),
  )
}

async function placeOf(tx: Tx, { accountId, workspaceId, role, session }: Caller): Promise<UserData['workspace']> {
  const all = await workspacesOf(tx, accountId)
  const name = all.find((one) => one.workspaceId === workspaceId)?.name ?? ''
  const zone = await readTimeZone(tx, workspaceId)
  return { id: workspaceId, name, role, has_others: all.length > 1 && !session.bySso, time_zone: zone }
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
