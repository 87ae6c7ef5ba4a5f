import { ContractError } from '@groundswell/contract/errors.ts'
import { inAccount } from '../../platform/db/tenant.ts'
import type { Caller, RequestFacts } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { removePerson } from '../account/delete-account.ts'
import { checkProof } from '../account/proof.ts'
import { knownTokens } from '../sessions/known-tokens.ts'
import { announceChangedAccount } from '../sessions/notice-store.ts'
import { claimsOf } from './claims-of.ts'

/** Deletes the caller's account here, not at the hosted project. Throws `proof_refused` unless they signed in recently. */
export async function deleteHostedAccount(services: Services, caller: Caller, request: RequestFacts): Promise<void> {
  const { claims } = await claimsOf(services, request)
  const { accountId } = caller
  const at = services.now()
  const proof = await checkProof(services, caller, {}, request)
  await inAccount(services.db.accounts, accountId, async (tx) => {
    if (!(await proof.holds(tx))) {
      throw new ContractError('proof_refused', 'Log out, log in again, and delete the account within ten minutes')
    }
    await removePerson(services, tx, accountId, { actorId: accountId, request, at })
    // A token that is still valid must not create the account again.
    await announceChangedAccount(tx, claims.sub, at)
  })
  knownTokens(services).note('account', [accountId, claims.sub], at)
}
