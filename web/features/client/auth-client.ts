import { AuthClient } from '@supabase/auth-js'
import { AUTH_SESSION_KEY } from '../../ui/constants.ts'
import { authServer } from './server-config.ts'
import { endSession, storeToken } from './token.ts'

/** The auth client's session storage. `token` is updated with each write, so that no tab sees one without the other. */
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
 * The only auth client of this tab. It renews the session automatically, and only it calls /auth/v1. Throws CallError until the
 * address of the auth server is known: a token must not be sent anywhere else.
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
