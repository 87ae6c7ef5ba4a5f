import * as z from 'zod/mini'
import type { Context, OAuth, Refreshed, SignedIn } from '../connector.ts'
import { AuthExpired, Rejected } from '../kit/errors.ts'
import { type Granted, grantedTokens, TokenReply } from '../kit/granted-tokens.ts'
import { tokenCall } from '../kit/http/token-call.ts'
import { SCOPES } from './app.ts'
import { check } from './check.ts'
import { limits, ZendeskRefusal, zendeskUrl } from './client.ts'
import { Subdomain, subdomainField, ZendeskSecrets } from './manifest.ts'

/** OAuth of one Zendesk account. A code is valid once and for two minutes, so it is sent once. */
export const oauth: OAuth = {
  fields: [subdomainField],
  form: z.object({ subdomain: Subdomain }),
  pkce: true,
  authorizeUrl(context, app, { redirectUrl, state, codeChallenge }) {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: app.client_id ?? '',
      redirect_uri: redirectUrl,
      scope: SCOPES.join(' '),
      state,
      ...(codeChallenge ? { code_challenge: codeChallenge, code_challenge_method: 'S256' } : {}),
    })
    return `${zendeskUrl(context)}/oauth/authorizations/new?${query.toString()}`
  },
  async exchange(context: Context, app, { redirectUrl, code, codeVerifier }): Promise<SignedIn> {
    const { scopes, secrets, expiresAt } = await tokens(
      context,
      app,
      {
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUrl,
        scope: SCOPES.join(' '),
        ...(codeVerifier ? { code_verifier: codeVerifier } : {}),
      },
      (status) =>
        new ZendeskRefusal(
          status,
          'Zendesk refused to sign in: check the unique identifier and the secret, then retry',
        ),
    )
    if (scopes !== null && !scopes.includes('read')) {
      throw new Rejected('The sign-in at Zendesk lacks the scope read. Allow it and connect again')
    }
    return { ...(await check({ ...context, secrets })), secrets, expiresAt }
  },
}

/** Exchanges the refresh token for a new pair; Zendesk deletes the old pair, also the access token. */
export async function refresh(context: Context, app: Record<string, string> | null): Promise<Refreshed> {
  const held = ZendeskSecrets.safeParse(context.secrets).data
  const refresh_token = held && 'access_token' in held ? held.refresh_token : undefined
  if (refresh_token === undefined || app === null)
    throw new AuthExpired('The sign-in at Zendesk is over. Connect again')
  const over = () => new AuthExpired('Zendesk no longer accepts the sign-in. Connect again')
  const { secrets, expiresAt } = await tokens(context, app, { grant_type: 'refresh_token', refresh_token }, over)
  return { secrets, expiresAt }
}

async function tokens(
  context: Context,
  app: Record<string, string>,
  grant: Record<string, string>,
  refused: (status: number) => ZendeskRefusal | AuthExpired,
): Promise<Granted> {
  const { client_id, client_secret } = app
  const asked = context.now().getTime()
  const reply = await tokenCall(context, {
    who: 'Zendesk',
    name: 'oauth/tokens',
    url: `${zendeskUrl(context)}/oauth/tokens`,
    body: { json: { ...grant, client_id, client_secret } },
    schema: TokenReply,
    limits,
    renews: 'refresh_token' in grant,
    refused: ({ status }) => refused(status),
  })
  return grantedTokens(reply, asked)
}
