import type { ProviderRequest } from '@groundswell/connectors/connector.ts'
import * as connections from '@groundswell/contract/connections.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import * as contract from '@groundswell/contract/sources.ts'
import { inWorkspace } from '../../platform/db/tenant.ts'
import { type Handler, handle, type RequestFacts } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { lackOfChoices, requireLive, requirePart, tileConnector } from '../connections/index.ts'
import { receiveEvents, receiveOwnEvents } from './receive-events.ts'
import { requestSync } from './request-sync.ts'
import { cancelSync } from './sync-state-store.ts'

const MAX_EVENT_BYTES = 1024 * 1024
const NO_BODY = new Uint8Array()

/** The calls that start and cancel a sync, and those that providers make. */
export function syncRoutes(services: Services): Handler[] {
  return [
    handle(contract.startSync, async ({ params, caller }) => {
      const connector = tileConnector(params.tile)
      requirePart(connector, 'pull', 'is not read by syncs')
      const started = await inWorkspace(services.db, caller.workspaceId, async (tx) => {
        const connection = await requireLive(tx, caller.workspaceId, connector)
        if (connection.signedOut) throw new ContractError('not_configured', 'The sign-in has ended: connect again')
        if (!connection.ready) throw new ContractError('not_configured', lackOfChoices(connector))
        return requestSync(services)(tx, caller.workspaceId, connection.id)
      })
      return { message: started ? 'Sync started' : 'A sync is already running' }
    }),

    handle(connections.cancelSync, async ({ params, caller }) => {
      const connector = tileConnector(params.tile)
      const cancelled = await inWorkspace(services.db, caller.workspaceId, async (tx) => {
        const connection = await requireLive(tx, caller.workspaceId, connector)
        return cancelSync(tx, caller.workspaceId, connection.id)
      })
      return { message: cancelled ? 'The sync stops after the current page' : 'No sync was running' }
    }),

    handle(contract.receiveEvents, async ({ params, query, raw, request }) => {
      const connector = tileConnector(params.tile)
      return receiveEvents(services, connector, toProviderRequest('POST', query, request, await readAll(raw)))
    }),

    handle(contract.confirmEvents, ({ params, query, request }) =>
      receiveEvents(services, tileConnector(params.tile), toProviderRequest('GET', query, request, NO_BODY)),
    ),

    handle(contract.receiveOwnEvents, async ({ params, query, raw, request }) => {
      const connector = tileConnector(params.tile)
      const sent = toProviderRequest('POST', query, request, await readAll(raw))
      return receiveOwnEvents(services, connector, { ...sent, key: params.key })
    }),

    handle(contract.confirmOwnEvents, ({ params, query, request }) => {
      const sent = toProviderRequest('GET', query, request, NO_BODY)
      return receiveOwnEvents(services, tileConnector(params.tile), { ...sent, key: params.key })
    }),
  ]
}

/** A query parameter that is repeated is left out. */
function toProviderRequest(
  method: string,
  parameters: Readonly<Record<string, unknown>>,
  { headers }: RequestFacts,
  body: Uint8Array,
): ProviderRequest {
  const query = Object.entries(parameters).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return { method, query: Object.fromEntries(query), key: null, headers, body }
}

/** The bytes as received: signatures cover them. */
async function readAll(raw: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of raw) {
    size += part.byteLength
    if (size > MAX_EVENT_BYTES) throw new ContractError('payload_too_large', 'The event is longer than 1 MiB')
    parts.push(part)
  }
  return Buffer.concat(parts)
}
