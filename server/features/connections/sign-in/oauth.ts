import { randomBytes } from 'node:crypto'
import type { Connector } from '@groundswell/connectors/connector.ts'
import { connectorById } from '@groundswell/connectors/index.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import type { Caller } from '../../../platform/http/handle.ts'
import type { Services } from '../../../platform/services.ts'
import { redirectUrl } from '../addresses.ts'
import { providerContext } from '../context.ts'
import type { ConnectionHooks } from '../hooks.ts'
import { asking } from '../refusal.ts'
import { parseForm } from '../submitted-form.ts'
import { refuseComingSoon, requirePart } from '../tile.ts'
import { hashOfState, newVerifier, openRequest, type SignInRequest, sealRequest } from './oauth-request.ts'
import { insertState, takeState } from './oauth-state-store.ts'
import { type ProviderApp, readApp } from './provider-app.ts'
import { storeSignIn } from './sign-in.ts'

const STATE_MS = 10 * 60_000

/** What the provider sent back: a code, or other parameters in its place, such as the id of an installation. */
export type ProviderReturn = { code: string | null; state: string | null; query: Record<string, string> }

/**
 * The provider's consent page for this caller. Its `state` names the tile, is stored only as a hash, and is valid once, for ten
 * minutes, for the account that requested it: no one can trick another person into connecting an account that is not theirs. `form`:
 * what the connector asks for before signing in; wrong values are `invalid_input`.
 */
export async function authorizeUrl(
  services: Services,
  caller: Caller,
  connector: Connector,
  form: Record<string, unknown>,
): Promise<string> {
  refuseComingSoon(services, connector)
  const oauth = requirePart(connector, 'oauth', 'does not use a sign-in page')
  const tile = connector.manifest.id
  const settings = oauth.form
    ? await parseForm(services, caller, { fields: oauth.fields ?? [], form: oauth.form }, form)
    : {}
  const state = `${tile}.${randomBytes(32).toString('base64url')}`
  const stateHash = hashOfState(state)
  const { codeVerifier, codeChallenge } = oauth.pkce ? newVerifier() : { codeVerifier: null, codeChallenge: null }
  const app = await inWorkspace(services.db, caller.workspaceId, async (tx) => {
    const found = await requireApp(tx, services, caller.workspaceId, connector)
    await refuseSameApp(tx, services, caller.workspaceId, connector, found)
    const expiresAt = new Date(services.now().getTime() + STATE_MS)
    const started = { accountId: caller.accountId, connector: tile, stateHash }
    const sealed = sealRequest(services, stateHash, { settings, codeVerifier })
    await insertState(tx, caller.workspaceId, started, { sealed, expiresAt })
    return found
  })
  const context = providerContext(services, tile, { settings, secrets: {} })
  const request = { redirectUrl: redirectUrl(services.config), state }
  return oauth.authorizeUrl(context, app.fields, codeChallenge === null ? request : { ...request, codeChallenge })
}

/** Exchanges what the provider sent back for a sign-in and stores it. The state is used up even if the exchange fails. */
export async function finishOAuth(
  services: Services,
  caller: Caller,
  connector: Connector,
  given: ProviderReturn,
  hooks: ConnectionHooks,
): Promise<void> {
  refuseComingSoon(services, connector)
  const oauth = requirePart(connector, 'oauth', 'does not use a sign-in page')
  const tile = connector.manifest.id
  refuseEmpty(given)
  const { started, app } = await inWorkspace(services.db, caller.workspaceId, async (tx) => ({
    app: await requireApp(tx, services, caller.workspaceId, connector),
    started: await consumeState(tx, services, caller, tile, given.state),
  }))
  const stateless = given.state === null && services.config.oauthStateless.includes(tile)
  const request = started ?? (stateless ? { settings: {}, codeVerifier: null } : null)
  if (!request) {
    throw new ContractError('invalid_input', 'This sign-in was not started here, or it has expired: start it again', {
      'body.state': 'Unknown or expired',
    })
  }
  if (given.query.error) throw new ContractError('provider_refused', refusalText(connector, given.query))
  const { settings, codeVerifier } = request
  const context = providerContext(services, tile, { settings, secrets: {} })
  const exchange = {
    redirectUrl: redirectUrl(services.config),
    code: given.code ?? '',
    query: given.query,
    ...(codeVerifier === null ? {} : { codeVerifier }),
  }
  const signedIn = await asking(() => oauth.exchange(context, app.fields, exchange))
  const whole = { ...signedIn, settings: { ...settings, ...signedIn.settings } }
  await storeSignIn(services, caller.workspaceId, connector, whole, hooks)
}

/** Without a code, only the return to a state with something else in it is a sign-in. */
function refuseEmpty({ code, state, query }: ProviderReturn): void {
  const others = Object.keys(query).filter((name) => name !== 'code' && name !== 'state')
  if (code !== null || (state !== null && others.length > 0)) return
  throw new ContractError('invalid_input', 'The provider sent no code back', { 'body.code': 'Missing' })
}

const MAX_DESCRIPTION = 200

/** The refusal that a provider sent back in place of a code (RFC 6749, 4.1.2.1). */
function refusalText(
  { manifest }: Connector,
  { error, error_description: description }: Record<string, string>,
): string {
  if (error === 'access_denied' && !description) return `Access was denied on the page of ${manifest.label}`
  const reason = (description || error || '').slice(0, MAX_DESCRIPTION).toWellFormed()
  return `${manifest.label} refused the sign-in: ${reason}`
}

/** The request that a state belongs to. Without a state, one that the same account started in the last ten minutes is used instead. */
async function consumeState(
  tx: Tx,
  services: Services,
  { workspaceId, accountId }: Caller,
  connector: string,
  state: string | null,
): Promise<SignInRequest | null> {
  const stateHash = state === null ? null : hashOfState(state)
  const taken = await takeState(tx, workspaceId, { accountId, connector, stateHash }, services.now())
  return taken && openRequest(services, taken)
}

/** A second sign-in with the app of the first one would widen what the first one permits. */
async function refuseSameApp(
  tx: Tx,
  services: Services,
  workspaceId: string,
  { postsFor }: Connector,
  own: ProviderApp,
): Promise<void> {
  const reader = postsFor === undefined ? undefined : connectorById(postsFor)
  if (!reader?.app || !reader.poster) return
  const readers = await readApp(tx, services, workspaceId, { ...reader, app: reader.app })
  if (!readers || !reader.poster.isSameApp(own.fields, readers.fields)) return
  const { label } = reader.manifest
  throw new ContractError(
    'conflict',
    `These are the credentials of the app that reads ${label}, which could then post too: create a separate app for posting`,
  )
}

async function requireApp(tx: Tx, services: Services, workspaceId: string, connector: Connector): Promise<ProviderApp> {
  const app = requirePart(connector, 'app', 'does not support your own app')
  const found = await readApp(tx, services, workspaceId, { ...connector, app })
  if (found) return found
  throw new ContractError('not_configured', `${connector.manifest.label} has no app yet: set it up first`)
}
