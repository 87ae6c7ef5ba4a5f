import { randomUUID } from 'node:crypto'
import { withoutWorkspace } from '../../platform/db/tenant.ts'
import { seal } from '../../platform/secrets/seal.ts'
import type { Services } from '../../platform/services.ts'
import { lockAccount } from '../account/store.ts'
import { recordAudit } from '../record-audit.ts'
import { type Actor, auditFields, isFreshSession, type RequestOrigin } from './audit-fields.ts'
import { removeFactor } from './remove.ts'
import { deleteUnverified, factorsOf, insertFactor } from './store.ts'
import { makeTotp, type NewTotp } from './totp.ts'

/** An enrolled factor that waits for its first code. Its secret is shown only here. */
export type EnrolledFactor = NewTotp & { id: string; friendlyName: string }

const MAX_FACTORS = 10
const UNVERIFIED_MS = 300_000
const ISSUER = 'Groundswell'

/** The context that a factor's secret is sealed for: it opens only in its own row. */
export function sealedForFactor(id: string): string {
  return `factor:${id}`
}

/**
 * Enrols a second factor. It takes effect with its first code; an unverified one is replaced after 5 minutes by the next
 * enrolment. Refused: a duplicate name, an eleventh factor, a session that did not pass the existing factor, and one
 * authenticated more than ten minutes ago.
 */
export function enrollFactor(
  services: Services,
  who: Actor,
  wanted: { friendlyName: string; issuer: string | null },
  request: RequestOrigin,
): Promise<EnrolledFactor | { refused: 'name' | 'too-many' | 'level' | 'stale' }> {
  return withoutWorkspace(services.db.accounts, async (tx) => {
    const at = services.now()
    await lockAccount(tx, who.accountId)
    await deleteUnverified(tx, who.accountId, new Date(at.getTime() - UNVERIFIED_MS))
    const factors = await factorsOf(tx, who.accountId)
    const hasVerified = factors.some((factor) => factor.status === 'verified')
    if (hasVerified && who.session.aal !== 'aal2') return { refused: 'level' as const }
    if (!(await isFreshSession(tx, who, at))) return { refused: 'stale' as const }
    if (factors.length >= MAX_FACTORS) return { refused: 'too-many' as const }
    const { friendlyName } = wanted
    if (friendlyName !== '' && factors.some((factor) => factor.friendlyName === friendlyName)) {
      return { refused: 'name' as const }
    }
    const id = randomUUID()
    const totp = makeTotp(wanted.issuer ?? ISSUER, who.email)
    const sealedSecret = seal(services.key, totp.secret, sealedForFactor(id))
    await insertFactor(tx, { id, accountId: who.accountId, friendlyName, sealedSecret, at })
    await recordAudit(tx, { ...auditFields(who, request), action: 'factor.enrolled', at, detail: { factor_id: id } })
    return { id, friendlyName, ...totp }
  })
}

/**
 * Removes a second factor. Removing a verified one returns every session to aal1, and removing the last one deletes the
 * recovery codes. A verified one can be removed only from an aal2 session that was authenticated within ten minutes.
 */
export function unenrollFactor(
  services: Services,
  who: Actor,
  factorId: string,
  request: RequestOrigin,
): Promise<{ id: string } | { refused: 'unknown' | 'level' | 'stale' }> {
  return withoutWorkspace(services.db.accounts, async (tx) => {
    const at = services.now()
    await lockAccount(tx, who.accountId)
    const factor = (await factorsOf(tx, who.accountId)).find((one) => one.id === factorId)
    if (!factor) return { refused: 'unknown' as const }
    if (factor.status === 'verified') {
      if (who.session.aal !== 'aal2') return { refused: 'level' as const }
      if (!(await isFreshSession(tx, who, at))) return { refused: 'stale' as const }
    }
    await removeFactor(tx, who.accountId, factor.id, at)
    await recordAudit(tx, {
      ...auditFields(who, request),
      action: 'factor.removed',
      at,
      detail: { factor_id: factor.id },
    })
    return { id: factor.id }
  })
}
