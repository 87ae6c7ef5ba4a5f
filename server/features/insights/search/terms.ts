/** What someone typed, parsed for the search. */
export type Terms = { words: string; starting: string; phrases: string[] }

/**
 * Reads a search: each word must occur, the last one may be incomplete, and text in double quotes must occur exactly. Null if nothing was typed.
 */
export function readTerms(typed: string): Terms | null {
  const text = typed.toWellFormed().trim()
  if (text === '') return null
  const parts = [...text.matchAll(/"([^"]*)"|(\S+)/g)]
  const phrases = parts.flatMap(([, phrase]) => phrase?.replace(/\s+/g, ' ').trim() || [])
  const words = parts.flatMap(([, , word]) => word ?? [])
  const last = parts.at(-1)?.[2]
  const starting = last === undefined ? '' : (words.pop() ?? '')
  return { words: [...words, ...phrases].join(' '), starting, phrases }
}
