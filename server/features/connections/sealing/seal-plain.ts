import { connectors } from '@groundswell/connectors/index.ts'
import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { everyWorkspace } from '../../../platform/sweep/every-workspace.ts'
import { connectionsWithFields, removePlainFields, workspacesToSeal } from '../store.ts'
import { openSecrets, plainFields, sealSecrets, UnreadableSecrets } from './secrets.ts'

/**
 * Seals secret fields that are stored in the settings of connections: an earlier version did not treat them as secret. Of a
 * disconnected connection they are removed. Where the other secrets cannot be opened, the row stays as it is.
 */
export async function sealPlainFields(services: Services): Promise<void> {
  const fields = Object.fromEntries(connectors.map(({ manifest }) => [manifest.id, manifest.secretFields]))
  const due = (tx: Tx) => workspacesToSeal(tx, fields)
  await everyWorkspace(services, 'seal-connections', due, (id) =>
    inWorkspace(services.db, id, (tx) => sealWorkspace(services, tx, id)),
  )
}

async function sealWorkspace(services: Services, tx: Tx, workspaceId: string): Promise<void> {
  for (const { manifest } of connectors) {
    if (manifest.secretFields.length === 0) continue
    const rows = await connectionsWithFields(tx, workspaceId, manifest.id, manifest.secretFields)
    for (const connection of rows) {
      const names = Object.keys(plainFields(connection))
      if (connection.disconnectedAt) {
        await removePlainFields(tx, workspaceId, connection.id, names, null)
        continue
      }
      try {
        const sealed = sealSecrets(services, connection.id, openSecrets(services, connection))
        await removePlainFields(tx, workspaceId, connection.id, names, sealed)
      } catch (error) {
        if (!(error instanceof UnreadableSecrets)) throw error
        services.log.warn({ connection: connection.id }, 'the secrets of a connection cannot be opened with this key')
      }
    }
  }
}
