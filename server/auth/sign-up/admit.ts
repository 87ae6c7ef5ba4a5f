import { ContractError } from '@groundswell/contract/errors.ts'
import type { AccountTx } from '../../platform/db/tenant.ts'
import type { RequestFacts } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { hasNoAdminForUpdate } from '../account/store.ts'
import { isLocal, isSetupToken } from './setup-token.ts'

/**
 * Admits or refuses a sign-up, and returns whether it creates the first admin: one from this machine or with the set-up
 * token, while the installation has never had an admin. The first admin is admitted whatever the policy is.
 */
export async function admit(
  tx: AccountTx,
  services: Services,
  request: Pick<RequestFacts, 'address' | 'headers'>,
  givenToken: string | undefined,
): Promise<boolean> {
  const hasToken = givenToken !== undefined && givenToken.trim() !== ''
  if (hasToken || isLocal(services, request)) {
    if (await hasNoAdminForUpdate(tx)) {
      if (!hasToken || isSetupToken(services, givenToken)) return true
      throw new ContractError('signup_refused', 'Wrong set-up token: it is in the server log')
    }
  }
  if (services.config.signup === 'open') return false
  const reason =
    services.config.signup === 'invite'
      ? 'Sign-up is by invitation here: ask an admin to invite you'
      : 'Sign-up is closed here: ask an admin for an account'
  throw new ContractError('signup_closed', reason)
}
