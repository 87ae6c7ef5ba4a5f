import type { AppSetup, Connector } from '@groundswell/connectors/connector.ts'
import * as contract from '@groundswell/contract/sources.ts'
import { inWorkspace } from '../../platform/db/tenant.ts'
import { type Handler, handle } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { readChoices, saveChoices } from './choices/choices.ts'
import type { ConnectionHooks } from './hooks.ts'
import { authorizeUrl, finishOAuth } from './sign-in/oauth.ts'
import { saveOwnApp, viewApp } from './sign-in/provider-app.ts'
import { requirePart, tileConnector } from './tile.ts'

/** The calls to connect a source on its provider's page, to set it up, and to choose what it reads. */
export function sourceRoutes(services: Services, hooks: ConnectionHooks): Handler[] {
  return [
    handle(contract.authorize, async ({ params, body, caller }) => ({
      url: await authorizeUrl(services, caller, tileConnector(params.tile), body ?? {}),
    })),

    handle(contract.finishOAuth, async ({ params, body, caller }) => {
      const connector = tileConnector(params.tile)
      const given = { code: body.code ?? null, state: body.state ?? null, query: body.query ?? {} }
      await finishOAuth(services, caller, connector, given, hooks)
      return { message: `${connector.manifest.label} is connected` }
    }),

    handle(contract.getApp, ({ params, caller }) => {
      const connector = appConnector(params.tile)
      return inWorkspace(services.db, caller.workspaceId, (tx) => viewApp(tx, services, caller.workspaceId, connector))
    }),

    handle(contract.saveApp, ({ params, body, caller }) => {
      const connector = appConnector(params.tile)
      return inWorkspace(services.db, caller.workspaceId, async (tx) => {
        await saveOwnApp(tx, services, caller.workspaceId, connector, body)
        return viewApp(tx, services, caller.workspaceId, connector)
      })
    }),

    handle(contract.getChoices, async ({ params, query, caller, request }) => ({
      choices: await readChoices(services, caller.workspaceId, tileConnector(params.tile), query, request.signal),
    })),

    handle(contract.saveChoices, async ({ params, query, body, caller, request }) => {
      const connector = tileConnector(params.tile)
      const given = { body, search: query.search }
      await saveChoices(services, caller.workspaceId, connector, given, hooks, request.signal)
      return { message: connector.pull ? 'Saved. Sync started.' : 'Saved.' }
    }),
  ]
}

function appConnector(tile: string): Connector & { app: AppSetup } {
  const connector = tileConnector(tile)
  return { ...connector, app: requirePart(connector, 'app', 'does not support your own app') }
}
