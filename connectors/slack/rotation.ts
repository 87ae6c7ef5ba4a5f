import type { Context, Refreshed } from '../connector.ts'
import { AuthExpired, Rejected } from '../kit/errors.ts'
import { appRefused } from '../kit/http/token-call.ts'
import { requestTokens, SlackRefusal } from './client.ts'
import { Access } from './schema.ts'

type Tokens = {
  access_token: string
  refresh_token?: string | null | undefined
  expires_in?: number | null | undefined
}

/** The secrets of an issued token. With token rotation it ends after 12 hours, and comes with a refresh token that is good once. */
export function issued({ access_token, refresh_token, expires_in }: Tokens, now: Date): Refreshed {
  if (!expires_in) return { secrets: { bot_token: access_token }, expiresAt: null }
  if (!refresh_token) throw new Rejected('Slack issued a token that ends, without a refresh token')
  return {
    secrets: { bot_token: access_token, refresh_token },
    expiresAt: new Date(now.getTime() + expires_in * 1000),
  }
}

/** Slack no longer accepts the refresh token: it was used before, revoked, or the app was removed. */
const ENDED = new Set(['invalid_refresh_token', 'invalid_code', 'code_already_used'])

/** Slack does not accept the app's credentials. */
const OF_APP = new Set(['bad_client_secret', 'invalid_client_id'])

/** Exchanges the refresh token for new tokens. It is good once, so it is sent once. */
export async function refresh(context: Context, app: Record<string, string> | null): Promise<Refreshed> {
  const { refresh_token } = context.secrets
  if (!refresh_token) throw new AuthExpired('Slack no longer accepts the sign-in. Connect again')
  if (!app) throw new Rejected('The sign-in cannot be renewed without the Slack app: set it up again')
  const { client_id, client_secret } = app
  try {
    const access = await requestTokens(
      context,
      { client_id, client_secret, grant_type: 'refresh_token', refresh_token },
      Access,
    )
    return issued(access, context.now())
  } catch (error) {
    if (!(error instanceof SlackRefusal)) throw error
    if (OF_APP.has(error.code)) throw appRefused('Slack', ` (${error.code})`)
    if (!ENDED.has(error.code)) throw error
    throw new AuthExpired(`Slack did not renew the sign-in (${error.code}). Connect again`)
  }
}
