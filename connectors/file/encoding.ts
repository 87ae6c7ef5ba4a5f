import { isAscii } from 'node:buffer'
import { packingOf, refusalOf, utf16Of } from '@groundswell/contract/feedback/file-content.ts'
import type { FileEncoding } from '@groundswell/contract/feedback.ts'
import { Rejected } from '../kit/errors.ts'
import { isSpread, listPlaceOf } from './json-list.ts'

/** `open`: so far every byte is ASCII, so the first other line decides between UTF-8 and Windows-1252. */
export type Detected = { encoding: FileEncoding; open: boolean }

/** This many invalid bytes outweigh one valid sequence, which may occur by chance. */
const CHANCE = 4

const startsWith = (bytes: Uint8Array, ...start: number[]) => start.every((byte, at) => bytes[at] === byte)
const isWide = (encoding: FileEncoding | null | undefined) => encoding === 'utf-16le' || encoding === 'utf-16be'

/** Why a file with these first bytes cannot be feedback; null for text, and for a packed file, which is judged when it is opened. */
export function refusal(head: Uint8Array, options: { encoding?: FileEncoding | null }): string | null {
  return packingOf(head) === null ? refusalOf(head, isWide(options.encoding)) : null
}

/** False where one line may be the whole file: a JSON list or a packed file. */
export function hasLines(head: Uint8Array): boolean {
  if (packingOf(head) !== null) return false
  return head.find((byte) => byte > 32 && byte < 127) !== 0x5b && listPlaceOf(head) === null && !isSpread(head)
}

/**
 * The encoding of a file by its first bytes: by its byte order mark, by zero bytes at every other place, as UTF-8 where it is
 * valid, and else as Windows-1252, the encoding that spreadsheets use in Western Europe and America. A chosen encoding
 * overrides the detected one. Throws `Rejected` for files without any text.
 */
export function detectEncoding(head: Uint8Array, chosen: FileEncoding | null = null): Detected {
  const reason = refusalOf(head, isWide(chosen))
  if (reason !== null) throw new Rejected(reason)
  if (chosen !== null) return { encoding: chosen, open: false }
  const wide = utf16Of(head)
  if (wide !== null) return { encoding: wide, open: false }
  if (startsWith(head, 0xef, 0xbb, 0xbf)) return { encoding: 'utf-8', open: false }
  if (isAscii(head)) return { encoding: 'utf-8', open: true }
  const { valid, invalid } = sequencesOf(head)
  const legacy = valid === 0 ? invalid > 0 : invalid >= valid * CHANCE
  // A single sequence that the end of the head splits decides nothing.
  if (valid === 0 && invalid === 0) return { encoding: 'utf-8', open: true }
  return { encoding: legacy ? 'windows-1252' : 'utf-8', open: false }
}

/** How many multi-byte sequences are valid UTF-8, and how many bytes are in none. A truncated one counts as neither. */
function sequencesOf(bytes: Uint8Array): { valid: number; invalid: number } {
  let valid = 0
  let invalid = 0
  let at = 0
  while (at < bytes.byteLength) {
    const size = sizeOf(bytes[at] ?? 0)
    if (size > 1 && at + size > bytes.byteLength) break
    const rest = bytes.subarray(at + 1, at + size)
    if (size > 1 && rest.every((byte) => byte >> 6 === 0b10)) {
      valid += 1
      at += size
    } else {
      if (size !== 1) invalid += 1
      at += 1
    }
  }
  return { valid, invalid }
}

/** Length in bytes of the sequence that a byte starts; 0 where it starts none. */
function sizeOf(byte: number): number {
  if (byte < 0x80) return 1
  if (byte >= 0xc2 && byte <= 0xdf) return 2
  if (byte >= 0xe0 && byte <= 0xef) return 3
  return byte >= 0xf0 && byte <= 0xf4 ? 4 : 0
}

/** Converts the chunks of a file to UTF-8 without a byte order mark, one after the other. */
export function toUtf8(encoding: FileEncoding): (chunk: Uint8Array) => Uint8Array {
  if (encoding !== 'utf-8') {
    const decoder = new TextDecoder(encoding)
    return (chunk) => Buffer.from(decoder.decode(chunk, { stream: true }))
  }
  let start = true
  return (chunk) => {
    const marked = start && startsWith(chunk, 0xef, 0xbb, 0xbf)
    start = false
    return marked ? chunk.subarray(3) : chunk
  }
}
