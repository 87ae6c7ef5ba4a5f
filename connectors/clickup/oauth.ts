import * as z from 'zod/mini'
import type { OAuth, SignedIn } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { jsonCall } from '../kit/json-call.ts'
import { check } from './check.ts'
import { apiUrl, limits, siteUrl } from './client.ts'

const Token = z.object({ access_token: z.string().check(z.minLength(1)) })

/** OAuth of ClickUp: without scopes, and with a token that does not end. */
export const oauth: OAuth = {
  authorizeUrl(context, app, { redirectUrl, state }) {
    const query = new URLSearchParams({ client_id: app.client_id ?? '', redirect_uri: redirectUrl, state })
    return `${siteUrl(context)}/api?${query.toString()}`
  },
  async exchange(context, { client_id, client_secret }, { code }): Promise<SignedIn> {
    const { data } = await jsonCall(context, {
      who: 'ClickUp',
      name: 'oauth/token',
      method: 'POST',
      url: `${apiUrl(context)}/api/v2/oauth/token`,
      body: { json: { client_id, client_secret, code } },
      schema: Token,
      failures: ({ response }) =>
        [400, 401, 403].includes(response.status)
          ? new Rejected('ClickUp refused to sign in: check the client ID and the client secret, then retry')
          : null,
      limits,
    })
    return check({ ...context, secrets: { access_token: data.access_token } })
  },
}
