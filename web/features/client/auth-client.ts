import { AuthClient } from '@supabase/auth-js'
import { AUTH_SESSION_KEY } from '../../ui/constants.ts'
import { authServer } from './server-config.ts'
import { endSession, storeToken } from './token.ts'

/** Where the auth client keeps its session. `token` follows each write at once, so that no tab sees one without the other. */
const storage = {
  getItem: (key: string) => localStorage.getItem(key),
  setItem(key: string, value: string) {
    localStorage.setItem(key, value)
    if (key === AUTH_SESSION_KEY) storeToken((JSON.parse(value) as { access_token: string }).access_token)
  },
  removeItem(key: string) {
    localStorage.removeItem(key)
    if (key === AUTH_SESSION_KEY) endSession()
  },
}

let client: InstanceType<typeof AuthClient> | undefined

/**
 * The one auth client of this tab. It renews the session by itself, and is the only one here that speaks to /auth/v1. Throws
 * CallError while it is not known where people sign in: a token must go to nobody else.
 */
export async function authClient(): Promise<InstanceType<typeof AuthClient>> {
  const { address, headers } = await authServer()
  client ??= new AuthClient({
    url: address,
    headers,
    storageKey: AUTH_SESSION_KEY,
    storage,
    detectSessionInUrl: false,
    flowType: 'implicit',
  })
  return client
}
