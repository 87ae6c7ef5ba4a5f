const NO_VOWEL = /^[^aeiouy]{4,}$/
const CONSONANTS = /[bcdfghjklmnpqrstvwxz]{5}/
/** Rows of English, German and French keyboards. */
const KEYBOARD = 'qwertyuiop asdfghjkl zxcvbnm qwertzuiop azertyuiop'
const MIN_LENGTH = 4
/** Words contain shorter runs of neighbouring keys: `property`. */
const MIN_RUN = 5

/** The share of tokens that look like keys hit at random (`asdfgh`, `jkljkl`, `aaaaa`). */
export function mashedShare(tokens: readonly string[]): number {
  if (tokens.length === 0) return 0
  let mashed = 0
  for (const token of tokens) if (isMashed(token)) mashed++
  return mashed / tokens.length
}

function isMashed(token: string): boolean {
  if (token.length < MIN_LENGTH || !/^[a-z]+$/.test(token)) return false
  if (NO_VOWEL.test(token) || CONSONANTS.test(token) || new Set(token).size * 3 <= token.length) return true
  return KEYBOARD.includes(token) || (token.length > MIN_RUN && KEYBOARD.includes(token.slice(0, MIN_RUN)))
}
