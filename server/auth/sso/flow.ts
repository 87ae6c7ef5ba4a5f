import { randomUUID } from 'node:crypto'
import { guardedFetch } from '../../features/connections/index.ts'
import { inWorkspace, withoutWorkspace } from '../../platform/db/tenant.ts'
import type { RequestFacts } from '../../platform/http/handle.ts'
import { open, seal } from '../../platform/secrets/seal.ts'
import type { Services } from '../../platform/services.ts'
import { isSameBrowser, markBrowser } from '../openid/browser-cookie.ts'
import { createProvider, OpenIdError, type OpenIdPerson, type OpenIdProvider, startFlow } from '../openid/provider.ts'
import { hashToken } from '../sessions/opaque-token.ts'
import { originOf } from '../site-url.ts'
import { openSecret } from './configure.ts'
import { insertSsoFlow, type SsoFlow, type SsoPurpose, takeSsoFlow } from './flow-store.ts'
import { ssoCallbackPath } from './link.ts'
import { findProvider, type ProviderRow } from './store.ts'

type Request = Pick<RequestFacts, 'headers' | 'log'>

/** The result with which a browser returns: who the person is at the provider, or why that is unknown. */
export type Returned =
  | { flow: SsoFlow; provider: ProviderRow; person: OpenIdPerson }
  | { flow: SsoFlow | null; refused: ReturnRefusal }

/** `elsewhere`: in another browser. `changed`: an owner changed the settings in the meantime. `disbelieved`: the reply could not be verified. `misconfigured`: the provider does not accept the client secret. */
export type ReturnRefusal =
  | 'unknown'
  | 'expired'
  | 'elsewhere'
  | 'changed'
  | 'cancelled'
  | 'declined'
  | 'disbelieved'
  | 'misconfigured'
  | 'outage'

const REFUSED = { unavailable: 'outage', 'app-refused': 'misconfigured', refused: 'disbelieved' } as const
const FLOW_MS = 10 * 60_000
/** Where the web app takes a sign-in from a fragment. */
const LANDING = '/api/auth/oauth-callback'
/** The cookie's path over http. */
const COOKIE_PATH = '/api/sso'

/** The page of the web app that completes a sign-in, or reports what went wrong. */
export function landingOf(services: Services, request: Pick<RequestFacts, 'headers'>): string {
  return `${originOf(services, request)}${LANDING}`
}

/** The provider of a workspace; null when none is set up. The workspace may be any text. */
export async function providerOf({ db }: Pick<Services, 'db'>, workspaceId: string): Promise<ProviderRow | null> {
  return inWorkspace(db.accounts, workspaceId, (tx) => findProvider(tx, workspaceId))
}

/**
 * Starts a sign-in at a provider: the address to send the browser to, and the cookie by which only that browser finishes it. Throws
 * `OpenIdError` when the provider cannot be reached.
 */
export async function startSso(
  services: Services,
  provider: ProviderRow,
  { purpose, accountId }: { purpose: SsoPurpose; accountId: string | null },
  request: Request,
): Promise<{ url: string; setCookie: string }> {
  const { workspaceId } = provider
  const started = startFlow(callbackAddress(services, workspaceId, request))
  const url = await clientOf(services, provider).authorizationUrl(started, [], {})
  const { browserHash, setCookie } = markBrowser(services, request.headers, COOKIE_PATH)
  const id = randomUUID()
  const createdAt = services.now()
  await withoutWorkspace(services.db.accounts, (tx) =>
    insertSsoFlow(tx, {
      id,
      workspaceId,
      purpose,
      accountId,
      stateHash: hashToken(started.state),
      nonce: started.nonce,
      sealedVerifier: seal(services.key, started.verifier, sealedForFlow(id)),
      browserHash,
      redirectTo: landingOf(services, request),
      createdAt,
      expiresAt: new Date(createdAt.getTime() + FLOW_MS),
    }),
  )
  return { url: url.href, setCookie }
}

/** Handles a browser that returns from the provider of a workspace, once per sign-in. `failed` is called with what to log. */
export async function returnFromProvider(
  services: Services,
  workspaceId: string,
  answer: URLSearchParams,
  request: Request,
  failed: (error: unknown) => void,
): Promise<Returned> {
  const state = answer.get('state') ?? ''
  const flow = await withoutWorkspace(services.db.accounts, (tx) => takeSsoFlow(tx, workspaceId, hashToken(state)))
  if (!flow) return { flow, refused: 'unknown' }
  // A page of ours may be shown to the browser that started it only.
  if (!isSameBrowser(services, request.headers, flow.browserHash)) return { flow: null, refused: 'elsewhere' }
  if (flow.expiresAt <= services.now()) return { flow, refused: 'expired' }
  const provider = await providerOf(services, workspaceId)
  if (!provider || provider.changedAt > flow.createdAt) return { flow, refused: 'changed' }
  if (!provider.enabled && flow.purpose !== 'test') return { flow, refused: 'changed' }
  if (answer.has('error')) {
    return { flow, refused: answer.get('error') === 'access_denied' ? 'cancelled' : 'declined' }
  }
  const started = {
    redirectUri: callbackAddress(services, workspaceId, request),
    state,
    nonce: flow.nonce,
    verifier: open(services.key, flow.sealedVerifier, sealedForFlow(flow.id)),
  }
  try {
    return { flow, provider, person: await clientOf(services, provider).finish(started, answer) }
  } catch (error) {
    failed(error)
    return { flow, refused: error instanceof OpenIdError ? REFUSED[error.kind] : 'outage' }
  }
}

/** Created for each sign-in, so that the provider's metadata is never out of date. */
function clientOf(services: Services, provider: ProviderRow): OpenIdProvider {
  const clientSecret = openSecret(services, provider)
  if (clientSecret === null)
    throw new OpenIdError('unavailable', 'the client secret cannot be opened with the key in use')
  const { issuer, clientId } = provider
  return createProvider({ issuer, clientId, clientSecret }, guardedFetch(services))
}

function callbackAddress(services: Services, workspaceId: string, request: Pick<RequestFacts, 'headers'>): string {
  return `${originOf(services, request)}${ssoCallbackPath(workspaceId)}`
}

function sealedForFlow(id: string): string {
  return `flow_state:${id}`
}
