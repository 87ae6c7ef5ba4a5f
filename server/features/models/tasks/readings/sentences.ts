import type { Span } from '@groundswell/engine/index.ts'

/** The end of a sentence: a line's end, or its marks, where white space follows or the script needs none. */
const ENDS = /\n|[.!?…]+["'”’)\]]*(?=\s)|[。！？]+/gu

/** The sentences of a text, in order and without white space around them. What has neither letter nor digit is a part of the sentence before it. */
export function sentencesOf(text: string): Span[] {
  const found: Span[] = []
  const add = (from: number, to: number) => {
    const piece = text.slice(from, to)
    const words = piece.trim()
    if (words === '') return
    const start = from + piece.indexOf(words)
    const last = found.at(-1)
    if (last && !/[\p{L}\p{N}]/u.test(words)) last.end = start + words.length
    else found.push({ start, end: start + words.length })
  }
  let at = 0
  for (const { index, 0: mark } of text.matchAll(ENDS)) {
    add(at, index + mark.length)
    at = index + mark.length
  }
  add(at, text.length)
  return found
}

/** The text with a number before each sentence but the first: “It stops. [2] Please help.” A number that a customer wrote like this has round brackets. */
export function numbered(text: string): string {
  const sentences = sentencesOf(text)
  let written = ''
  let at = 0
  for (const [place, { start, end }] of sentences.entries()) {
    const mark = place === 0 ? '' : `[${place + 1}] `
    written += `${text.slice(at, start)}${mark}${text.slice(start, end).replace(/\[(\d+)\]/g, '($1)')}`
    at = end
  }
  return written
}
