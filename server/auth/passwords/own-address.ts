/** Shorter names occur in many words, so they are refused only when they make up all the letters of a password. */
const MIN_CONTAINED_LENGTH = 4

/**
 * True for a password that contains the e-mail address or the part before its @, or whose letters are only that part. Ignores
 * case.
 */
export function containsAddress(password: string, email: string): boolean {
  const text = password.toLowerCase()
  const address = email.trim().toLowerCase()
  const name = address.slice(0, address.lastIndexOf('@'))
  if (name === '') return false
  if (text.includes(address) || (name.length >= MIN_CONTAINED_LENGTH && text.includes(name))) return true
  const letters = lettersOf(name)
  return letters !== '' && lettersOf(text) === letters
}

function lettersOf(text: string): string {
  return text.replaceAll(/[^\p{L}]/gu, '')
}
