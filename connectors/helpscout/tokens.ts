import type { Context } from '../connector.ts'
import type { ConnectorFailure } from '../kit/errors.ts'
import { type Granted, grantedTokens, TokenReply } from '../kit/granted-tokens.ts'
import { call } from './client.ts'

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
    schema: TokenReply,
    refusals: Object.fromEntries([400, 401, 403, 422].map((status) => [status, refused])),
  })
  return grantedTokens(data, asked)
}
