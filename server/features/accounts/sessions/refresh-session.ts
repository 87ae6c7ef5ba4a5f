import { type Tx, withoutWorkspace } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { findAccountById } from '../account/store.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { accessOf, type From, type IssuedSession, placeOf } from './issue-session.ts'
import { IDLE_MS, REUSE_MS } from './lifetimes.ts'
import { hashToken, makeToken, openWithToken, sealWithToken } from './opaque-token.ts'
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

/** Why a refresh token is refused. `reused`: somebody else has it too, so the sign-in ended. */
export type RefreshRefusal = 'unknown' | 'reused' | 'expired' | 'banned'

const MOST_STEPS = 20

/**
 * Renews a sign-in by its refresh token. The active token is used up and a new one made. The one before it, and any that
 * was used up within the last 10 seconds, is answered with the token that is active now, since the answer may have been
 * lost or several tabs may ask at once. Any other token that was used up already ends the sign-in: it was stolen, or the
 * active one was.
 */
export function refreshSession(
  services: Services,
  refreshToken: string,
  request: From,
): Promise<IssuedSession | RefreshRefusal> {
  return withoutWorkspace(services.db, async (tx) => {
    const at = services.now()
    const tokenHash = hashToken(refreshToken)
    const session = await lockSessionOfToken(tx, tokenHash)
    const given = session && (await findRefreshToken(tx, tokenHash))
    if (!session || !given) return 'unknown'
    if (given.revoked || session.endedAt !== null) return endReused(tx, session, at, request)
    if (session.idleUntil <= at || session.expiresAt <= at) return 'expired'
    const account = await findAccountById(tx, session.accountId)
    if (!account) return 'unknown'
    if (account.bannedUntil !== null && account.bannedUntil > at) return 'banned'
    const wasUsed = given.nextHash !== null
    const active = wasUsed ? await activeAfter(tx, given, refreshToken, at) : null
    if (wasUsed && !active) return endReused(tx, session, at, request)
    const next = active?.token ?? (await rotate(tx, session, refreshToken, tokenHash, at))
    const idleUntil = new Date(at.getTime() + IDLE_MS)
    await touchSession(tx, session.id, { at, idleUntil, ...placeOf(request) })
    return accessOf(services, tx, session, next)
  })
}

async function rotate(tx: Tx, session: SessionRow, token: string, tokenHash: Buffer, at: Date): Promise<string> {
  const next = makeToken()
  await markRotated(tx, tokenHash, { nextHash: next.tokenHash, sealedNext: sealWithToken(token, next.token), at })
  await insertRefreshToken(tx, next.tokenHash, session.id, at)
  return next.token
}

/** The active token that a used one leads to, if it may still lead there. */
async function activeAfter(tx: Tx, given: RefreshTokenRow, token: string, at: Date): Promise<{ token: string } | null> {
  const isRecent = given.rotatedAt !== null && at.getTime() - given.rotatedAt.getTime() <= REUSE_MS
  let row: RefreshTokenRow | null = given
  let current = token
  for (let steps = 0; row && steps < MOST_STEPS; steps += 1) {
    if (row.revoked) return null
    if (row.sealedNext === null) return steps <= 1 || isRecent ? { token: current } : null
    current = openWithToken(current, row.sealedNext)
    row = await findRefreshToken(tx, hashToken(current))
  }
  return null
}

async function endReused(tx: Tx, session: SessionRow, at: Date, request: From): Promise<'reused'> {
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
