import { read } from './features.ts'
import { isFrame } from './frame.ts'
import { type Language, stem } from './language.ts'
import { addWordVector, DIMENSIONS } from './word-vectors.ts'
import { stemHash } from './words.ts'

const TERMS = 6
const MEANT = 3
/** From this cosine on two words mean much the same. */
const SAME_MEANING = 0.6

type Word = { token: string; base: string; language: Language }

/**
 * The words of a text that others say too, those that most of them say first, at most six. Words are compared by their stems and
 * given as the text has them, in lower case; words of a sentence's frame are left out.
 */
export function sharedWords(text: string, others: readonly string[]): string[] {
  const words = wordsOf(text)
  const bases = new Set(words.map(({ base }) => base))
  const said = new Map<string, number>()
  for (const other of others) {
    const { tokens, language } = read(other)
    for (const base of new Set(tokens.map((token) => stem(token, language)))) {
      if (bases.has(base)) said.set(base, (said.get(base) ?? 0) + 1)
    }
  }
  return words
    .filter(({ base }) => said.has(base))
    .sort((a, b) => (said.get(b.base) ?? 0) - (said.get(a.base) ?? 0))
    .slice(0, TERMS)
    .map(({ token }) => token)
}

/**
 * The words of a text that others say in another word, or in another language, as `langsam ≈ slow`: those of nearest meaning first, at
 * most three. By the table of word vectors alone; words that both share are left out.
 */
export function meantWords(text: string, others: readonly string[]): string[] {
  const theirs = new Map<string, { word: Word; vector: Float32Array | null }>()
  for (const other of others) {
    for (const word of wordsOf(other)) {
      const key = `${word.language} ${word.base}`
      if (!theirs.has(key)) theirs.set(key, { word, vector: vectorOf(word) })
    }
  }
  const said = new Set([...theirs.values()].flatMap(({ word }) => [word.base, word.token]))
  const meant = wordsOf(text)
    .filter(({ base, token }) => !said.has(base) && !said.has(token))
    .flatMap((word) => {
      const own = vectorOf(word)
      let nearest: { word: Word; alike: number } | null = null
      for (const { word: other, vector } of own ? theirs.values() : []) {
        const alike = vector ? dot(own as Float32Array, vector) : 0
        if (alike >= SAME_MEANING && alike > (nearest?.alike ?? 0)) nearest = { word: other, alike }
      }
      return nearest ? [{ text: `${word.token} ≈ ${nearest.word.token}`, alike: nearest.alike }] : []
    })
  return meant
    .sort((a, b) => b.alike - a.alike)
    .slice(0, MEANT)
    .map((one) => one.text)
}

/** The words of a text that can say what it is about, each once. */
function wordsOf(text: string): Word[] {
  const { tokens, language } = read(text)
  const words = new Map<string, Word>()
  for (const token of tokens) {
    const base = stem(token, language)
    if (!isFrame(token, language) && token.length > 1 && !words.has(base)) words.set(base, { token, base, language })
  }
  return [...words.values()]
}

function vectorOf({ base, language }: Word): Float32Array | null {
  const vector = new Float32Array(DIMENSIONS)
  if (!addWordVector(stemHash(base), language, 1, vector, 0)) return null
  const length = Math.sqrt(dot(vector, vector))
  return length > 0 ? vector.map((value) => value / length) : null
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number)
  return sum
}
