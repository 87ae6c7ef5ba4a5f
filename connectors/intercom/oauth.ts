import * as z from 'zod/mini'
import type { Context, OAuth, SignedIn } from '../connector.ts'
import { check } from './check.ts'
import { call, IntercomRefusal, intercomUrl } from './client.ts'
import { Region, regionField } from './manifest.ts'
import { Granted } from './schema.ts'

/** OAuth in the region of the workspace. Permissions are those of the app, and the token does not end. */
export const oauth: OAuth = {
  fields: [regionField],
  form: z.object({ region: Region }),
  authorizeUrl(context, app, { redirectUrl, state }) {
    const query = new URLSearchParams({
      client_id: app.client_id ?? '',
      redirect_uri: redirectUrl,
      state,
    })
    return `${intercomUrl(context, 'app')}/oauth?${query.toString()}`
  },
  async exchange(context: Context, app, { code }): Promise<SignedIn> {
    const refused = (status: number) =>
      new IntercomRefusal(status, 'Intercom refused to sign in: check the client ID, the client secret and the region')
    const { client_id, client_secret } = app
    const { data } = await call(context, {
      name: 'auth/eagle/token',
      method: 'POST',
      path: '/auth/eagle/token',
      json: { code, client_id, client_secret },
      authorization: null,
      schema: Granted,
      refusals: Object.fromEntries([400, 401, 403, 404, 422].map((status) => [status, refused(status)])),
    })
    const secrets = { access_token: data.access_token }
    const signed = await check({ ...context, secrets, settings: { ...context.settings, revocable: true } })
    return { ...signed, expiresAt: null }
  },
}
