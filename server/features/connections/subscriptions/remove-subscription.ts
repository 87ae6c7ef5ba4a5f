import type { Connector, Context } from '@groundswell/connectors/connector.ts'
import { connectorById } from '@groundswell/connectors/index.ts'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import type { Log } from '../../../platform/log/log.ts'
import { readFailure } from '../../../platform/queue/failure.ts'
import type { Services } from '../../../platform/services.ts'
import { connectionContext } from '../context.ts'
import { openSecrets, sealSecrets } from '../sealing/secrets.ts'
import { lifeOf } from '../sign-in/credential-life.ts'
import { callProvider } from '../sign-in/fresh-context.ts'
import { readApp } from '../sign-in/provider-app.ts'
import { type Connection, connectionById } from '../store.ts'
import { type Removal, removeSubscriptionJob } from './subscription-jobs.ts'

type Run = { signal: AbortSignal; log: Log; lastAttempt: boolean }

/**
 * Removes a subscription at the provider after a disconnect, with the sign-in of that time, or with the current one where the
 * connection is live again. Throws where the queue has to retry; after the last attempt it is left to the provider.
 */
export async function removeSubscription(services: Services, job: Removal, run: Run): Promise<void> {
  const { workspaceId, connectionId, state, sealedSecrets } = job
  const stored = await inWorkspace(services.db, workspaceId, (tx) => connectionById(tx, workspaceId, connectionId))
  const connector = stored && connectorById(stored.connector)
  const subscriptions = connector?.subscriptions
  if (!stored || !subscriptions) return
  const remove = (context: Context) => subscriptions.remove(context, state)
  try {
    if (!stored.disconnectedAt && !stored.signedOut) return await callProvider(services, stored, remove, run.signal)
    if (sealedSecrets === null) return
    const ended = { ...stored, sealedSecrets }
    const due = job.renewAt !== null && Date.parse(job.renewAt) <= services.now().getTime()
    if (due && (await removeLater(services, connector, ended, job))) return
    await remove(connectionContext(services, ended, run.signal)).catch(async (error: unknown) => {
      const refused = readFailure(error).kind === 'auth' && job.renewAt !== null
      if (!refused || !(await removeLater(services, connector, ended, job))) throw error
    })
  } catch (error) {
    run.signal.throwIfAborted()
    const { kind } = readFailure(error)
    if (kind === 'rate-limited' || (kind === 'unavailable' && !run.lastAttempt)) throw error
    run.log.warn({ connection: connectionId, kind }, 'a subscription could not be removed at the provider')
  }
}

/**
 * Refreshes the secrets of an ended sign-in once and sends them on in a new job, since a refresh token is often good once only. False
 * where they were refreshed before, or cannot be.
 */
async function removeLater(
  services: Services,
  connector: Connector,
  ended: Connection,
  job: Removal,
): Promise<boolean> {
  const { refresh, app } = connector
  if (!refresh || job.renewed) return false
  const { workspaceId, id } = ended
  const own = app
    ? await inWorkspace(services.db, workspaceId, (tx) => readApp(tx, services, workspaceId, { ...connector, app }))
    : null
  const refreshed = await refresh(connectionContext(services, ended), own?.fields ?? null)
  const secrets = { ...openSecrets(services, ended), fields: refreshed.secrets }
  const { renewAt } = lifeOf(refreshed.expiresAt, services.now())
  const sealedSecrets = sealSecrets(services, id, secrets)
  const next = { ...job, sealedSecrets, renewAt: renewAt?.toISOString() ?? null, renewed: true }
  await services.queue.send(removeSubscriptionJob, next, { key: id })
  return true
}
