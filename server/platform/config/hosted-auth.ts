/** A hosted project of Supabase Auth, or another server that speaks its protocol. No address ends with a slash. */
export type HostedAuth = {
  /** The project's address; its API is below /auth/v1. */
  url: string
  /** The public key, which every browser is given. */
  key: string
  /** The issuer that the project's tokens name. */
  issuer: string
}

type Given = {
  SUPABASE_URL?: string
  SUPABASE_ANON_KEY?: string
  SUPABASE_PUBLISHABLE_KEY?: string
  SUPABASE_ISSUER?: string
}

/** Reads the hosted project from its variables; undefined when none is set up, a string when they are wrong. */
export function readHostedAuth(given: Given): HostedAuth | string | undefined {
  const { SUPABASE_URL: url, SUPABASE_ISSUER: issuer } = given
  const key = given.SUPABASE_PUBLISHABLE_KEY ?? given.SUPABASE_ANON_KEY
  if (url === undefined) {
    if (key === undefined && issuer === undefined) return undefined
    return 'SUPABASE_URL is missing: the address of the hosted project'
  }
  if (key === undefined) return "SUPABASE_PUBLISHABLE_KEY is missing: the project's public key (or SUPABASE_ANON_KEY)"
  if (isSecret(key)) {
    return 'SUPABASE_PUBLISHABLE_KEY holds a secret key. Every browser is sent this key: use the publishable (anon) one'
  }
  return { url, key, issuer: issuer ?? `${url}/auth/v1` }
}

/** True for keys that bypass the project's access rules: `sb_secret_…`, and JWTs of any role but `anon`. */
function isSecret(key: string): boolean {
  if (key.startsWith('sb_secret_')) return true
  const payload = /^[\w-]+\.([\w-]+)\.[\w-]+$/.exec(key)?.[1]
  if (payload === undefined) return false
  try {
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { role?: unknown } | null
    return claims?.role !== 'anon'
  } catch {
    return false
  }
}
