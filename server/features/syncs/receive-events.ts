import type { Connector, ProviderEvents, ProviderRequest } from '@groundswell/connectors/connector.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import { inWorkspace, withoutWorkspace } from '../../platform/db/tenant.ts'
import { PreparedReply } from '../../platform/http/prepared-reply.ts'
import { readFailure } from '../../platform/queue/failure.ts'
import type { Services } from '../../platform/services.ts'
import { allApps, connectionsOfAccount, findSubscribed, requirePart } from '../connections/index.ts'
import { storeEvent } from './event-store.ts'
import { handleEventsJob } from './sync-job.ts'

/**
 * Accepts a provider's request. It must be signed by an app that is set up here, and an app of one workspace is valid
 * for that workspace only. Each event is stored once by its id and handled by a job, so that the reply does not wait.
 */
export async function receiveEvents(
  services: Services,
  connector: Connector,
  request: ProviderRequest,
): Promise<PreparedReply> {
  const receive = requirePart(connector, 'receive', 'sends no events')
  const app = requirePart(connector, 'app', 'sends no events')
  for (const { fields, workspaceId } of await allApps(services, { ...connector, app })) {
    const parsed = verified(() => receive(fields, request, services.now()))
    if (!parsed) continue
    for (const event of parsed.events) await store(services, connector.manifest.id, workspaceId, event)
    return new PreparedReply(parsed.reply.status, { 'content-type': parsed.reply.type }, parsed.reply.body)
  }
  throw refusal()
}

/**
 * Accepts a provider's request to the address of one connection. Its events are stored for that connection only; one that names another
 * account is dropped. An unknown key is refused like a forged signature.
 */
export async function receiveOwnEvents(
  services: Services,
  connector: Connector,
  request: ProviderRequest & { key: string },
): Promise<PreparedReply> {
  const receive = requirePart(connector, 'receive', 'sends no events')
  const subscribed = await findSubscribed(services, connector, request.key)
  const parsed = subscribed && verified(() => receive(subscribed.secrets, request, services.now()))
  if (!parsed) throw refusal()
  const { workspaceId, connectionId, account } = subscribed
  for (const event of parsed.events) {
    if (event.account !== '' && account !== null && event.account !== account) continue
    await storeFor(services, workspaceId, connectionId, event)
  }
  return new PreparedReply(parsed.reply.status, { 'content-type': parsed.reply.type }, parsed.reply.body)
}

function refusal(): ContractError {
  return new ContractError('forbidden', 'The request is not signed by an app that is set up here, or came too late')
}

function verified(read: () => ProviderEvents): ProviderEvents | null {
  try {
    return read()
  } catch (error) {
    if (readFailure(error).kind === 'rejected') return null
    throw error
  }
}

async function store(
  services: Services,
  connector: string,
  appOf: string | null,
  event: ProviderEvents['events'][number],
): Promise<void> {
  const about = await withoutWorkspace(services.db, (tx) => connectionsOfAccount(tx, connector, event.account))
  for (const { workspaceId, id, ownApp } of about) {
    if (appOf === null ? ownApp : appOf !== workspaceId) continue
    await storeFor(services, workspaceId, id, event)
  }
}

function storeFor(
  services: Services,
  workspaceId: string,
  connectionId: string,
  event: ProviderEvents['events'][number],
): Promise<void> {
  return inWorkspace(services.db, workspaceId, async (tx) => {
    if (!(await storeEvent(tx, workspaceId, connectionId, event))) return
    await services.queue.send(handleEventsJob, { workspaceId, connectionId }, { tx, key: connectionId, once: true })
  })
}
