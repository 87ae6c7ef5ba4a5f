const MIN_LENGTH = 8
const MAX_BYTES = 72

/** The rules of a new password, shown in advance. */
export const PASSWORD_RULES = '8 to 72 characters, and not a common password.'

/**
 * Why a new password is refused, as far as the browser can tell; null when it is not. The server also checks for common ones.
 */
export function passwordProblem(password: string): string | null {
  const bytes = new TextEncoder().encode(password).length
  if (Array.from(password).length < MIN_LENGTH) return `Too short: use at least ${MIN_LENGTH} characters.`
  if (bytes > MAX_BYTES) {
    return `Too long: use at most ${MAX_BYTES} plain characters. Accents and emoji count as two to four.`
  }
  return null
}
