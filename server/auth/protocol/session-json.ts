import type { AccountTx } from '../../platform/db/tenant.ts'
import { readUser, type UserJson } from '../account/user-json.ts'
import type { ProviderTokens } from '../codes/code-flow.ts'
import type { IssuedSession } from '../sessions/issue-session.ts'

/** A session in the format of Supabase Auth. */
export type SessionJson = {
  access_token: string
  token_type: 'bearer'
  expires_in: number
  expires_at: number
  refresh_token: string
  user: UserJson
}

/** The session for the client, with its user as of this transaction. */
export async function sessionJson(tx: AccountTx, session: IssuedSession): Promise<SessionJson> {
  const user = await readUser(tx, session.accountId)
  if (!user) throw new Error(`account ${session.accountId} is gone`)
  return {
    access_token: session.accessToken,
    token_type: 'bearer',
    expires_in: session.expiresIn,
    expires_at: session.expiresAt,
    refresh_token: session.refreshToken,
    user,
  }
}

/** The identity provider's tokens, in the format of Supabase Auth. */
export function providerFields({ accessToken, refreshToken }: ProviderTokens): Record<string, string> {
  return {
    provider_token: accessToken,
    ...(refreshToken === null ? {} : { provider_refresh_token: refreshToken }),
  }
}

/** The fragment that the implicit flow redirects with. `sb` identifies the server. */
export function sessionFragment(
  session: IssuedSession,
  more: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return {
    access_token: session.accessToken,
    expires_at: String(session.expiresAt),
    expires_in: String(session.expiresIn),
    refresh_token: session.refreshToken,
    sb: '',
    token_type: 'bearer',
    ...more,
  }
}
