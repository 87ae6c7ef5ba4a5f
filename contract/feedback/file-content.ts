/** A kind of file that is not text, recognised by bytes at a fixed position. */
type Kind = { at?: number; bytes: readonly number[]; reason: string }

const ascii = (text: string) => Array.from(text, (letter) => letter.charCodeAt(0))

const SPREADSHEET =
  'This is an Excel workbook, another office document or a ZIP archive. Open it and save the sheet as CSV (UTF-8), then import that file'
const OLD_OFFICE =
  'This is an old Excel or Word file, or one that is protected by a password. Open it and save the sheet as CSV (UTF-8), then import that file'
const IMAGE = 'This is a picture. Import the text itself, for example a CSV file'
const COMPRESSED = 'This file is compressed. Unpack it and import the file inside'
const MEDIA = 'This is a sound or video file. Import the text itself, for example a CSV file'
const DATABASE = 'This is a database file. Save its table as CSV (UTF-8), then import that file'
const PROGRAM = 'This is a program. Import a text file, for example a CSV file'

const ZIP = [0x50, 0x4b, 0x03, 0x04]
const GZIP = [0x1f, 0x8b]

const kinds: readonly Kind[] = [
  { bytes: ZIP, reason: SPREADSHEET },
  { bytes: [0x50, 0x4b, 0x05, 0x06], reason: SPREADSHEET },
  { bytes: [0xd0, 0xcf, 0x11, 0xe0], reason: OLD_OFFICE },
  { bytes: ascii('%PDF-'), reason: 'This is a PDF. Save its rows as CSV (UTF-8), then import that file' },
  { bytes: ascii('{\\rtf'), reason: 'This is a rich-text document. Save it as plain text, then import that file' },
  { bytes: [0x89, 0x50, 0x4e, 0x47], reason: IMAGE },
  { bytes: [0xff, 0xd8, 0xff], reason: IMAGE },
  { bytes: ascii('GIF8'), reason: IMAGE },
  { at: 8, bytes: ascii('WEBP'), reason: IMAGE },
  { at: 4, bytes: ascii('ftyp'), reason: MEDIA },
  { bytes: [...ascii('OggS'), 0], reason: MEDIA },
  { bytes: GZIP, reason: COMPRESSED },
  { at: 4, bytes: [0x31, 0x41, 0x59, 0x26, 0x53, 0x59], reason: COMPRESSED },
  { bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a], reason: COMPRESSED },
  { bytes: [0x28, 0xb5, 0x2f, 0xfd], reason: COMPRESSED },
  { bytes: [0x37, 0x7a, 0xbc, 0xaf], reason: COMPRESSED },
  { bytes: [...ascii('Rar!'), 0x1a], reason: COMPRESSED },
  { bytes: ascii('SQLite format 3'), reason: DATABASE },
  { bytes: [0x7f, 0x45, 0x4c, 0x46], reason: PROGRAM },
]

const NO_TEXT = 'This file holds no text. Save it as CSV (UTF-8), then import that file'
/** The number of bytes that are checked for control characters. */
const SAMPLE = 4096
/** How a file is packed, by its first bytes: a workbook is a ZIP archive too. Null for everything else. */
export function packingOf(head: Uint8Array): 'zip' | 'gzip' | null {
  const begins = (bytes: readonly number[]) => bytes.every((byte, at) => head[at] === byte)
  if (begins(ZIP)) return 'zip'
  return begins(GZIP) ? 'gzip' : null
}

/** A tenth of random bytes are control characters, text has none; a few stray ones affect only their own lines. */
const CONTROL_SHARE = 0.03
const FEW = 3

/** The byte order of a UTF-16 file. */
export type Utf16 = 'utf-16le' | 'utf-16be'

/** UTF-16, recognised by its byte order mark or by zero bytes at every other position; null for everything else. */
export function utf16Of(head: Uint8Array): Utf16 | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  const sample = head.subarray(0, SAMPLE)
  let even = 0
  let odd = 0
  for (const [at, byte] of sample.entries()) {
    if (byte !== 0) continue
    if (at % 2 === 0) even += 1
    else odd += 1
  }
  const many = sample.byteLength * 0.3
  if (odd > many && even < odd / 10) return 'utf-16le'
  if (even > many && odd < even / 10) return 'utf-16be'
  return null
}

/**
 * Why bytes cannot be the text of feedback, judged by the first of them: pictures, archives and everything else that is not
 * text. Null for text. For a packed file (`packingOf`), its contents are judged. The browser checks before it sends a file, the
 * server before it stores one. With `wide` the bytes are
 * treated as UTF-16, and zero bytes are no evidence of binary data.
 */
export function refusalOf(head: Uint8Array, wide = false): string | null {
  const kind = kinds.find(({ at = 0, bytes }) => bytes.every((byte, index) => head[at + index] === byte))
  if (kind) return kind.reason
  if (wide || utf16Of(head) !== null) return null
  const sample = head.subarray(0, SAMPLE)
  const controls = sample.reduce((count, byte) => count + (isControl(byte) ? 1 : 0), 0)
  return controls > FEW && controls > sample.byteLength * CONTROL_SHARE ? NO_TEXT : null
}

/** Tab, line feed, form feed, carriage return, escape and the old end-of-file character occur in text. */
const isControl = (byte: number) => byte < 0x20 && ![9, 10, 11, 12, 13, 0x1a, 0x1b].includes(byte)
