/** A file in an archive, as its list of contents has it. `packed` and `unpacked` are sizes in bytes, `at` is where its own header begins. */
export type ArchiveEntry = {
  name: Uint8Array
  flags: number
  method: number
  crc: number
  packed: number
  unpacked: number
  at: number
}

/** Bytes of the fixed part of a file’s own header in a ZIP archive. */
export const HEADER_BYTES = 30
/** The sizes and counts of an archive without the extension for large ones. */
export const MAX_ARCHIVE_BYTES = 0xffffffff
/** The most files of an archive without the extension for large ones. */
export const MAX_ARCHIVE_FILES = 65_534
const END = 0x06054b50
/** The signature of an entry in the list of contents of a ZIP archive, as a little-endian number of 32 bits. */
export const LISTED = 0x02014b50
const LOCAL = 0x04034b50
const UTF8_NAMES = 0x800
const STORED = 0

/**
 * The parts of a ZIP archive of files that are stored as they are: `headers[i]` goes before the content of file `i`, `end` after all of them. So
 * several files are sent as one without being read before. No sums are in it: our own reader needs none.
 */
export function storedArchive(files: readonly { name: string; size: number }[]): {
  headers: Uint8Array<ArrayBuffer>[]
  end: Uint8Array<ArrayBuffer>
} {
  let at = 0
  const entries = files.map(({ name, size }): ArchiveEntry => {
    const bytes = new TextEncoder().encode(name)
    const entry = { name: bytes, flags: UTF8_NAMES, method: STORED, crc: 0, packed: size, unpacked: size, at }
    at += HEADER_BYTES + bytes.byteLength + size
    return entry
  })
  const list = entries.map((entry) => listedEntry(entry, entry.at, entry.packed))
  const listSize = list.reduce((sum, { byteLength }) => sum + byteLength, 0)
  const end = new Uint8Array(listSize + 22)
  let to = 0
  for (const part of [...list, endOfArchive(entries.length, listSize, at)]) {
    end.set(part, to)
    to += part.byteLength
  }
  return { headers: entries.map((entry) => localHeader(entry, entry.packed)), end }
}

/** The header before a file's content. Without `size` only the list of contents says how large it is. */
export function localHeader({ name, flags, method }: ArchiveEntry, size = 0): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEADER_BYTES + name.byteLength)
  const fields = new DataView(bytes.buffer)
  fields.setUint32(0, LOCAL, true)
  fields.setUint16(4, 20, true)
  fields.setUint16(6, flags, true)
  fields.setUint16(8, method, true)
  fields.setUint32(18, size, true)
  fields.setUint32(22, size, true)
  fields.setUint16(26, name.byteLength, true)
  bytes.set(name, HEADER_BYTES)
  return bytes
}

/** A file's entry in the list of contents: its header is at `at`, and `packed` bytes of it are there. */
export function listedEntry(entry: ArchiveEntry, at: number, packed: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(46 + entry.name.byteLength)
  const fields = new DataView(bytes.buffer)
  fields.setUint32(0, LISTED, true)
  fields.setUint16(6, 20, true)
  fields.setUint16(8, entry.flags, true)
  fields.setUint16(10, entry.method, true)
  fields.setUint32(16, entry.crc, true)
  fields.setUint32(20, packed, true)
  fields.setUint32(24, entry.method === STORED ? packed : Math.min(entry.unpacked, MAX_ARCHIVE_BYTES - 1), true)
  fields.setUint16(28, entry.name.byteLength, true)
  fields.setUint32(42, at, true)
  bytes.set(entry.name, 46)
  return bytes
}

/** The end of an archive of `count` files, whose list of contents has `size` bytes and begins at `at`. */
export function endOfArchive(count: number, size: number, at: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(22)
  const fields = new DataView(bytes.buffer)
  fields.setUint32(0, END, true)
  fields.setUint16(8, count, true)
  fields.setUint16(10, count, true)
  fields.setUint32(12, size, true)
  fields.setUint32(16, at, true)
  return bytes
}
