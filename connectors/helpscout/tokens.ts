import type { Context } from '../connector.ts'
import type { ConnectorFailure } from '../kit/errors.ts'
import { type Granted, grantedTokens, TokenReply } from '../kit/granted-tokens.ts'
import { tokenCall } from '../kit/http/token-call.ts'
import { apiUrl, limits } from './client.ts'

/**
 * Requests tokens. `refused`: the failure where Help Scout does not accept the code, the refresh token or, unless tokens are renewed with it, the app.
 */
export async function grant(
  context: Context,
  form: Readonly<Record<string, string>>,
  refused: ConnectorFailure,
): Promise<Granted> {
  const asked = context.now().getTime()
  const reply = await tokenCall(context, {
    who: 'Help Scout',
    name: 'oauth2/token',
    url: `${apiUrl(context)}/v2/oauth2/token`,
    body: { form },
    schema: TokenReply,
    limits,
    renews: 'refresh_token' in form,
    refused: () => refused,
  })
  return grantedTokens(reply, asked)
}
