/** Whom a token is for: the subject of a JWT; an opaque token stands for itself. */
export function personOf(token: string): string {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    const { sub } = JSON.parse(atob(payload)) as { sub?: unknown }
    return typeof sub === 'string' ? sub : token
  } catch {
    return token
  }
}
