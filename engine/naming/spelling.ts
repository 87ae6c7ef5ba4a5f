import type { Node } from '../state/state.ts'
import { type Language, stem } from '../text/language.ts'
import { isStopword } from '../text/stopwords.ts'
import { knowsStem } from '../text/word-vectors.ts'

/** Shorter words differ by one letter too often. */
const MIN_LENGTH = 5
/** This share of the group's messages, and this many, spell it right. */
const MIN_SHARE = 0.5
const MIN_MESSAGES = 3

/** A sentence of a message, and the number of messages that it stands for. */
type Said = { text: string; node: Node; weight: number }

/** How a group writes a word: in messages of this weight; `proper`: with a capital inside a sentence. */
type Written = { word: string; said: number; proper: boolean }

/**
 * Corrects words that one message of a group spells otherwise than most: `Updat my number` where most say `update`. It replaces a
 * word only by one of the group's own, with one letter missing, added, changed or exchanged with the next. Never names, known
 * words, inflections, nor what several messages write.
 */
export function spellingOf(sentences: readonly Said[]): (text: string, language: Language) => string {
  const { written, whole } = countWords(sentences)
  const usual = [...written.values()].filter(
    ({ word, said, proper }) =>
      !proper && word.length >= MIN_LENGTH && said >= MIN_MESSAGES && said >= MIN_SHARE * whole,
  )
  if (usual.length === 0) return (text) => text
  return (text, language) =>
    text.replace(/(?<![\p{L}\p{N}_'’.@/-])\p{L}\p{Ll}+(?![\p{L}\p{N}_@/-]|['’.]\p{L})/gu, (word) => {
      const lower = word.toLowerCase()
      const own = written.get(lower)
      if (lower.length < MIN_LENGTH - 1 || (own && (own.said > 1 || own.proper))) return word
      const right = usual.find((one) => one.word !== lower && isMisspelling(lower, one.word, language))
      return right ? withCaseOf(word, right.word) : word
    })
}

function countWords(sentences: readonly Said[]): { written: Map<string, Written>; whole: number } {
  const written = new Map<string, Written>()
  const messages = new Map<Node, Set<string>>()
  let whole = 0
  for (const { text, node, weight } of sentences) {
    const counted = messages.get(node) ?? new Set()
    if (!messages.has(node)) whole += weight
    messages.set(node, counted)
    for (const match of text.matchAll(/[\p{L}\p{N}]+/gu)) {
      const word = match[0].toLowerCase()
      const known = written.get(word) ?? { word, said: 0, proper: false }
      written.set(word, known)
      if (!counted.has(word)) known.said += weight
      counted.add(word)
      // German nouns have capitals too.
      if (node.language !== 'de' && match.index > 0 && /^\p{Lu}\p{Ll}/u.test(match[0])) known.proper = true
    }
  }
  return { written, whole }
}

function isMisspelling(word: string, right: string, language: Language): boolean {
  if (language === 'other' || word[0] !== right[0] || !isOneEditApart(word, right)) return false
  if (isStopword(word, language)) return false
  const stems = [stem(word, language), stem(right, language)] as const
  // `reports` and `report` are one word. A verb without its last letter is none.
  if (stems[0] === stems[1]) return language === 'en' && right === `${word}e`
  return !knowsStem(stems[0], language)
}

/** Whether a letter was left out, added, changed, or exchanged with the next one. */
function isOneEditApart(a: string, b: string): boolean {
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  if (left.length + right.length === 1) return true
  if (left.length === 1 && right.length === 1) return true
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0]
}

function withCaseOf(word: string, right: string): string {
  return /^\p{Lu}/u.test(word) ? right.replace(/^\p{L}/u, (first) => first.toUpperCase()) : right
}
