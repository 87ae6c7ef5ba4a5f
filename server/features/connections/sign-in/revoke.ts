import { connectorById } from '@groundswell/connectors/index.ts'
import { z } from 'zod'
import { inWorkspace, type Tx, withoutWorkspace } from '../../../platform/db/tenant.ts'
import type { Log } from '../../../platform/log/log.ts'
import { readFailure } from '../../../platform/queue/failure.ts'
import { defineJob, type JobWorker, jobWorker } from '../../../platform/queue/queue.ts'
import type { Services } from '../../../platform/services.ts'
import { connectionContext } from '../context.ts'
import { type Connection, connectionById, connectionsOfAccount, endConnection } from '../store.ts'

/** Revokes a sign-in. The secrets stay sealed: only this installation can open them, and only for this connection. */
export const revokeJob = defineJob({
  name: 'revoke-sign-in',
  schema: z.object({ workspaceId: z.uuid(), connectionId: z.uuid(), sealedSecrets: z.string() }),
  tries: 12,
})

/** The subscription is removed at the provider with the same sign-in, so that goes first, with time for its retries. */
const AFTER_SUBSCRIPTION_SECONDS = 120

/**
 * Ends a connection here, in the caller's transaction, whatever the provider does. If the connector can revoke a sign-in, a job
 * then does so at the provider: true. From here on only that job has the sealed secrets.
 */
export async function disconnectConnection(
  services: Services,
  tx: Tx,
  connection: Pick<Connection, 'workspaceId' | 'id' | 'connector' | 'sealedSecrets' | 'signedOut'>,
): Promise<boolean> {
  const { workspaceId, id, sealedSecrets, signedOut } = connection
  await endConnection(tx, workspaceId, id, services.now())
  const connector = connectorById(connection.connector)
  if (sealedSecrets === null || signedOut || !connector?.revoke) return false
  const wait = connector.subscriptions ? { startAfter: AFTER_SUBSCRIPTION_SECONDS } : {}
  await services.queue.send(revokeJob, { workspaceId, connectionId: id, sealedSecrets }, { tx, key: id, ...wait })
  return true
}

/** Revokes sign-ins of connections that were disconnected. */
export function revokeWorker(services: Services): JobWorker {
  return jobWorker(revokeJob, (data, run) => revokeSignIn(services, data, run))
}

/**
 * Revokes one sign-in, unless a live connection uses the same account: providers issue one token per app and account, so
 * revoking it would also sign out other workspaces, and this one if it has reconnected. Throws when the queue has to retry; after
 * the last attempt the token stays valid at the provider.
 */
export async function revokeSignIn(
  services: Services,
  { workspaceId, connectionId, sealedSecrets }: { workspaceId: string; connectionId: string; sealedSecrets: string },
  { signal, log, lastAttempt }: { signal: AbortSignal; log: Log; lastAttempt: boolean },
): Promise<void> {
  const ended = await inWorkspace(services.db, workspaceId, (tx) => connectionById(tx, workspaceId, connectionId))
  if (!ended?.disconnectedAt) return
  const revoke = connectorById(ended.connector)?.revoke
  if (!revoke) return
  const { account } = ended
  if (account !== null) {
    const users = await withoutWorkspace(services.db, (tx) => connectionsOfAccount(tx, ended.connector, account))
    if (users.length > 0) return
  }
  try {
    await revoke(connectionContext(services, { ...ended, sealedSecrets }, signal))
  } catch (error) {
    signal.throwIfAborted()
    const { kind } = readFailure(error)
    // The provider no longer accepts the secrets: there is nothing left to revoke.
    if (kind === 'auth') return
    if (kind === 'rate-limited' || (kind === 'unavailable' && !lastAttempt)) throw error
    log.warn({ connection: connectionId, kind }, 'a sign-in could not be revoked at the provider')
  }
}
