import type { Span } from './span.ts'

/** Sentences are packed into pieces of up to this length, in UTF-16 units. */
const TARGET_PIECE_LENGTH = 320
/** A single sentence is cut at this length. */
const MAX_SENTENCE_LENGTH = 600

/**
 * Splits a long text into pieces of about 320 characters: at blank lines first, then at line and sentence ends, and
 * inside a sentence only if it is longer than 600. Pieces are in order, do not overlap, and omit only whitespace.
 */
export function splitLong(text: string, span: Span): Span[] {
  const pieces: Span[] = []
  for (const paragraph of paragraphs(text, span)) {
    let open: Span | null = null
    for (const sentence of sentences(text, paragraph)) {
      if (open && sentence.end - open.start <= TARGET_PIECE_LENGTH) open.end = sentence.end
      else {
        open = { ...sentence }
        pieces.push(open)
      }
    }
  }
  return mergeShort(pieces)
}

function paragraphs(text: string, span: Span): Span[] {
  const found: Span[] = []
  const gap = /\n[ \t\r]{0,20}\n/g
  gap.lastIndex = span.start
  let start = span.start
  for (let match = gap.exec(text); match && match.index < span.end; match = gap.exec(text)) {
    found.push({ start, end: match.index })
    start = match.index + match[0].length
  }
  found.push({ start, end: span.end })
  return found.filter((one) => one.end > one.start)
}

function sentences(text: string, span: Span): Span[] {
  const found: Span[] = []
  let start = span.start
  for (let i = span.start; i < span.end; i++) {
    if (!endsSentence(text, i, span.end) && i - start + 1 < MAX_SENTENCE_LENGTH) continue
    const end = wholeCharacter(text, i + 1)
    found.push({ start, end })
    start = end
    i = end - 1
  }
  if (start < span.end) found.push({ start, end: span.end })
  return found
}

function endsSentence(text: string, at: number, end: number): boolean {
  const mark = text[at] as string
  if (mark === '\n') return true
  if (mark === '。' || mark === '！' || mark === '？') return true
  if (mark !== '.' && mark !== '!' && mark !== '?') return false
  return at + 1 >= end || /\s/.test(text[at + 1] as string)
}

/** Never splits a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  const before = text.charCodeAt(at - 1)
  const after = text.charCodeAt(at)
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000 ? at + 1 : at
}

/** Merges a heading or fragment of less than 40 characters into the piece after it. */
function mergeShort(pieces: Span[]): Span[] {
  const joined: Span[] = []
  for (const piece of pieces) {
    const before = joined.at(-1)
    if (before && before.end - before.start < 40 && piece.end - before.start <= MAX_SENTENCE_LENGTH)
      before.end = piece.end
    else joined.push({ ...piece })
  }
  return joined
}
