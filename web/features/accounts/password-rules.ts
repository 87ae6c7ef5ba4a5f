const SHORTEST = 8
const LONGEST_BYTES = 72

/** What a new password must be, told before it is refused. */
export const PASSWORD_RULES = '8 to 72 characters, and not a common password.'

/** What is wrong with a new password as far as it can be told here, or null. The server also knows the commonest ones. */
export function passwordProblem(password: string): string | null {
  const bytes = new TextEncoder().encode(password).length
  if (Array.from(password).length < SHORTEST) return `Too short: use at least ${SHORTEST} characters.`
  if (bytes > LONGEST_BYTES) {
    return `Too long: use at most ${LONGEST_BYTES} plain characters. Accents and emoji count as two to four.`
  }
  return null
}
