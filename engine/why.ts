import { read } from './features.ts'
import { isFrame } from './frame.ts'
import { stem } from './language.ts'

const TERMS = 6

/**
 * The words of a text that others say too, those that most of them say first, at most six. Words are compared by their stems and
 * given as the text has them, in lower case; words of a sentence's frame are left out.
 */
export function sharedWords(text: string, others: readonly string[]): string[] {
  const own = read(text)
  const words = new Map<string, string>()
  for (const token of own.tokens) {
    const base = stem(token, own.language)
    if (!isFrame(token, own.language) && token.length > 1 && !words.has(base)) words.set(base, token)
  }
  const said = new Map<string, number>()
  for (const other of others) {
    const { tokens, language } = read(other)
    for (const base of new Set(tokens.map((token) => stem(token, language)))) {
      if (words.has(base)) said.set(base, (said.get(base) ?? 0) + 1)
    }
  }
  return [...words]
    .filter(([base]) => said.has(base))
    .sort((a, b) => (said.get(b[0]) ?? 0) - (said.get(a[0]) ?? 0))
    .slice(0, TERMS)
    .map(([, word]) => word)
}
