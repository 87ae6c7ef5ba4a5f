/** The person of a token: the subject of a JWT; an opaque token is its own identity. */
export function personOf(token: string): string {
  return claimOf(token, 'sub') ?? token
}

/** The email address in a JWT; null when there is none. */
export function emailOf(token: string): string | null {
  return claimOf(token, 'email')
}

function claimOf(token: string, name: 'sub' | 'email'): string | null {
  const claim = claimsOf(token)?.[name]
  return typeof claim === 'string' ? claim : null
}

/** The claims of a JWT; null for another token. */
export function claimsOf(token: string): Record<string, unknown> | null {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    return JSON.parse(atob(payload)) as Record<string, unknown>
  } catch {
    return null
  }
}
