import { createHash, randomBytes } from 'node:crypto'
import type { Connector } from '@groundswell/connectors/connector.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import type { Caller } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { redirectUrl } from './addresses.ts'
import { providerContext } from './context.ts'
import type { ConnectionHooks } from './hooks.ts'
import { insertState, takeState } from './oauth-state-store.ts'
import { type ProviderApp, readApp } from './provider-app.ts'
import { asking } from './refusal.ts'
import { storeSignIn } from './sign-in.ts'
import { requirePart } from './tile.ts'

const STATE_MS = 10 * 60_000

/**
 * The provider's consent page for this caller. Its `state` names the tile, is stored only as a hash, and is valid once, for ten
 * minutes, for the account that requested it: no one can trick another person into connecting an account that is not theirs.
 */
export async function authorizeUrl(services: Services, caller: Caller, connector: Connector): Promise<string> {
  const oauth = requirePart(connector, 'oauth', 'is not connected on a page of its own')
  const tile = connector.manifest.id
  const state = `${tile}.${randomBytes(32).toString('base64url')}`
  const app = await inWorkspace(services.db, caller.workspaceId, async (tx) => {
    const found = await requireApp(tx, services, caller.workspaceId, connector)
    const expires = new Date(services.now().getTime() + STATE_MS)
    const started = { accountId: caller.accountId, connector: tile, stateHash: hashOf(state) }
    await insertState(tx, caller.workspaceId, started, expires)
    return found
  })
  const context = providerContext(services, tile, { settings: {}, secrets: {} })
  return oauth.authorizeUrl(context, app.fields, { redirectUrl: redirectUrl(services.config), state })
}

/** Exchanges a code for a sign-in and stores it. The state is used up even if the exchange fails. */
export async function finishOAuth(
  services: Services,
  caller: Caller,
  connector: Connector,
  given: { code: string; state: string | null },
  hooks: ConnectionHooks,
): Promise<void> {
  const oauth = requirePart(connector, 'oauth', 'is not connected on a page of its own')
  const tile = connector.manifest.id
  const { started, app } = await inWorkspace(services.db, caller.workspaceId, async (tx) => ({
    app: await requireApp(tx, services, caller.workspaceId, connector),
    started: await consumeState(tx, services, caller, tile, given.state),
  }))
  const stateless = given.state === null && services.config.oauthStateless.includes(tile)
  if (!started && !stateless) {
    throw new ContractError('invalid_input', 'This sign-in was not started here, or it has expired: start it again', {
      'body.state': 'Unknown or expired',
    })
  }
  const context = providerContext(services, tile, { settings: {}, secrets: {} })
  const request = { redirectUrl: redirectUrl(services.config), code: given.code }
  const signedIn = await asking(() => oauth.exchange(context, app.fields, request))
  await storeSignIn(services, caller.workspaceId, connector, signedIn, hooks)
}

/** Without a state, one that the same account started in the last ten minutes is used instead. */
function consumeState(
  tx: Tx,
  services: Services,
  { workspaceId, accountId }: Caller,
  connector: string,
  state: string | null,
): Promise<boolean> {
  const stateHash = state === null ? null : hashOf(state)
  return takeState(tx, workspaceId, { accountId, connector, stateHash }, services.now())
}

async function requireApp(tx: Tx, services: Services, workspaceId: string, connector: Connector): Promise<ProviderApp> {
  const app = requirePart(connector, 'app', 'takes no app of your own')
  const found = await readApp(tx, services, workspaceId, { ...connector, app })
  if (found) return found
  throw new ContractError('not_configured', `${connector.manifest.label} has no app yet: set it up first`)
}

function hashOf(state: string): Buffer {
  return createHash('sha256').update(state).digest()
}
