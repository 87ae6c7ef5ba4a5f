import { ContractError } from '@groundswell/contract/errors.ts'
import { inAccount } from '../../platform/db/tenant.ts'
import type { Caller, RequestFacts } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { removePerson } from '../account/delete-account.ts'
import { knownTokens } from '../sessions/known-tokens.ts'
import { announceChangedAccount } from '../sessions/notice-store.ts'
import { claimsOf } from './claims-of.ts'

const RECENT_MS = 10 * 60_000

/** Deletes the caller's account here, not at the hosted project. Throws `proof_refused` unless they signed in recently. */
export async function deleteHostedAccount(services: Services, caller: Caller, request: RequestFacts): Promise<void> {
  const { claims } = await claimsOf(services, request)
  const { accountId } = caller
  const at = services.now()
  const provenAt = Math.max(0, ...claims.amr.map(({ timestamp }) => timestamp * 1_000))
  if (at.getTime() - provenAt > RECENT_MS) {
    throw new ContractError('proof_refused', 'Log out, log in again, and delete the account within ten minutes')
  }
  await inAccount(services.db, accountId, async (tx) => {
    await removePerson(services, tx, accountId, { actorId: accountId, request, at })
    // A token that is still valid must not create the account again.
    await announceChangedAccount(tx, claims.sub, at)
  })
  knownTokens(services).note('account', [accountId, claims.sub], at)
}
