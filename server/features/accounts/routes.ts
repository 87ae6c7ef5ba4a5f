import { getUserData, login, logout, signup } from '@groundswell/contract/accounts.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import { inAccount, inWorkspace, type Tx, withoutWorkspace } from '../../platform/db/tenant.ts'
import { type Handler, handle, type RequestFacts } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { userDataOf } from '../connections/index.ts'
import { readSettings } from '../settings/index.ts'
import { callerCache, startSignIn } from './authenticate.ts'
import { makeAccount } from './create-account.ts'
import { checkPassword } from './passwords.ts'
import { isLocal, isSetupToken } from './setup-token.ts'
import { deleteExpiredSignIns, deleteSignIn, findAccount, firstWorkspace, hasNoAdminForUpdate } from './store.ts'
import { Throttle } from './throttle.ts'
import { hashToken } from './tokens.ts'

const MINUTES = 60_000
const failuresOfPerson = { most: 10, withinMs: 15 * MINUTES }
const failuresOfAddress = { most: 100, withinMs: 15 * MINUTES }
const signUpsOfAddress = { most: 60, withinMs: 60 * MINUTES }

/** The calls of accounts. Together with `authenticate` they are all that the rest of the server knows of sign-in. */
export function accountRoutes(services: Services): Handler[] {
  return [loginRoute(services), signupRoute(services), logoutRoute(services), userDataRoute(services)]
}

function loginRoute(services: Services): Handler {
  const byPerson = new Throttle(failuresOfPerson)
  const byAddress = new Throttle(failuresOfAddress)
  return handle(login, async ({ body, request }) => {
    const at = services.now()
    const person = `${body.email} ${request.address}`
    byPerson.check(person, at.getTime())
    byAddress.check(request.address, at.getTime())
    const account = await withoutWorkspace(services.db, (tx) => findAccount(tx, body.email))
    const right = await checkPassword(account?.passwordHash ?? null, body.password)
    if (!account || !right) {
      byPerson.count(person, at.getTime())
      byAddress.count(request.address, at.getTime())
      throw new ContractError('login_refused', 'Wrong email or password')
    }
    byPerson.clear(person)
    const token = await inAccount(services.db, account.id, async (tx) => {
      const workspaceId = await firstWorkspace(tx, account.id)
      if (workspaceId === null) throw new Error(`account ${account.id} is in no workspace`)
      await deleteExpiredSignIns(tx, account.id, at)
      return startSignIn(tx, account.id, workspaceId, at)
    })
    return { token, is_new_user: false }
  })
}

function signupRoute(services: Services): Handler {
  const byAddress = new Throttle(signUpsOfAddress)
  return handle(signup, async ({ body, request }) => {
    const at = services.now()
    byAddress.check(request.address, at.getTime())
    byAddress.count(request.address, at.getTime())
    const token = await makeAccount(
      services,
      body,
      (tx) => admit(tx, services, request, body.setup_token),
      (tx, made) => startSignIn(tx, made.accountId, made.workspaceId, at),
    )
    return { token, is_new_user: true }
  })
}

/**
 * Lets a sign-up in or refuses it, and says whether it is the first admin: one that comes from this machine or brings the
 * set-up token, while there is no admin. That one is let in whatever the policy is.
 */
async function admit(
  tx: Tx,
  services: Services,
  request: RequestFacts,
  givenToken: string | undefined,
): Promise<boolean> {
  const hasToken = givenToken !== undefined && givenToken.trim() !== ''
  if (hasToken || isLocal(services, request)) {
    if (await hasNoAdminForUpdate(tx)) {
      if (!hasToken || isSetupToken(services, givenToken)) return true
      throw new ContractError('signup_refused', 'The set-up token is wrong: it is in the log of the server')
    }
  }
  if (services.config.signup === 'open') return false
  const reason =
    services.config.signup === 'invite'
      ? 'Sign-up is by invitation here: ask an admin to invite you'
      : 'Sign-up is closed here: ask an admin for an account'
  throw new ContractError('signup_closed', reason)
}

function logoutRoute(services: Services): Handler {
  return handle(logout, async ({ request }) => {
    if (request.token !== null) {
      const tokenHash = hashToken(request.token)
      await withoutWorkspace(services.db, (tx) => deleteSignIn(tx, tokenHash))
      callerCache(services.db).forget(`token:${tokenHash.toString('hex')}`)
    }
    return { ok: true as const }
  })
}

function userDataRoute(services: Services): Handler {
  return handle(getUserData, ({ caller }) =>
    inWorkspace(services.db, caller.workspaceId, async (tx) => ({
      ...(await userDataOf(tx, caller.workspaceId)),
      name: caller.name,
      email: caller.email,
      is_admin: caller.isAdmin,
      settings: await readSettings(tx, caller.workspaceId),
    })),
  )
}
