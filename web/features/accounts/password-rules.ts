const MIN_LENGTH = 8
const MAX_BYTES = 72

/** What a new password must be, told before it is refused. */
export const PASSWORD_RULES = '8 to 72 characters, and not a common password.'

/** What is wrong with a new password as far as it can be told here, or null. The server also knows the commonest ones. */
export function passwordProblem(password: string): string | null {
  const bytes = new TextEncoder().encode(password).length
  if (Array.from(password).length < MIN_LENGTH) return `Too short: use at least ${MIN_LENGTH} characters.`
  if (bytes > MAX_BYTES) {
    return `Too long: use at most ${MAX_BYTES} plain characters. Accents and emoji count as two to four.`
  }
  return null
}
