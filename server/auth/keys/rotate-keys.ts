import { withoutWorkspace } from '../../platform/db/tenant.ts'
import { open, SealError, seal } from '../../platform/secrets/seal.ts'
import type { Services } from '../../platform/services.ts'
import { sealedForFactor } from '../factors/enroll.ts'
import { recordAudit } from '../record-audit.ts'
import { ACCESS_TOKEN_MS, CLOCK_SKEW_MS } from '../sessions/lifetimes.ts'
import { deleteRetiredKeys, lockSigningKeys } from '../sessions/signing-key-store.ts'
import { makeSigningKey, sealedFor } from '../sessions/signing-keys.ts'
import { lockFactorSecrets, lockSigningSecrets, putFactorSecret, putSigningSecret, type SealedRow } from './store.ts'

/** How many secrets were sealed again, and how many no known key opens. */
export type Resealed = { sealed: number; lost: number }

/**
 * Creates a new signing key for access tokens and notifies every process. Tokens of the previous key stay valid until they
 * expire, so no one is signed out; keys that no valid token can need are deleted. Returns the new key's id.
 */
export function rotateSigningKey(services: Services): Promise<string> {
  return withoutWorkspace(services.db.accounts, async (tx) => {
    const at = services.now()
    await lockSigningKeys(tx)
    const id = await makeSigningKey(services, tx)
    await deleteRetiredKeys(tx, new Date(at.getTime() - ACCESS_TOKEN_MS - CLOCK_SKEW_MS))
    await recordAudit(tx, { action: 'keys.rotated', at, actorId: null, accountId: null, detail: { key: id } })
    return id
  })
}

/** Seals the secrets of factors and of signing keys again with the current sealing key. */
export function resealAccounts(services: Pick<Services, 'db' | 'key'>): Promise<Resealed> {
  return withoutWorkspace(services.db.accounts, async (tx) => {
    const count = { sealed: 0, lost: 0 }
    const again = async (
      rows: SealedRow[],
      belonging: (id: string) => string,
      put: (row: SealedRow) => Promise<void>,
    ) => {
      for (const { id, sealed } of rows) {
        try {
          await put({ id, sealed: seal(services.key, open(services.key, sealed, belonging(id)), belonging(id)) })
          count.sealed += 1
        } catch (error) {
          if (!(error instanceof SealError)) throw error
          count.lost += 1
        }
      }
    }
    await again(await lockFactorSecrets(tx), sealedForFactor, (row) => putFactorSecret(tx, row))
    await again(await lockSigningSecrets(tx), sealedFor, (row) => putSigningSecret(tx, row))
    return count
  })
}
