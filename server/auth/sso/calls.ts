import { ContractError } from '@groundswell/contract/errors.ts'
import { withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Caller, RequestFacts } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { logFailure, OpenIdError } from '../openid/provider.ts'
import { isFresh } from '../sessions/freshness.ts'
import { findLiveSession } from '../sessions/store.ts'
import { spend } from '../throttle/limits.ts'
import { providerOf, startSso } from './flow.ts'
import type { SsoPurpose } from './flow-store.ts'

/** The page of the provider to go to, and the cookie that binds the sign-in to the browser. */
export type StartedSso = { url: string; setCookie: string }

/** Starts a test of the provider of the caller's workspace. Throws `not_found`, `provider_unavailable` and `too_many_requests`. */
export function testSso(services: Services, caller: Caller, request: RequestFacts): Promise<StartedSso> {
  return start(services, caller, 'test', request)
}

/**
 * Starts to link the caller's account to the provider of their workspace. Throws `reauthentication_needed` unless they signed in within ten minutes:
 * somebody else may be using the session. Throws what `testSso` does, too.
 */
export async function beginLink(services: Services, caller: Caller, request: RequestFacts): Promise<StartedSso> {
  const session = await withoutWorkspace(services.db.accounts, (tx) =>
    findLiveSession(tx, caller.session.id, services.now()),
  )
  if (!session || !isFresh(session, services.now())) {
    throw new ContractError(
      'reauthentication_needed',
      'Log in again first: linking needs a login within the last ten minutes',
    )
  }
  return start(services, caller, 'link', request)
}

async function start(
  services: Services,
  { workspaceId, accountId }: Caller,
  purpose: SsoPurpose,
  request: RequestFacts,
): Promise<StartedSso> {
  await spend(services, { limit: 'oauth', address: request.address })
  const provider = await providerOf(services, workspaceId)
  if (!provider || (purpose !== 'test' && !provider.enabled)) {
    throw new ContractError('not_found', 'Single sign-on is not turned on in this workspace')
  }
  try {
    return await startSso(services, provider, { purpose, accountId }, request)
  } catch (error) {
    if (!(error instanceof OpenIdError)) throw error
    logFailure(request, 'single sign-on', error)
    throw new ContractError(
      'provider_unavailable',
      'The identity provider could not be reached at this issuer: check the address, and whether this server may reach it',
    )
  }
}
