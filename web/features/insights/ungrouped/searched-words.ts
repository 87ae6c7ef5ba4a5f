import type { Passage } from '../panel/marked-text.tsx'

const LETTER = String.raw`[\p{L}\p{N}\p{M}]`

/**
 * Where the words of a search occur in a text, in its order: whole words, of the last one also the beginning of a longer word, and passages in
 * double quotes, as the server reads a search. Case and punctuation between words are ignored, except within quotes.
 */
export function findSearched(text: string, search: string): Passage[] {
  const parts = [...search.trim().matchAll(/"([^"]*)"|(\S+)/g)]
  const patterns = parts.flatMap(([, phrase, typed], place) => {
    if (typed === undefined)
      return phrase?.trim() ? [whole(phrase.trim().split(/\s+/).map(escaped).join(String.raw`\s+`))] : []
    const words = typed.match(new RegExp(`${LETTER}+`, 'gu')) ?? []
    const incomplete = place === parts.length - 1
    return words.map((word) => (incomplete ? `(?<!${LETTER})${word}${LETTER}*` : whole(word)))
  })
  if (patterns.length === 0) return []
  const found = text.matchAll(new RegExp(patterns.join('|'), 'giu'))
  return [...found].map(({ index, 0: passage }) => ({ start: index, text: passage }))
}

function whole(pattern: string): string {
  return `(?<!${LETTER})${pattern}(?!${LETTER})`
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
}
