import type { Connector, ProviderEvents, ProviderRequest } from '@groundswell/connectors/connector.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import { inWorkspace, withoutWorkspace } from '../../platform/db/tenant.ts'
import { PreparedReply } from '../../platform/http/prepared-reply.ts'
import { readFailure } from '../../platform/queue/failure.ts'
import type { Services } from '../../platform/services.ts'
import { allApps, connectionsOfAccount, requirePart } from '../connections/index.ts'
import { keepEvent } from './event-store.ts'
import { followJob } from './sync-job.ts'

/**
 * Takes in what a provider tells. The request must be proven by an app that is set up here, and an app of one workspace speaks
 * for that workspace only. Each event is kept once by its id and followed by a job, so that the reply does not wait.
 */
export async function receiveEvents(
  services: Services,
  connector: Connector,
  request: ProviderRequest,
): Promise<PreparedReply> {
  const receive = requirePart(connector, 'receive', 'sends no events')
  const app = requirePart(connector, 'app', 'sends no events')
  for (const { fields, workspaceId } of await allApps(services, { ...connector, app })) {
    const told = proven(() => receive(fields, request, services.now()))
    if (!told) continue
    for (const event of told.events) await keep(services, connector.manifest.id, workspaceId, event)
    return new PreparedReply(told.reply.status, { 'content-type': told.reply.type }, told.reply.body)
  }
  throw new ContractError('forbidden', 'The request is not signed by an app that is set up here, or came too late')
}

function proven(read: () => ProviderEvents): ProviderEvents | null {
  try {
    return read()
  } catch (error) {
    if (readFailure(error).kind === 'rejected') return null
    throw error
  }
}

async function keep(
  services: Services,
  connector: string,
  appOf: string | null,
  event: ProviderEvents['events'][number],
): Promise<void> {
  const about = await withoutWorkspace(services.db, (tx) => connectionsOfAccount(tx, connector, event.account))
  for (const { workspaceId, id, ownApp } of about) {
    if (appOf === null ? ownApp : appOf !== workspaceId) continue
    await inWorkspace(services.db, workspaceId, async (tx) => {
      if (!(await keepEvent(tx, workspaceId, id, { id: event.id, kept: event.payload }))) return
      await services.queue.send(followJob, { workspaceId, connectionId: id }, { tx, key: id, once: true })
    })
  }
}
