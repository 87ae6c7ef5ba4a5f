import type { Span } from '@groundswell/engine/index.ts'
import { parseReply } from '../../parse-reply.ts'
import type { Readable } from '../../readable.ts'
import { Pieces } from './schema.ts'

const MAX_PIECES = 12
const MIN_PIECE_LENGTH = 15
/** The least share of letters and digits that the pieces must cover, so that a message does not lose much of its content. */
const MIN_COVERAGE = 0.6

/**
 * The pieces of a reply as offsets in the original text. Each must occur in the text verbatim, after the one before it. Null
 * when anything is wrong with any of them: the text is then left as it is.
 */
export function findPieces(reply: string, { plain, starts, ends }: Readable): Span[] | null {
  const pieces = parseReply(reply, Pieces)?.pieces.map((piece) => piece.trim())
  if (!pieces || pieces.length === 0 || pieces.length > MAX_PIECES) return null
  const spans: Span[] = []
  let from = 0
  let covered = 0
  for (const piece of pieces) {
    const at = piece.length < MIN_PIECE_LENGTH || !piece.isWellFormed() ? -1 : plain.indexOf(piece, from)
    if (at < 0) return null
    from = at + piece.length
    covered += lettersIn(piece)
    spans.push({ start: starts[at] as number, end: ends[from - 1] as number })
  }
  return covered >= MIN_COVERAGE * lettersIn(plain) ? spans : null
}

function lettersIn(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
}
