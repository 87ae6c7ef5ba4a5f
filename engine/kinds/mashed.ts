const NO_VOWEL = /^[^aeiouy]{4,}$/
/** `Rechtschreibung` has five if its `sch` counts as one. */
const CONSONANTS = /[bcdfghjklmnpqrstvwxz]{6}/
/** Rows of English, German and French keyboards. */
const KEYBOARD = 'qwertyuiop asdfghjkl zxcvbnm qwertzuiop azertyuiop'
const LATIN = /^[a-z]+$/
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
  if (token.length < MIN_LENGTH || !LATIN.test(token)) return false
  if (
    distinctLetters(token) * 3 <= token.length ||
    NO_VOWEL.test(token) ||
    CONSONANTS.test(token.replaceAll('sch', 's'))
  )
    return true
  return KEYBOARD.includes(token) || (token.length > MIN_RUN && KEYBOARD.includes(token.slice(0, MIN_RUN)))
}

/** How many different letters a token from a to z has. */
function distinctLetters(token: string): number {
  let seen = 0
  let distinct = 0
  for (let i = 0; i < token.length; i++) {
    const bit = 1 << (token.charCodeAt(i) - 97)
    if ((seen & bit) === 0) distinct++
    seen |= bit
  }
  return distinct
}
