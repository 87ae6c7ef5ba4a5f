import { type AccountTx, withoutWorkspace } from '../../platform/db/tenant.ts'
import { open } from '../../platform/secrets/seal.ts'
import type { Services } from '../../platform/services.ts'
import { lockAccount } from '../account/store.ts'
import { type SessionJson, sessionJson } from '../protocol/session-json.ts'
import { recordAudit } from '../record-audit.ts'
import { raiseSession } from '../sessions/issue-session.ts'
import { announceChangedAccount } from '../sessions/notice-store.ts'
import { endSessions, findLiveSession } from '../sessions/store.ts'
import { isTooMany } from './attempt-limits.ts'
import { type Actor, auditFields, type RequestOrigin } from './audit-fields.ts'
import { sealedForFactor } from './enroll.ts'
import {
  acceptStep,
  countFailure,
  deleteOldChallenges,
  deleteUnverified,
  type FactorRow,
  factorsOf,
  findChallenge,
  insertChallenge,
  lockFactor,
  useChallenge,
} from './store.ts'
import { acceptedStep } from './totp.ts'

/** How long a challenge is valid. */
const CHALLENGE_MS = 300_000

const WINDOW_MS = 15 * 60_000
const FAILURES_OF_CHALLENGE = 5

/** Why no challenge is created; `too-many`: too many wrong codes in the last 15 minutes. */
export type ChallengeRefusal = 'unknown' | 'too-many'
/** Why a code is not accepted; `address`: the challenge was created from another address; `ended`: the session is over. */
export type VerifyRefusal = 'unknown' | 'expired' | 'address' | 'wrong' | 'too-many' | 'ended'

/** Creates a challenge for a factor, valid for 5 minutes, for this session and this address. */
export function challengeFactor(
  services: Services,
  who: Actor,
  factorId: string,
  request: RequestOrigin,
): Promise<{ id: string; expiresAt: Date } | { refused: ChallengeRefusal }> {
  return withoutWorkspace(services.db.accounts, async (tx) => {
    const at = services.now()
    const since = new Date(at.getTime() - WINDOW_MS)
    const factor = await lockFactor(tx, who.accountId, factorId)
    if (!factor || factor.sealedSecret === null) return { refused: 'unknown' as const }
    await deleteOldChallenges(tx, who.accountId, since)
    if (await isTooMany(services, tx, who.accountId, request.address, since)) return { refused: 'too-many' as const }
    const expiresAt = new Date(at.getTime() + CHALLENGE_MS)
    const row = { factorId, sessionId: who.session.id, address: request.address, at, expiresAt }
    return { id: await insertChallenge(tx, row), expiresAt }
  })
}

/**
 * Verifies a code for a challenge. A correct one raises the session to aal2 with new tokens, revokes its old refresh token,
 * ends the account's other aal1 sessions and deletes unverified factors. Each code is accepted once. Wrong codes are counted
 * across processes; five of them end the challenge.
 */
export function verifyFactor(
  services: Services,
  who: Actor,
  answer: { factorId: string; challengeId: string; code: string },
  request: RequestOrigin,
): Promise<SessionJson | { refused: VerifyRefusal }> {
  return withoutWorkspace(services.db.accounts, async (tx) => {
    const at = services.now()
    await lockAccount(tx, who.accountId)
    const factor = await lockFactor(tx, who.accountId, answer.factorId)
    const challenge = factor && (await findChallenge(tx, factor.id, answer.challengeId))
    if (!factor || !challenge || challenge.sessionId !== who.session.id) return { refused: 'unknown' as const }
    if (challenge.usedAt !== null || challenge.expiresAt <= at || challenge.failures >= FAILURES_OF_CHALLENGE) {
      return { refused: 'expired' as const }
    }
    if (challenge.address !== request.address) return { refused: 'address' as const }
    const since = new Date(at.getTime() - WINDOW_MS)
    if (await isTooMany(services, tx, who.accountId, request.address, since)) return { refused: 'too-many' as const }
    const session = await findLiveSession(tx, who.session.id, at)
    if (!session) return { refused: 'ended' as const }
    const event = { ...auditFields(who, request), at, detail: { factor_id: factor.id } }
    const step = await stepOf(services, factor, answer.code, at)
    if (step === null) {
      await countFailure(tx, challenge.id)
      await recordAudit(tx, { ...event, action: 'factor.refused' })
      return { refused: 'wrong' as const }
    }
    await useChallenge(tx, challenge.id, at)
    await acceptStep(tx, factor.id, step, at)
    await deleteUnverified(tx, who.accountId)
    if (factor.status === 'unverified') await announceChangedAccount(tx, who.accountId, at)
    await recordAudit(tx, { ...event, action: 'factor.verified' })
    await endSessions(tx, who.accountId, at, { aal: 'aal1', except: session.id })
    return sessionJson(tx, await raiseSession(services, tx, session, 'totp'))
  })
}

/** True when a code is correct for one of the account's verified factors. The code is then used up. */
export async function takeCode(services: Services, tx: AccountTx, accountId: string, code: string): Promise<boolean> {
  const at = services.now()
  await lockAccount(tx, accountId)
  for (const factor of await factorsOf(tx, accountId)) {
    if (factor.status !== 'verified') continue
    const step = await stepOf(services, factor, code, at)
    if (step === null) continue
    await acceptStep(tx, factor.id, step, at)
    return true
  }
  return false
}

async function stepOf(services: Services, factor: FactorRow, code: string, at: Date): Promise<number | null> {
  if (factor.sealedSecret === null) return null
  const secret = open(services.key, factor.sealedSecret, sealedForFactor(factor.id))
  return acceptedStep(secret, code.replaceAll(/\s/g, ''), factor.lastStep, at)
}
