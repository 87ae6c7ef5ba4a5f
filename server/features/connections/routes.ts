import type { Connector } from '@groundswell/connectors/connector.ts'
import { connectors } from '@groundswell/connectors/index.ts'
import {
  addConnection,
  disconnect,
  getSigningSecret,
  listConnectors,
  rotateSigningSecret,
  testConnection,
  updateConnection,
} from '@groundswell/contract/connections.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import { inWorkspace } from '../../platform/db/tenant.ts'
import { type Handler, handle } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { connect } from './connect.ts'
import { pushExample } from './connection-test/test-push.ts'
import { testSource } from './connection-test/test-source.ts'
import { testTracker } from './connection-test/test-tracker.ts'
import type { ConnectionHooks } from './hooks.ts'
import { openSecrets, readable, rotateSigning, sealSecrets } from './sealing/secrets.ts'
import { disconnectConnection } from './sign-in/revoke.ts'
import { sourceRoutes } from './source-routes.ts'
import { changeConnection } from './store.ts'
import { releaseSubscription } from './subscriptions/request-subscription.ts'
import { lackOfChoices, refuseComingSoon, requireLive, tileConnector } from './tile.ts'
import { type SyncsView, tileConnections } from './tile-store.ts'
import { type ItemsOf, viewConnection, viewConnector } from './view.ts'

/** The calls on connections; each tile's calls are driven by its connector's manifest. `syncs`, `itemsOf`: what tiles show besides. */
export function connectionRoutes(
  services: Services,
  { syncs, itemsOf = async () => [], ...hooks }: ConnectionHooks & { syncs: SyncsView; itemsOf?: ItemsOf },
): Handler[] {
  return [
    ...tileRoutes(services, hooks, { syncs, itemsOf }),
    ...sourceRoutes(services, hooks),
    ...secretRoutes(services),
  ]
}

function tileRoutes(
  services: Services,
  hooks: ConnectionHooks,
  { syncs, itemsOf }: { syncs: SyncsView; itemsOf: ItemsOf },
): Handler[] {
  return [
    handle(listConnectors, async ({ caller }) => {
      const { live, items } = await inWorkspace(services.db, caller.workspaceId, async (tx) => ({
        live: await tileConnections(tx, caller.workspaceId, syncs),
        items: new Map((await itemsOf(tx, caller.workspaceId)).map((one) => [one.connectionId, one])),
      }))
      const byConnector = new Map(live.map((connection) => [connection.connector, connection]))
      return {
        connectors: connectors.map((connector) => {
          const connection = byConnector.get(connector.manifest.id)
          return {
            manifest: viewConnector(services, connector, connection !== undefined),
            connection: connection ? viewConnection(services, connection, items.get(connection.id)) : null,
          }
        }),
      }
    }),

    handle(addConnection, async ({ params, body, caller }) => {
      const connector = tileConnector(params.tile)
      const { manifest } = connector
      refuseComingSoon(services, connector)
      await connect(services, caller, connector, body, hooks)
      return { message: `${manifest.label} is connected` }
    }),

    handle(testConnection, async ({ params, caller, request }) => {
      const connector = tileConnector(params.tile)
      const connection = await inWorkspace(services.db, caller.workspaceId, (tx) =>
        requireLive(tx, caller.workspaceId, connector),
      )
      if (connector.manifest.side === 'source') {
        const name = await testSource(services, connector, connection, request.signal)
        return { message: 'Connection works.', status: null, answer: `Connected to ${name}` }
      }
      if (!connection.ready) throw new ContractError('not_configured', lackOfChoices(connector))
      if (connector.tracker) {
        const answer = await testTracker(services, connector.tracker, connection, request.signal)
        return { message: 'Connection works.', status: null, answer }
      }
      const outcome = await pushExample(services, connector, connection, request.signal)
      return { message: 'Example data pushed successfully.', status: outcome.status, answer: outcome.answer }
    }),

    handle(disconnect, async ({ params, caller }) => {
      const connector = tileConnector(params.tile)
      await inWorkspace(services.db, caller.workspaceId, async (tx) => {
        const connection = await requireLive(tx, caller.workspaceId, connector)
        await releaseSubscription(services, tx, connection)
        await disconnectConnection(services, tx, connection)
      })
      return { message: `${connector.manifest.label} is disconnected` }
    }),

    handle(updateConnection, ({ params, body, caller }) => {
      const connector = tileConnector(params.tile)
      return inWorkspace(services.db, caller.workspaceId, async (tx) => {
        const before = await requireLive(tx, caller.workspaceId, connector)
        await changeConnection(tx, caller.workspaceId, before.id, {
          pushAutomatically: body.push_automatically,
          ...(body.reopen_items === undefined ? {} : { reopenItems: body.reopen_items }),
          ...(body.paused === false ? { paused: false, error: null } : {}),
        })
        const [after] = await tileConnections(tx, caller.workspaceId, syncs, before.id)
        if (!after) throw new Error('a locked connection ended')
        const connection = { workspaceId: caller.workspaceId, connectionId: after.id }
        if (!before.pushAutomatically && after.pushAutomatically) await hooks.destinationReady?.(tx, connection)
        if (before.paused && !after.paused) await hooks.destinationResumed?.(tx, connection)
        const items = (await itemsOf(tx, caller.workspaceId)).find((one) => one.connectionId === after.id)
        return viewConnection(services, after, items)
      })
    }),
  ]
}

function secretRoutes(services: Services): Handler[] {
  return [
    handle(getSigningSecret, async ({ params, caller }) => {
      const connector = signingConnector(params.tile)
      return inWorkspace(services.db, caller.workspaceId, async (tx) => {
        const connection = await requireLive(tx, caller.workspaceId, connector)
        const secret = readable(() => openSecrets(services, connection)).signing?.current
        if (secret === undefined)
          throw new ContractError('not_configured', 'There is no signing secret yet: create one')
        return { secret }
      })
    }),

    handle(rotateSigningSecret, async ({ params, caller }) => {
      const connector = signingConnector(params.tile)
      return inWorkspace(services.db, caller.workspaceId, async (tx) => {
        const connection = await requireLive(tx, caller.workspaceId, connector)
        const secrets = rotateSigning(
          readable(() => openSecrets(services, connection)),
          services.now(),
        )
        const sealedSecrets = sealSecrets(services, connection.id, secrets)
        await changeConnection(tx, caller.workspaceId, connection.id, { sealedSecrets })
        return { secret: secrets.signing.current }
      })
    }),
  ]
}

function signingConnector(tile: string): Connector {
  const connector = tileConnector(tile)
  if (connector.manifest.signs) return connector
  throw new ContractError('not_configured', `Requests to ${connector.manifest.label} are not signed`)
}
