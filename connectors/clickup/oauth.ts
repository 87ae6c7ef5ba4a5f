import * as z from 'zod/mini'
import type { OAuth, SignedIn } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { tokenCall } from '../kit/http/token-call.ts'
import { check } from './check.ts'
import { apiUrl, limits, siteUrl } from './client.ts'

/** ClickUp's own form of an error. */
const ErrorReply = z.object({ err: z.nullish(z.string()), ECODE: z.nullish(z.string()) })
const Token = z.object({ access_token: z.string().check(z.minLength(1)) })

/** OAuth of ClickUp: without scopes, and with a token that does not end. */
export const oauth: OAuth = {
  authorizeUrl(context, app, { redirectUrl, state }) {
    const query = new URLSearchParams({ client_id: app.client_id ?? '', redirect_uri: redirectUrl, state })
    return `${siteUrl(context)}/api?${query.toString()}`
  },
  async exchange(context, { client_id, client_secret }, { code }): Promise<SignedIn> {
    const { access_token } = await tokenCall(context, {
      who: 'ClickUp',
      name: 'oauth/token',
      url: `${apiUrl(context)}/api/v2/oauth/token`,
      body: { json: { client_id, client_secret, code } },
      schema: Token,
      renews: false,
      readRefusal: (body) => {
        const { ECODE, err } = ErrorReply.safeParse(body).data ?? {}
        return ECODE || err ? { error: ECODE ?? '', description: err ?? '' } : null
      },
      refused: () => new Rejected('ClickUp refused to sign in: check the client ID and the client secret, then retry'),
      limits,
    })
    return check({ ...context, secrets: { access_token } })
  },
}
