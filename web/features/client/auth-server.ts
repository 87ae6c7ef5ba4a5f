import { getPublicConfig, type PublicConfig } from '@groundswell/contract/operations.ts'
import { CallError } from './call-error.ts'
import { apiHost, callAddress, callHeaders, noAnswer, settle } from './request.ts'

let known: Promise<PublicConfig | null> | undefined

/**
 * The server's run-time configuration, asked for once; null on a server without that call. Throws CallError when the server
 * did not answer or failed; the next caller asks again then. Needs no token, since renewing one depends on it.
 */
export function readPublicConfig(): Promise<PublicConfig | null> {
  known ??= askForConfig().catch((error: unknown) => {
    known = undefined
    throw error
  })
  return known
}

/** Where people sign in: our own server, or a hosted project. */
export type AuthServer = {
  /** The base address of the auth protocol. */
  address: string
  /** What every call to it carries beside the token. */
  headers: Record<string, string>
  /** True for a hosted project that our server stands behind: ending a sign-in goes through our server then. */
  isHosted: boolean
}

/** Where this installation's people sign in. Throws CallError while that is not known: a token must go to nobody else. */
export async function authServer(): Promise<AuthServer> {
  const hosted = (await readPublicConfig())?.hosted_auth
  if (hosted) return { address: `${hosted.url}/auth/v1`, headers: { apikey: hosted.key }, isHosted: true }
  const { VITE_SUPABASE_URL: url, VITE_SUPABASE_ANON_KEY: key } = import.meta.env
  const headers = { 'ngrok-skip-browser-warning': 'true', ...(url && key ? { apikey: key } : {}) }
  return { address: `${url ?? apiHost()}/auth/v1`, headers, isHosted: false }
}

async function askForConfig(): Promise<PublicConfig | null> {
  let answer: Response
  let text: string
  try {
    answer = await fetch(callAddress(getPublicConfig), { headers: callHeaders(null) })
    text = await answer.text()
  } catch {
    throw noAnswer()
  }
  try {
    return settle<PublicConfig>(getPublicConfig, null, answer.status, text)
  } catch (error) {
    if (error instanceof CallError && error.status < 500) return null
    throw error
  }
}
