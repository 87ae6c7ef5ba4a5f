import { roleIn } from '../../features/workspaces/index.ts'
import type { AccountTx } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { findAccountById } from '../account/store.ts'
import { sendMail } from '../mail/mailer.ts'
import { newPlaceMessage } from '../mail/messages.ts'
import { recordAudit } from '../record-audit.ts'
import { accessOf, type IssuedSession, placeOf, type RequestOrigin } from './issue-session.ts'
import { IDLE_MS, REUSE_MS } from './lifetimes.ts'
import { hashToken, makeToken, openWithToken, sealWithToken } from './opaque-token.ts'
import { notePlace } from './places.ts'
import { inSignIn } from './sign-in-transaction.ts'
import {
  endSessions,
  findRefreshToken,
  insertRefreshToken,
  lockSessionOfToken,
  markRotated,
  type RefreshTokenRow,
  revokeRefreshTokens,
  type SessionRow,
  touchSession,
} from './store.ts'

/** Why a refresh token is refused. `reused`: someone else has it too, so the session was ended. */
export type RefreshRefusal = 'unknown' | 'reused' | 'expired' | 'banned'

const MAX_STEPS = 20

/**
 * Renews a session with its refresh token. The active token is replaced. The one before it, and any that was used within the
 * last 10 seconds, returns the active token, since the reply may have been lost or several tabs may renew at once. Any other
 * used token ends the session: either it or the active one was stolen. With AUTH_STRICT_REFRESH the token before the active
 * one has only those 10 seconds, too. The owner is notified by mail when a session is used from a new place.
 */
export async function refreshSession(
  services: Services,
  refreshToken: string,
  request: RequestOrigin,
): Promise<IssuedSession | RefreshRefusal> {
  const { outcome, send } = await renew(services, refreshToken, request)
  send?.()
  return outcome
}

type Renewed = { outcome: IssuedSession | RefreshRefusal; send?: () => void }

function renew(services: Services, refreshToken: string, request: RequestOrigin): Promise<Renewed> {
  const refused = async (outcome: RefreshRefusal | Promise<RefreshRefusal>) => ({ outcome: await outcome })
  return inSignIn<Renewed>(services, null, async (tx) => {
    const at = services.now()
    const tokenHash = hashToken(refreshToken)
    const session = await lockSessionOfToken(tx, tokenHash)
    const given = session && (await findRefreshToken(tx, tokenHash))
    if (!session || !given) return refused('unknown')
    if (given.revoked || session.endedAt !== null) return refused(endReused(tx, session, at, request))
    if (session.idleUntil <= at || session.expiresAt <= at) return refused('expired')
    const account = await findAccountById(tx, session.accountId)
    if (!account) return refused('unknown')
    if (account.bannedUntil !== null && account.bannedUntil > at) return refused('banned')
    if ((await roleIn(tx, session.workspaceId, account.id)) === null) {
      await endSessions(tx, account.id, at, { only: session.id })
      return refused('expired')
    }
    const wasUsed = given.nextHash !== null
    const active = wasUsed ? await activeAfter(tx, given, refreshToken, at, services.config.authStrictRefresh) : null
    if (wasUsed && !active) return refused(endReused(tx, session, at, request))
    const next = active?.token ?? (await rotate(tx, session, refreshToken, tokenHash, at))
    const idleUntil = new Date(at.getTime() + IDLE_MS)
    const place = await notePlace(tx, session, request, at)
    await touchSession(tx, session.id, { at, idleUntil, ...placeOf(request) })
    const outcome = await accessOf(services, tx, session, next)
    if (!place) return { outcome }
    const { accountId, workspaceId } = session
    const detail = { session_id: session.id, new_address: place.newAddress, new_device: place.newDevice }
    await recordAudit(tx, { action: 'session.moved', at, actorId: null, accountId, workspaceId, request, detail })
    const message = newPlaceMessage({ at, device: place.device, address: request.address })
    return place.notifyOwner ? { outcome, send: () => sendMail(services, account.email, message) } : { outcome }
  })
}

async function rotate(tx: AccountTx, session: SessionRow, token: string, tokenHash: Buffer, at: Date): Promise<string> {
  const next = makeToken()
  await markRotated(tx, tokenHash, { nextHash: next.tokenHash, sealedNext: sealWithToken(token, next.token), at })
  await insertRefreshToken(tx, next.tokenHash, session.id, at)
  return next.token
}

/** The active token that succeeded a used one, if that may still be returned. */
async function activeAfter(
  tx: AccountTx,
  given: RefreshTokenRow,
  token: string,
  at: Date,
  isStrict: boolean,
): Promise<{ token: string } | null> {
  const isRecent = given.rotatedAt !== null && at.getTime() - given.rotatedAt.getTime() <= REUSE_MS
  let row: RefreshTokenRow | null = given
  let current = token
  for (let steps = 0; row && steps < MAX_STEPS; steps += 1) {
    if (row.revoked) return null
    if (row.sealedNext === null) return (steps <= 1 && !isStrict) || isRecent ? { token: current } : null
    current = openWithToken(current, row.sealedNext)
    row = await findRefreshToken(tx, hashToken(current))
  }
  return null
}

async function endReused(tx: AccountTx, session: SessionRow, at: Date, request: RequestOrigin): Promise<'reused'> {
  if (session.endedAt !== null) return 'reused'
  await endSessions(tx, session.accountId, at, { only: session.id })
  await revokeRefreshTokens(tx, session.id)
  await recordAudit(tx, {
    action: 'session.reuse_detected',
    at,
    actorId: null,
    accountId: session.accountId,
    workspaceId: session.workspaceId,
    request,
    detail: { session_id: session.id },
  })
  return 'reused'
}
