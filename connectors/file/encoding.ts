import { Rejected } from '../kit/errors.ts'

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be'

const startsWith = (bytes: Uint8Array, ...start: number[]) => start.every((byte, at) => bytes[at] === byte)

/** Kinds of files that people take for a table of text, by their first bytes. */
function refusePacked(head: Uint8Array): void {
  if (startsWith(head, 0x50, 0x4b, 0x03, 0x04)) {
    throw new Rejected('This is an Excel workbook or another packed file. Save it as CSV (UTF-8) and try again')
  }
  if (startsWith(head, 0xd0, 0xcf, 0x11, 0xe0)) throw new Rejected('This is an old Excel or Word file. Save it as CSV')
  if (startsWith(head, 0x1f, 0x8b)) throw new Rejected('This file is compressed. Unpack it and try again')
  if (startsWith(head, 0x25, 0x50, 0x44, 0x46)) throw new Rejected('This is a PDF. Save its rows as CSV and try again')
}

/**
 * Judges the encoding by the byte order mark or, for UTF-16 without one, by where the zero bytes stand. Everything else is
 * taken for UTF-8, and lines that are not will be reported as such: guessing would store garbled text without a word.
 * Throws `Rejected` for files that hold no text at all.
 */
export function detectEncoding(head: Uint8Array): Encoding {
  refusePacked(head)
  if (startsWith(head, 0xff, 0xfe)) return 'utf-16le'
  if (startsWith(head, 0xfe, 0xff)) return 'utf-16be'
  const sample = head.subarray(0, 4096)
  const zeros = [0, 0]
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const many = sample.byteLength * 0.3
  if (odd > many && even < odd / 10) return 'utf-16le'
  if (even > many && odd < even / 10) return 'utf-16be'
  return 'utf-8'
}

/** Turns the chunks of a file into UTF-8 without a byte order mark, one after the other. */
export function toUtf8(encoding: Encoding): (chunk: Uint8Array) => Uint8Array {
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
