import type { Context, Refreshed } from '../connector.ts'
import type { ConnectorFailure } from '../kit/errors.ts'
import { call } from './client.ts'
import { Tokens } from './schema.ts'

type Granted = { access_token: string; refresh_token: string | null; expiresAt: Refreshed['expiresAt'] }

/** Requests tokens. `refused`: the failure where Help Scout does not accept the app, the code or the refresh token. */
export async function grant(
  context: Context,
  form: Readonly<Record<string, string>>,
  refused: ConnectorFailure,
): Promise<Granted> {
  const asked = context.now().getTime()
  const { data } = await call(context, {
    name: 'oauth2/token',
    method: 'POST',
    path: '/v2/oauth2/token',
    body: { form },
    authorization: null,
    schema: Tokens,
    refusals: Object.fromEntries([400, 401, 403, 422].map((status) => [status, refused])),
  })
  const { access_token, refresh_token, expires_in } = data
  return {
    access_token,
    refresh_token: refresh_token || null,
    expiresAt: expires_in ? new Date(asked + expires_in * 1000) : null,
  }
}
