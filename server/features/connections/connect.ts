import type { Connector, Manifest } from '@groundswell/connectors/connector.ts'
import { inWorkspace } from '../../platform/db/tenant.ts'
import type { Caller } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { providerContext } from './context.ts'
import { type ConnectionHooks, callConnected } from './hooks.ts'
import { deletePauses } from './pauses/pause-store.ts'
import { asking } from './refusal.ts'
import { sealSecrets, signingOf } from './sealing/secrets.ts'
import { lifeOf } from './sign-in/credential-life.ts'
import { storeSignIn } from './sign-in/sign-in.ts'
import { changeConnection, ensureConnection } from './store.ts'
import { parseForm } from './submitted-form.ts'
import { requestSubscription } from './subscriptions/request-subscription.ts'

/**
 * Connects by a submitted form. A live connection of the same connector takes over the new values and keeps its id, so its
 * ledger and its signing secret stay. Where the connector checks its form, the account is first requested from the provider. Throws
 * `invalid_input` with the wrong fields.
 */
export async function connect(
  services: Services,
  caller: Pick<Caller, 'workspaceId' | 'isAdmin'>,
  connector: Connector,
  form: unknown,
  hooks: ConnectionHooks,
): Promise<void> {
  const { manifest, check } = connector
  const { workspaceId } = caller
  const values = await parseForm(services, caller, manifest, form)
  const { settings, secrets } = split(manifest, values)
  if (check) {
    const who = await asking(() => check(providerContext(services, manifest.id, { settings, secrets })))
    const signedIn = {
      account: who.account,
      expiresAt: who.expiresAt ?? null,
      settings: { ...settings, ...who.settings },
      secrets: { ...secrets, ...who.secrets },
    }
    return storeSignIn(services, workspaceId, connector, signedIn, hooks)
  }
  await inWorkspace(services.db, workspaceId, async (tx) => {
    const { connection } = await ensureConnection(tx, workspaceId, manifest.id)
    const sealed = sealSecrets(services, connection.id, { fields: secrets, ...signingOf(services, connection) })
    const chosen = Object.fromEntries(connection.chosen.map(({ field }) => [field, connection.settings[field]]))
    await changeConnection(tx, workspaceId, connection.id, {
      settings: { ...chosen, ...settings },
      sealedSecrets: sealed,
      life: lifeOf(null, services.now()),
      signedOut: false,
      paused: false,
      error: null,
      lastTest: null,
    })
    await deletePauses(tx, workspaceId, connection.id)
    await requestSubscription(services, tx, connector, connection)
    await callConnected(hooks, tx, connector, connection)
  })
}

function split(
  manifest: Manifest,
  values: Record<string, unknown>,
): { settings: Record<string, unknown>; secrets: Record<string, string> } {
  const settings: Record<string, unknown> = {}
  const secrets: Record<string, string> = {}
  for (const [name, value] of Object.entries(values)) {
    if (!manifest.secretFields.includes(name)) settings[name] = value
    else if (typeof value === 'string' && value !== '') secrets[name] = value
  }
  return { settings, secrets }
}
