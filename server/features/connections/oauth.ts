import { createHash, randomBytes } from 'node:crypto'
import type { Connector } from '@groundswell/connectors/connector.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import { sql } from 'kysely'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import type { Caller } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { redirectUrl } from './addresses.ts'
import { providerContext } from './context.ts'
import type { ConnectionHooks } from './hooks.ts'
import { type ProviderApp, readApp } from './provider-app.ts'
import { asking } from './refusal.ts'
import { storeSignIn } from './sign-in.ts'
import { requirePart } from './tile.ts'

const STATE_MS = 10 * 60_000

/**
 * The provider's consent page for this caller. Its `state` names the tile, is stored only as a hash, and is valid once, for ten
 * minutes, for the account that requested it: nobody can trick another person into connecting an account that is not theirs.
 */
export async function authorizeUrl(services: Services, caller: Caller, connector: Connector): Promise<string> {
  const oauth = requirePart(connector, 'oauth', 'is not connected on a page of its own')
  const tile = connector.manifest.id
  const state = `${tile}.${randomBytes(32).toString('base64url')}`
  const app = await inWorkspace(services.db, caller.workspaceId, async (tx) => {
    const found = await requireApp(tx, services, caller.workspaceId, connector)
    const expires = new Date(services.now().getTime() + STATE_MS)
    await sql`
      insert into oauth_state (workspace_id, state_hash, account_id, connector, expires_at)
      values (${caller.workspaceId}, ${hashOf(state)}, ${caller.accountId}, ${tile}, ${expires})`.execute(tx)
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

/** Removes sign-ins that were started and never finished. */
export async function deleteExpiredStates(tx: Tx, workspaceId: string, at: Date): Promise<void> {
  await sql`delete from oauth_state where workspace_id = ${workspaceId} and expires_at <= ${at}`.execute(tx)
}

/** Without a state, one that the same account started in the last ten minutes is used instead. */
async function consumeState(
  tx: Tx,
  services: Services,
  caller: Caller,
  tile: string,
  state: string | null,
): Promise<boolean> {
  const which = state === null ? sql`true` : sql`state_hash = ${hashOf(state)}`
  const { rows } = await sql`
    delete from oauth_state
    where workspace_id = ${caller.workspaceId} and account_id = ${caller.accountId} and connector = ${tile}
      and expires_at > ${services.now()} and ${which}
    returning 1`.execute(tx)
  return rows.length > 0
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
