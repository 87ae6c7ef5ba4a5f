import * as z from 'zod/mini'
import type { Context, OAuth, Refreshed } from '../connector.ts'
import { AuthExpired, type ConnectorFailure, Rejected } from '../kit/errors.ts'
import { tokenCall } from '../kit/http/token-call.ts'
import { check } from './check.ts'
import { call, helpdeskUrl, secretsOf, WHO } from './client.ts'
import { Tokens } from './schema.ts'

export const oauth: OAuth = {
  pkce: true,
  authorizeUrl(context, { client_id = '' }, { redirectUrl, state, codeChallenge = '' }) {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id,
      redirect_uri: redirectUrl,
      scope: 'messages:read',
      state,
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    })
    return `${helpdeskUrl(context)}/oauth/authorize?${query.toString()}`
  },
  async exchange(context, app, { redirectUrl, code, codeVerifier }) {
    const grant = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUrl,
      code_verifier: codeVerifier ?? null,
    }
    const refused = new Rejected('The help desk refused to sign in: check the client ID and the secret, then try again')
    const { secrets, expiresAt } = await tokens(context, app, grant, refused)
    return { ...(await check({ ...context, secrets })), secrets, expiresAt }
  },
}

/** Exchanges the refresh token for a new pair; the help desk ends the old pair. */
export async function refresh(context: Context, app: Record<string, string> | null): Promise<Refreshed> {
  const secrets = secretsOf(context)
  const over = new AuthExpired('The help desk no longer accepts the sign-in. Connect again')
  if (app === null || 'token' in secrets) throw over
  return await tokens(context, app, { grant_type: 'refresh_token', refresh_token: secrets.refresh_token }, over)
}

/** Ends the tokens of OAuth. A pasted API token stays: it may be in use elsewhere. */
export async function revoke(context: Context): Promise<void> {
  const secrets = secretsOf(context)
  if ('token' in secrets) return
  try {
    await call(context, {
      method: 'POST',
      name: 'oauth/revoke',
      path: '/oauth/revoke',
      body: { form: { token: secrets.refresh_token } },
      schema: z.unknown(),
    })
  } catch (error) {
    // A sign-in that is already over needs no end.
    if (!(error instanceof AuthExpired)) throw error
  }
}

async function tokens(
  context: Context,
  { client_id, client_secret }: Record<string, string>,
  grant: Record<string, string | null>,
  refused: ConnectorFailure,
): Promise<Refreshed> {
  const asked = context.now().getTime()
  const { access_token, refresh_token, expires_in } = await tokenCall(context, {
    who: WHO,
    name: 'oauth/token',
    url: `${helpdeskUrl(context)}/oauth/token`,
    body: { form: { ...grant, client_id, client_secret } },
    schema: Tokens,
    renews: 'refresh_token' in grant,
    refused: () => refused,
  })
  return { secrets: { access_token, refresh_token }, expiresAt: new Date(asked + expires_in * 1000) }
}
