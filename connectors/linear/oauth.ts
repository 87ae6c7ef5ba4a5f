import * as z from 'zod/mini'
import type { Context, OAuth, Refreshed, SignedIn } from '../connector.ts'
import { AuthExpired, type ConnectorFailure, Rejected } from '../kit/errors.ts'
import { type Granted, grantedTokens, TokenReply } from '../kit/granted-tokens.ts'
import { jsonCall } from '../kit/http/json-call.ts'
import { tokenCall } from '../kit/http/token-call.ts'
import { SCOPES } from './app.ts'
import { check } from './check.ts'
import { apiUrl, siteUrl } from './client.ts'
import { LinearSecrets } from './manifest.ts'

/** OAuth of Linear, as the application itself (`actor=app`): issues are created in its name, not in a person's. */
export const oauth: OAuth = {
  pkce: true,
  authorizeUrl(context, app, { redirectUrl, state, codeChallenge }) {
    const query = new URLSearchParams({
      client_id: app.client_id ?? '',
      redirect_uri: redirectUrl,
      response_type: 'code',
      scope: SCOPES.join(','),
      state,
      actor: 'app',
      prompt: 'consent',
      ...(codeChallenge ? { code_challenge: codeChallenge, code_challenge_method: 'S256' } : {}),
    })
    return `${siteUrl(context)}/oauth/authorize?${query.toString()}`
  },
  async exchange(context: Context, app, { redirectUrl, code, codeVerifier }): Promise<SignedIn> {
    const { scopes, ...granted } = await requestTokens(
      context,
      app,
      { grant_type: 'authorization_code', code, redirect_uri: redirectUrl, code_verifier: codeVerifier },
      () => new Rejected('Linear refused to sign in: check the client ID and the client secret, then retry'),
    )
    const lacking = scopes && SCOPES.filter((scope) => !scopes.includes(scope) && !isImplied(scope, scopes))
    if (lacking && lacking.length > 0) {
      throw new Rejected(`The sign-in at Linear lacks ${lacking.join(', ')}. Allow it and connect again`)
    }
    return { ...(await check({ ...context, secrets: granted.secrets })), ...granted }
  },
}

/** `write` includes the narrower scopes. */
const isImplied = (scope: string, scopes: readonly string[]) => scope.endsWith(':create') && scopes.includes('write')

/** Exchanges the refresh token for a new pair. Linear replaces both. */
export async function refresh(context: Context, app: Record<string, string> | null): Promise<Refreshed> {
  const held = LinearSecrets.safeParse(context.secrets).data
  const refresh_token = held && 'access_token' in held ? held.refresh_token : undefined
  if (refresh_token === undefined || app === null) throw new AuthExpired('The sign-in at Linear is over. Connect again')
  const { secrets, expiresAt } = await requestTokens(
    context,
    app,
    { grant_type: 'refresh_token', refresh_token },
    () => new AuthExpired('Linear no longer accepts the sign-in. Connect again'),
  )
  return { secrets: { refresh_token, ...secrets }, expiresAt }
}

/** Revokes what a sign-in got. A pasted API key is left alone: it may be in use elsewhere. */
export async function revoke(context: Context): Promise<void> {
  const held = LinearSecrets.safeParse(context.secrets).data
  if (!held || !('access_token' in held)) return
  const { access_token, refresh_token } = held
  // A token that expired or was revoked before is refused, as intended.
  if (refresh_token !== undefined) await revokeToken(context, { token: refresh_token, hint: 'refresh_token' })
  await revokeToken(context, { token: access_token, hint: 'access_token' })
}

async function revokeToken(context: Context, { token, hint }: { token: string; hint: string }): Promise<void> {
  try {
    await jsonCall(context, {
      who: 'Linear',
      name: 'oauth/revoke',
      method: 'POST',
      url: `${apiUrl(context)}/oauth/revoke`,
      body: { form: { token, token_type_hint: hint } },
      schema: z.unknown(),
      failures: ({ response }) => ([400, 401].includes(response.status) ? new Rejected('already revoked') : null),
    })
  } catch (error) {
    if (!(error instanceof Rejected)) throw error
  }
}

async function requestTokens(
  context: Context,
  { client_id, client_secret }: Record<string, string>,
  grant: Record<string, string | undefined>,
  refused: () => ConnectorFailure,
): Promise<Granted> {
  const asked = context.now().getTime()
  const reply = await tokenCall(context, {
    who: 'Linear',
    name: 'oauth/token',
    url: `${apiUrl(context)}/oauth/token`,
    body: { form: { ...grant, client_id, client_secret } },
    schema: TokenReply,
    renews: 'refresh_token' in grant,
    refused,
  })
  return grantedTokens(reply, asked)
}
