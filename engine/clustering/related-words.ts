import { analyse } from '../text/features.ts'
import { type Language, stem } from '../text/language.ts'
import { isStopword } from '../text/stopwords.ts'
import { dot, meanWordVector } from '../text/word-vectors.ts'

const MAX_SHARED_WORDS = 6
const MAX_SIMILAR_WORDS = 3
/** From this cosine on, two words mean much the same. */
const MIN_COSINE = 0.6

type Word = { token: string; base: string; language: Language }

/**
 * The content words of a text that others use too, most frequent first, at most six. Compared by stem, returned as
 * written in the text, in lower case.
 */
export function sharedWords(text: string, others: readonly string[]): string[] {
  const words = wordsOf(text)
  const bases = new Set(words.map(({ base }) => base))
  const usage = new Map<string, number>()
  for (const other of others) {
    const { tokens, language } = analyse(other)
    for (const base of new Set(tokens.map((token) => stem(token, language)))) {
      if (bases.has(base)) usage.set(base, (usage.get(base) ?? 0) + 1)
    }
  }
  return words
    .filter(({ base }) => usage.has(base))
    .sort((a, b) => (usage.get(b.base) ?? 0) - (usage.get(a.base) ?? 0))
    .slice(0, MAX_SHARED_WORDS)
    .map(({ token }) => token)
}

/**
 * The words of a text that others express by another word or in another language, as `langsam ≈ slow`: closest first,
 * at most three. Based on the built-in word vectors; words that both share are left out.
 */
export function similarWords(text: string, others: readonly string[]): string[] {
  const theirs = new Map<string, { word: Word; vector: Float32Array }>()
  for (const other of others) {
    for (const word of wordsOf(other)) {
      const key = `${word.language} ${word.base}`
      if (!theirs.has(key)) theirs.set(key, { word, vector: meanWordVector([word.base], word.language) })
    }
  }
  const theirWords = new Set([...theirs.values()].flatMap(({ word }) => [word.base, word.token]))
  const meant = wordsOf(text)
    .filter(({ base, token }) => !theirWords.has(base) && !theirWords.has(token))
    .flatMap((word) => {
      const own = meanWordVector([word.base], word.language)
      let nearest: { word: Word; alike: number } | null = null
      for (const { word: other, vector } of theirs.values()) {
        const alike = dot(own, vector)
        if (alike >= MIN_COSINE && alike > (nearest?.alike ?? 0)) nearest = { word: other, alike }
      }
      return nearest ? [{ text: `${word.token} ≈ ${nearest.word.token}`, alike: nearest.alike }] : []
    })
  return meant
    .sort((a, b) => b.alike - a.alike)
    .slice(0, MAX_SIMILAR_WORDS)
    .map((one) => one.text)
}

/** The distinct content words of a text. */
function wordsOf(text: string): Word[] {
  const { tokens, language } = analyse(text)
  const words = new Map<string, Word>()
  for (const token of tokens) {
    const base = stem(token, language)
    if (!isStopword(token, language) && token.length > 1 && !words.has(base)) words.set(base, { token, base, language })
  }
  return [...words.values()]
}
