import { workplaceOf, workspacesOf } from '../../features/workspaces/index.ts'
import type { AccountTx } from '../../platform/db/tenant.ts'
import type { RequestFacts } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { giveWorkspace } from '../account/give-workspace.ts'
import { findAccountById, markSignedIn } from '../account/store.ts'
import { readAppMetadata } from '../account/user-json.ts'
import { isSsoRequired } from '../sso/store.ts'
import { type AuthMethod, signAccessToken } from './access-token.ts'
import { ABSOLUTE_MS, ACCESS_TOKEN_MS, IDLE_MS, SSO_MS } from './lifetimes.ts'
import { makeToken } from './opaque-token.ts'
import {
  findStanding,
  insertRefreshToken,
  insertSession,
  revokeRefreshTokens,
  type SessionRow,
  setLevel,
} from './store.ts'

/** The tokens of a session for a client. `expiresAt` is in unix seconds, `expiresIn` in seconds. */
export type IssuedSession = {
  sessionId: string
  accountId: string
  accessToken: string
  refreshToken: string
  expiresAt: number
  expiresIn: number
  aal: 'aal1' | 'aal2'
  /** True when the account has a second factor that the session has not passed yet. */
  needsSecondFactor: boolean
}

/** The origin of a sign-in. */
export type RequestOrigin = Pick<RequestFacts, 'address' | 'headers'>

const MAX_USER_AGENT_LENGTH = 400

/**
 * Creates a session of an account in the workspace where it works, or in a new one of its own when it is in none. `isFirst`: the account
 * was created with it. `sso`: the workspace whose single sign-on makes it, and to which it is confined. Its level follows from the methods.
 */
export async function issueSession(
  services: Services,
  tx: AccountTx,
  accountId: string,
  {
    methods,
    request,
    isFirst = false,
    sso,
  }: { methods: readonly AuthMethod['method'][]; request: RequestOrigin; isFirst?: boolean; sso?: string },
): Promise<IssuedSession> {
  const at = services.now()
  const timestamp = Math.floor(at.getTime() / 1_000)
  const workspaceId = sso ?? (await openWorkplace(tx, accountId)) ?? (await giveWorkspace(tx, accountId, at, request))
  const amr = methods.map((method) => ({ method, timestamp })).reverse()
  const row = {
    accountId,
    workspaceId,
    aal: levelOf(amr),
    amr,
    isFirst,
    bySso: sso !== undefined,
    ...placeOf(request),
    createdAt: at,
    idleUntil: new Date(at.getTime() + IDLE_MS),
    expiresAt: new Date(at.getTime() + (sso === undefined ? ABSOLUTE_MS : SSO_MS)),
  }
  const id = await insertSession(tx, row)
  await markSignedIn(tx, accountId, at)
  return issueTokens(services, tx, { id, ...row })
}

/** Where an account works: rather in a workspace that it can reach than in one that requires single sign-on. Null: it is in none. */
async function openWorkplace(tx: AccountTx, accountId: string): Promise<string | null> {
  const last = await workplaceOf(tx, accountId)
  if (last === null || !(await isSsoRequired(tx, last, accountId))) return last
  for (const { workspaceId } of await workspacesOf(tx, accountId)) {
    if (!(await isSsoRequired(tx, workspaceId, accountId))) return workspaceId
  }
  return last
}

/**
 * Adds an authentication method to a session, which may raise it to aal2, and returns new tokens. Its previous refresh token
 * is revoked.
 */
export async function raiseSession(
  services: Services,
  tx: AccountTx,
  session: SessionRow,
  method: AuthMethod['method'],
): Promise<IssuedSession> {
  const timestamp = Math.floor(services.now().getTime() / 1_000)
  const amr = [{ method, timestamp }, ...session.amr.filter((one) => one.method !== method)]
  const aal = levelOf(amr)
  await setLevel(tx, session.id, aal, amr)
  await revokeRefreshTokens(tx, session.id)
  return issueTokens(services, tx, { ...session, aal, amr })
}

/** A new access token of a session, to accompany its refresh token. */
export async function accessOf(
  services: Services,
  tx: AccountTx,
  session: Pick<SessionRow, 'id' | 'accountId' | 'workspaceId' | 'aal' | 'amr' | 'isFirst'>,
  refreshToken: string,
): Promise<IssuedSession> {
  const account = await findAccountById(tx, session.accountId)
  const standing = await findStanding(tx, session.id, services.now())
  if (!account || !standing?.role) throw new Error(`sign-in ${session.id} has no account that may use it`)
  const needsSecondFactor = standing.hasSecondFactor && session.aal === 'aal1'
  const { token, expiresAt } = await signAccessToken(services, {
    sub: account.id,
    email: account.email,
    session_id: session.id,
    aal: session.aal,
    amr: session.amr,
    app_metadata: await readAppMetadata(tx, account),
    user_metadata: account.userMetadata,
    groundswell: {
      workspace_id: session.workspaceId,
      role: standing.role,
      name: account.name,
      is_admin: account.isAdmin,
      second_factor: standing.hasSecondFactor,
      first: session.isFirst,
      ...(standing.sso === null ? {} : { sso: standing.sso }),
    },
  })
  return {
    sessionId: session.id,
    accountId: session.accountId,
    accessToken: token,
    refreshToken,
    expiresAt,
    expiresIn: ACCESS_TOKEN_MS / 1_000,
    aal: session.aal,
    needsSecondFactor,
  }
}

/** The stored origin of a session. */
export function placeOf(request: RequestOrigin): { userAgent: string | null; address: string | null } {
  const agent = request.headers['user-agent']
  const userAgent =
    typeof agent === 'string' ? agent.replaceAll('\0', '').toWellFormed().slice(0, MAX_USER_AGENT_LENGTH) : null
  return { userAgent, address: request.address }
}

async function issueTokens(
  services: Services,
  tx: AccountTx,
  session: Pick<SessionRow, 'id' | 'accountId' | 'workspaceId' | 'aal' | 'amr' | 'isFirst'>,
): Promise<IssuedSession> {
  const { token, tokenHash } = makeToken()
  await insertRefreshToken(tx, tokenHash, session.id, services.now())
  return accessOf(services, tx, session, token)
}

function levelOf(amr: readonly AuthMethod[]): 'aal1' | 'aal2' {
  return amr.some(({ method }) => method === 'totp' || method === 'recovery_code') ? 'aal2' : 'aal1'
}
