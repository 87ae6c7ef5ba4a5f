import { withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { lockAccount } from '../account/store.ts'
import { type SessionJson, sessionJson } from '../protocol/session-json.ts'
import { recordAudit } from '../record-audit.ts'
import { raiseSession } from '../sessions/issue-session.ts'
import { endSessions, findLiveSession } from '../sessions/store.ts'
import { spend } from '../throttle/limits.ts'
import { type Actor, auditFields, isFreshSession, type RequestOrigin } from './audit-fields.ts'
import { hashRecoveryCode, makeRecoveryCodes } from './recovery-code.ts'
import { countRecoveryCodes, factorsOf, replaceRecoveryCodes, takeRecoveryCode } from './store.ts'

/** The number of unused codes, and when they were created. */
export function recoveryCodesLeft(
  services: Services,
  accountId: string,
): Promise<{ left: number; madeAt: Date | null }> {
  return withoutWorkspace(services.db.accounts, (tx) => countRecoveryCodes(tx, accountId))
}

/**
 * Replaces the recovery codes and returns the new ones, which cannot be read again. Refused without a verified second factor,
 * and to a session authenticated more than ten minutes ago.
 */
export function renewRecoveryCodes(
  services: Services,
  who: Actor,
  request: RequestOrigin,
): Promise<string[] | 'no-factor' | 'stale'> {
  const codes = makeRecoveryCodes()
  const hashes = codes.map((code) => hashRecoveryCode(who.accountId, code))
  return withoutWorkspace(services.db.accounts, async (tx) => {
    const at = services.now()
    await lockAccount(tx, who.accountId)
    const factors = await factorsOf(tx, who.accountId)
    if (!factors.some((factor) => factor.status === 'verified')) return 'no-factor'
    if (!(await isFreshSession(tx, who, at))) return 'stale'
    await replaceRecoveryCodes(tx, who.accountId, hashes, at)
    await recordAudit(tx, { ...auditFields(who, request), action: 'recovery_codes.made', at })
    return codes
  })
}

/**
 * Accepts a recovery code in place of the second factor. Null when it is unknown or already used. Throws `too_many_requests`.
 */
export async function redeemCode(
  services: Services,
  who: Actor,
  code: string,
  request: RequestOrigin,
): Promise<{ session: SessionJson; left: number } | null> {
  await spend(services, { limit: 'mfa', address: request.address, subject: `recovery ${who.accountId}` })
  return withoutWorkspace(services.db.accounts, async (tx) => {
    const at = services.now()
    await lockAccount(tx, who.accountId)
    const session = await findLiveSession(tx, who.session.id, at)
    const event = { ...auditFields(who, request), at }
    if (!session || !(await takeRecoveryCode(tx, who.accountId, hashRecoveryCode(who.accountId, code), at))) {
      await recordAudit(tx, { ...event, action: 'factor.refused', detail: { method: 'recovery_code' } })
      return null
    }
    const { left } = await countRecoveryCodes(tx, who.accountId)
    await recordAudit(tx, { ...event, action: 'recovery_code.used', detail: { left } })
    await endSessions(tx, who.accountId, at, { aal: 'aal1', except: session.id })
    const raised = await raiseSession(services, tx, session, 'recovery_code')
    return { session: await sessionJson(tx, raised), left }
  })
}
