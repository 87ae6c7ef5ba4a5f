/** The person of a token: the subject of a JWT; an opaque token is its own identity. */
export function personOf(token: string): string {
  return claimOf(token, 'sub') ?? token
}

/** The email address in a JWT; null when there is none. */
export function emailOf(token: string): string | null {
  return claimOf(token, 'email')
}

function claimOf(token: string, name: 'sub' | 'email'): string | null {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    const claim = (JSON.parse(atob(payload)) as Record<string, unknown>)[name]
    return typeof claim === 'string' ? claim : null
  } catch {
    return null
  }
}
