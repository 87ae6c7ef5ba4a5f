/** Whom a token is for: the subject of a JWT; an opaque token stands for itself. */
export function personOf(token: string): string {
  return claimOf(token, 'sub') ?? token
}

/** The email address that a JWT names; null where it names none. */
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
