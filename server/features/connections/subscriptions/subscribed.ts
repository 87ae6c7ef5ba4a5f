import type { Connector } from '@groundswell/connectors/connector.ts'
import { inWorkspace, withoutWorkspace } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { openSecrets, secretsForConnector, UnreadableSecrets } from '../sealing/secrets.ts'
import { readApp } from '../sign-in/provider-app.ts'
import { connectionById } from '../store.ts'
import { hashOfKey, openSubscription } from './subscription-key.ts'
import { readSubscription, subscribedConnection } from './subscription-store.ts'

/** The connection that a key belongs to, and the secrets by which its provider's requests are verified. */
type Subscribed = {
  workspaceId: string
  connectionId: string
  account: string | null
  secrets: Record<string, string>
}

/** Finds the connection of a key; null where no live connection of the connector has it, or its secrets cannot be opened. */
export async function findSubscribed(
  services: Services,
  connector: Connector,
  key: string,
): Promise<Subscribed | null> {
  const { manifest, app } = connector
  const found = await withoutWorkspace(services.db, (tx) => subscribedConnection(tx, manifest.id, hashOfKey(key)))
  if (!found) return null
  const { workspaceId, id: connectionId } = found
  return inWorkspace(services.db, workspaceId, async (tx) => {
    const connection = await connectionById(tx, workspaceId, connectionId)
    const subscription = await readSubscription(tx, workspaceId, connectionId)
    const opened = subscription && openSubscription(services, connectionId, subscription.sealed)
    if (!connection || !opened) return null
    const own = app ? await readApp(tx, services, workspaceId, { ...connector, app }) : null
    try {
      const signIn = secretsForConnector(openSecrets(services, connection), services.now())
      const secrets = { ...own?.fields, ...signIn, ...opened.secrets }
      return { workspaceId, connectionId, account: connection.account, secrets }
    } catch (error) {
      if (error instanceof UnreadableSecrets) return null
      throw error
    }
  })
}
