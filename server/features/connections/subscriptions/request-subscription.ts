import type { Connector } from '@groundswell/connectors/connector.ts'
import { connectorById } from '@groundswell/connectors/index.ts'
import type { Tx } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import type { Connection } from '../store.ts'
import { ensureSubscriptionJob, removeSubscriptionJob } from './subscription-jobs.ts'
import { hashOfKey, newSubscriptionSecrets, sealSubscription } from './subscription-key.ts'
import { deleteSubscription, readSubscription, requireSubscription } from './subscription-store.ts'

/** Requests the subscription of a connection that was made, or whose choices were saved, in the caller's transaction. */
export async function requestSubscription(
  services: Services,
  tx: Tx,
  connector: Connector,
  { workspaceId, id: connectionId }: Pick<Connection, 'workspaceId' | 'id'>,
): Promise<void> {
  if (!connector.subscriptions) return
  const secrets = newSubscriptionSecrets()
  const sealed = sealSubscription(services, connectionId, secrets)
  const made = { keyHash: hashOfKey(secrets.key), sealed }
  await requireSubscription(tx, workspaceId, connectionId, made, services.now())
  await services.queue.send(ensureSubscriptionJob, { workspaceId, connectionId }, { tx, key: connectionId, once: true })
}

/**
 * Ends the subscription of a connection that is being disconnected, in the caller's transaction: its key is unknown from then on. It is
 * removed at the provider by a job, which alone has the sealed secrets: true. A sign-in that has ended cannot remove anything.
 */
export async function releaseSubscription(
  services: Services,
  tx: Tx,
  connection: Pick<Connection, 'workspaceId' | 'id' | 'connector' | 'sealedSecrets' | 'renewAt' | 'signedOut'>,
): Promise<boolean> {
  const { workspaceId, id, sealedSecrets, renewAt, signedOut } = connection
  if (!connectorById(connection.connector)?.subscriptions) return false
  const stored = await readSubscription(tx, workspaceId, id, { lock: true })
  if (!stored) return false
  await deleteSubscription(tx, workspaceId, id)
  if (stored.state === null || signedOut) return false
  const job = {
    workspaceId,
    connectionId: id,
    sealedSecrets,
    renewAt: renewAt?.toISOString() ?? null,
    state: stored.state,
    renewed: false,
  }
  await services.queue.send(removeSubscriptionJob, job, { tx, key: id })
  return true
}
