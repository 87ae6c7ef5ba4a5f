import type { Span } from '@groundswell/engine/index.ts'
import { z } from 'zod'
import { parseReply } from '../parse-reply.ts'
import type { Readable } from './readable.ts'

/** The form of an answer. */
export const Pieces = z.object({ pieces: z.array(z.string()) })

const MAX_PIECES = 12
const MIN_PIECE_LENGTH = 15
/** So much of the letters and digits must be in the pieces: a message cannot be made to say little of what it says. */
const COVERED = 0.6

/**
 * Where the pieces of an answer are in the text, as offsets of the real one. Null when anything is wrong with any of them: the
 * text is then left as it is. Each must be in the text letter by letter, after the one before it.
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
  return covered >= COVERED * lettersIn(plain) ? spans : null
}

function lettersIn(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
}
