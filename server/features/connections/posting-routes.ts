import type { AppSetup, Connector } from '@groundswell/connectors/connector.ts'
import * as contract from '@groundswell/contract/posts.ts'
import { inWorkspace } from '../../platform/db/tenant.ts'
import { type Handler, handle } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { authorizeUrl, finishOAuth } from './sign-in/oauth.ts'
import { saveOwnApp, viewApp } from './sign-in/provider-app.ts'
import { requirePart, tilePoster } from './tile.ts'

/** The calls of the second sign-in, which permits posting. It is made like that of a tile, and nothing is read or pushed with it. */
export function postingSignInRoutes(services: Services): Handler[] {
  return [
    handle(contract.getPostingApp, ({ params, caller }) =>
      inWorkspace(services.db, caller.workspaceId, (tx) =>
        viewApp(tx, services, caller.workspaceId, posterWithApp(params.tile)),
      ),
    ),

    handle(contract.savePostingApp, ({ params, body, caller }) =>
      inWorkspace(services.db, caller.workspaceId, async (tx) => {
        const poster = posterWithApp(params.tile)
        await saveOwnApp(tx, services, caller.workspaceId, poster, body)
        return viewApp(tx, services, caller.workspaceId, poster)
      }),
    ),

    handle(contract.authorizePosting, async ({ params, caller }) => ({
      url: await authorizeUrl(services, caller, tilePoster(params.tile), {}),
    })),

    handle(contract.finishPosting, async ({ params, body, caller }) => {
      const poster = tilePoster(params.tile)
      const given = { code: body.code ?? null, state: body.state ?? null, query: body.query ?? {} }
      await finishOAuth(services, caller, poster, given, {})
      return { message: `Groundswell can post to ${poster.manifest.label}` }
    }),
  ]
}

function posterWithApp(tile: string): Connector & { app: AppSetup } {
  const poster = tilePoster(tile)
  return { ...poster, app: requirePart(poster, 'app', 'does not support your own app') }
}
