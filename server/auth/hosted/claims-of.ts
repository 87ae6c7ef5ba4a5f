import { ContractError } from '@groundswell/contract/errors.ts'
import type { RequestFacts } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { type HostedClaims, verifyHostedToken } from './verify-token.ts'

/** The bearer token of an authenticated call with its claims. Throws `unauthorized` when there is no valid one. */
export async function claimsOf(
  services: Services,
  { token }: RequestFacts,
): Promise<{ token: string; claims: HostedClaims }> {
  const claims = token === null ? null : await verifyHostedToken(services, token)
  if (token === null || !claims) throw new ContractError('unauthorized', 'Sign in first')
  return { token, claims }
}
