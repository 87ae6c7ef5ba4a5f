import { getPublicConfig, type PublicConfig } from '@groundswell/contract/operations.ts'
import { CallError } from './call-error.ts'
import { apiHost, send } from './request.ts'
import { readToken } from './token.ts'

let known: Promise<PublicConfig | null> | undefined

/**
 * The server's run-time configuration, requested once; null on a server without that call. Throws CallError when the server did
 * not respond or failed; the next caller requests it again. Needs no token, since renewing one depends on it.
 */
export function readPublicConfig(): Promise<PublicConfig | null> {
  known ??= askForConfig().catch((error: unknown) => {
    known = undefined
    throw error
  })
  return known
}

async function askForConfig(): Promise<PublicConfig | null> {
  try {
    return await send<PublicConfig>(getPublicConfig, {}, readToken())
  } catch (error) {
    if (error instanceof CallError && error.status > 0 && error.status < 500) return null
    throw error
  }
}

/** The base address of the auth protocol, of our server or of a hosted project, and the headers of its calls. */
export async function authServer(): Promise<{ address: string; headers: Record<string, string> }> {
  const hosted = (await readPublicConfig())?.hosted_auth
  if (hosted) return { address: `${hosted.url}/auth/v1`, headers: { apikey: hosted.key } }
  const { VITE_SUPABASE_URL: url, VITE_SUPABASE_ANON_KEY: key } = import.meta.env
  const headers = { 'ngrok-skip-browser-warning': 'true', ...(url && key ? { apikey: key } : {}) }
  return { address: `${url ?? apiHost()}/auth/v1`, headers }
}
