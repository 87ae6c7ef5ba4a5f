import * as z from 'zod/mini'
import type { Context, OAuth, SignedIn } from '../connector.ts'
import { tokenCall } from '../kit/http/token-call.ts'
import { check } from './check.ts'
import { API_VERSION, IntercomRefusal, intercomUrl, limits } from './client.ts'
import { Region, regionField } from './manifest.ts'
import { ErrorReply, Granted } from './schema.ts'

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
    const { client_id, client_secret } = app
    const { access_token } = await tokenCall(context, {
      who: 'Intercom',
      name: 'auth/eagle/token',
      url: `${intercomUrl(context)}/auth/eagle/token`,
      headers: { 'intercom-version': API_VERSION },
      body: { json: { code, client_id, client_secret } },
      schema: Granted,
      limits,
      renews: false,
      readRefusal: (body) => {
        const errors = ErrorReply.safeParse(body).data?.errors
        return errors ? { error: errors[0]?.code ?? '', description: '' } : null
      },
      refused: ({ status }) =>
        new IntercomRefusal(
          status,
          'Intercom refused to sign in: check the client ID, the client secret and the region',
        ),
    })
    const secrets = { access_token }
    const signed = await check({ ...context, secrets, settings: { ...context.settings, revocable: true } })
    return { ...signed, expiresAt: null }
  },
}
