/** The first part of a packed file as the server previews it: what its first bytes do not hold, and a list of contents behind them. */
type Entry = {
  name: Uint8Array
  flags: number
  method: number
  crc: number
  packed: number
  unpacked: number
  at: number
}

/** The sum of the parts that are sent behind the first bytes. */
const PART_BYTES = 192 * 1024
const LIST_BYTES = 64 * 1024
/** The end of an archive, and the longest comment in it. */
const END_BYTES = 22 + 65_535
const HEADER_BYTES = 30
const END = 0x06054b50
const LISTED = 0x02014b50
const LOCAL = 0x04034b50
const BEYOND_32_BITS = 0xffffffff

/** Parts of a workbook that say what its sheets are. Sheets and their texts are sent in part. */
const DESCRIBES = /(?:^|\/)(?:\[Content_Types\]\.xml|mimetype|[^/]*\.rels|workbook[^/]*\.xml|styles[^/]*\.xml)$/i
const CONTENT = /^content\.xml$|(?:^|\/)(?:worksheets\/[^/]+|sharedStrings[^/]*)\.xml$/i
const TEXTS = /sharedStrings[^/]*\.xml$/i

/** An export of a chat: a file for each channel and day, and beside the channels' folders what they and people are called. */
const DAY = /(?:^|\/)(?!D[A-Z0-9]{6,}\/|mpdm-)[^/]+\/\d{4}-\d\d-\d\d\.json$/
const NAMES = /(?:^|\/)(?:users|channels|groups)\.json$/
/** So many of its days are sent. */
const MAX_DAYS = 40

/**
 * The first bytes of a ZIP archive, followed by the beginning of what the server needs for a preview, as an archive that is read from its
 * end. The file itself where it is small. Null: it is no complete archive.
 */
export async function archiveHead(file: Blob, headBytes: number): Promise<Blob | null> {
  if (file.size <= headBytes) return file
  const all = await entriesOf(file)
  if (!all) return null
  const { entries, names } = shown(all)
  const contents = names.filter((name) => CONTENT.test(name) && !TEXTS.test(name)).length
  const share = (name: string) => {
    if (DESCRIBES.test(name) || NAMES.test(name)) return PART_BYTES / 6
    if (DAY.test(name)) return Math.floor(PART_BYTES / 2 / MAX_DAYS)
    if (TEXTS.test(name)) return PART_BYTES / 3
    if (CONTENT.test(name)) return Math.floor(PART_BYTES / 3 / contents)
    return entries.length === 1 ? PART_BYTES : 0
  }
  const parts: BlobPart[] = [file.slice(0, headBytes)]
  let size = headBytes
  const list: BlobPart[] = []
  let left = PART_BYTES
  for (const [index, entry] of entries.entries()) {
    const wanted = Math.min(entry.packed, left, share(names[index] ?? ''))
    const start = await startOf(file, entry)
    const inHead = Math.min(entry.packed, headBytes - start)
    if (inHead >= wanted && inHead >= 0) {
      list.push(listed(entry, entry.at, inHead))
      continue
    }
    list.push(listed(entry, size, wanted))
    parts.push(localHeader(entry), file.slice(start, start + wanted))
    size += HEADER_BYTES + entry.name.byteLength + wanted
    left -= wanted
  }
  const listSize = new Blob(list).size
  if (listSize > LIST_BYTES) return null
  return new Blob([...parts, ...list, endOf(entries.length, listSize, size)])
}

/** The files of an archive that a preview lists: of the export of a chat, which has thousands, what says who is who, and the first days. */
function shown(all: readonly Entry[]): { entries: readonly Entry[]; names: readonly string[] } {
  const names = all.map(({ name }) => new TextDecoder().decode(name))
  const days = names.flatMap((name, index) => (DAY.test(name) ? [index] : []))
  const lists = names.flatMap((name, index) => (NAMES.test(name) ? [index] : []))
  if (days.length === 0 || lists.length === 0) return { entries: all, names }
  const kept = new Set([...lists.slice(0, 3), ...days.slice(0, MAX_DAYS)])
  return { entries: all.filter((_, index) => kept.has(index)), names: names.filter((_, index) => kept.has(index)) }
}

async function entriesOf(file: Blob): Promise<Entry[] | null> {
  const tail = await view(file, Math.max(0, file.size - END_BYTES), file.size)
  let end = tail.byteLength - 22
  while (end >= 0 && tail.getUint32(end, true) !== END) end -= 1
  if (end < 0) return null
  const from = tail.getUint32(end + 16, true)
  const list = await view(file, from, from + tail.getUint32(end + 12, true))
  const entries: Entry[] = []
  for (let at = 0; at + 46 <= list.byteLength && list.getUint32(at, true) === LISTED; ) {
    const [nameSize, extraSize] = [list.getUint16(at + 28, true), list.getUint16(at + 30, true)]
    const read = (place: number) => list.getUint32(at + place, true)
    const entry = {
      name: bytesOf(list, at + 46, nameSize),
      flags: list.getUint16(at + 8, true),
      method: list.getUint16(at + 10, true),
      crc: read(16),
      packed: read(20),
      unpacked: read(24),
      at: read(42),
    }
    entries.push(withLargeSizes(entry, bytesOf(list, at + 46 + nameSize, extraSize)))
    at += 46 + nameSize + extraSize + list.getUint16(at + 32, true)
  }
  return entries.length === 0 ? null : entries
}

/** Sizes that do not fit into 32 bits are in a field of their own, in this order, also where a program writes all of them there. */
function withLargeSizes(entry: Entry, extra: Uint8Array): Entry {
  const fields = new DataView(extra.buffer, extra.byteOffset, extra.byteLength)
  for (let at = 0; at + 4 <= extra.byteLength; at += 4 + fields.getUint16(at + 2, true)) {
    if (fields.getUint16(at, true) !== 1) continue
    let next = at + 4
    const large = (value: number) => {
      if (value !== BEYOND_32_BITS || next + 8 > extra.byteLength) return value
      next += 8
      return Number(fields.getBigUint64(next - 8, true))
    }
    const unpacked = large(entry.unpacked)
    return { ...entry, unpacked, packed: large(entry.packed), at: large(entry.at) }
  }
  return entry
}

async function startOf(file: Blob, { at }: Entry): Promise<number> {
  const header = await view(file, at, at + HEADER_BYTES)
  if (header.byteLength < HEADER_BYTES) return file.size
  return at + HEADER_BYTES + header.getUint16(26, true) + header.getUint16(28, true)
}

function localHeader({ name, flags, method }: Entry): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEADER_BYTES + name.byteLength)
  const fields = new DataView(bytes.buffer)
  fields.setUint32(0, LOCAL, true)
  fields.setUint16(4, 20, true)
  fields.setUint16(6, flags, true)
  fields.setUint16(8, method, true)
  fields.setUint16(26, name.byteLength, true)
  bytes.set(name, HEADER_BYTES)
  return bytes
}

function listed(entry: Entry, at: number, packed: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(46 + entry.name.byteLength)
  const fields = new DataView(bytes.buffer)
  fields.setUint32(0, LISTED, true)
  fields.setUint16(6, 20, true)
  fields.setUint16(8, entry.flags, true)
  fields.setUint16(10, entry.method, true)
  fields.setUint32(16, entry.crc, true)
  fields.setUint32(20, packed, true)
  fields.setUint32(24, entry.method === 0 ? packed : Math.min(entry.unpacked, BEYOND_32_BITS - 1), true)
  fields.setUint16(28, entry.name.byteLength, true)
  fields.setUint32(42, at, true)
  bytes.set(entry.name, 46)
  return bytes
}

function endOf(count: number, listSize: number, at: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(22)
  const fields = new DataView(bytes.buffer)
  fields.setUint32(0, END, true)
  fields.setUint16(8, count, true)
  fields.setUint16(10, count, true)
  fields.setUint32(12, listSize, true)
  fields.setUint32(16, at, true)
  return bytes
}

async function view(file: Blob, from: number, to: number): Promise<DataView> {
  return new DataView(await file.slice(from, to).arrayBuffer())
}

const bytesOf = (list: DataView, at: number, size: number) =>
  new Uint8Array(list.buffer.slice(list.byteOffset + at, list.byteOffset + at + size))
