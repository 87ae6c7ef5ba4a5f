import { chatFolderOf } from '@groundswell/contract/feedback/chat-folder.ts'
import {
  type ArchiveEntry,
  endOfArchive,
  HEADER_BYTES,
  LISTED,
  listedEntry,
  localHeader,
  MAX_ARCHIVE_BYTES,
} from '@groundswell/contract/feedback/stored-archive.ts'

/** The sum of the parts that are sent behind the first bytes. */
const PART_BYTES = 192 * 1024
const LIST_BYTES = 64 * 1024
/** The end of an archive, and the longest comment in it. */
const END_BYTES = 22 + 65_535
const END = 0x06054b50

/** Parts of a workbook that say what its sheets are. Sheets and their texts are sent in part. */
const DESCRIBES = /(?:^|\/)(?:\[Content_Types\]\.xml|mimetype|[^/]*\.rels|workbook[^/]*\.xml|styles[^/]*\.xml)$/i
const CONTENT = /^content\.xml$|(?:^|\/)(?:worksheets\/[^/]+|sharedStrings[^/]*)\.xml$/i
const TEXTS = /sharedStrings[^/]*\.xml$/i

/** How many of its days are sent. */
const MAX_DAYS = 40

/**
 * The first bytes of a ZIP archive and the beginnings of the entries that the server needs for a preview, written as an archive with its directory at
 * the end. The file itself if it is small. Null if it is not a complete archive.
 */
export async function archiveHead(file: Blob, headBytes: number): Promise<Blob | null> {
  if (file.size <= headBytes) return file
  const all = await entriesOf(file)
  if (!all) return null
  const { entries, names, lists, days } = shown(all)
  const contents = names.filter((name) => CONTENT.test(name) && !TEXTS.test(name)).length
  const share = (name: string) => {
    if (DESCRIBES.test(name) || lists.has(name)) return PART_BYTES / 6
    if (days.has(name)) return Math.floor(PART_BYTES / 2 / MAX_DAYS)
    if (TEXTS.test(name)) return PART_BYTES / 3
    if (CONTENT.test(name)) return Math.floor(PART_BYTES / 3 / contents)
    return contents > 0 ? 0 : Math.floor(PART_BYTES / entries.length)
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
      list.push(listedEntry(entry, entry.at, inHead))
      continue
    }
    list.push(listedEntry(entry, size, wanted))
    parts.push(localHeader(entry), file.slice(start, start + wanted))
    size += HEADER_BYTES + entry.name.byteLength + wanted
    left -= wanted
  }
  const listSize = new Blob(list).size
  if (listSize > LIST_BYTES) return null
  return new Blob([...parts, ...list, endOfArchive(entries.length, listSize, size)])
}

/**
 * The files of an archive that a preview lists: of the export of a chat, which has thousands, the `lists` that say who is who, and the first `days`.
 */
function shown(all: readonly ArchiveEntry[]) {
  const names = all.map(({ name }) => new TextDecoder().decode(name))
  const chat = chatFolderOf(names)
  const lists = new Set([...(chat?.lists ?? [])].map((list) => `${chat?.root}${list}`))
  const days = new Set(chat?.days.slice(0, MAX_DAYS).map(({ file }) => file))
  const isShown = (_: unknown, index: number) => !chat || lists.has(names[index] ?? '') || days.has(names[index] ?? '')
  return { entries: all.filter(isShown), names: names.filter(isShown), lists, days }
}

async function entriesOf(file: Blob): Promise<ArchiveEntry[] | null> {
  const tail = await view(file, Math.max(0, file.size - END_BYTES), file.size)
  let end = tail.byteLength - 22
  while (end >= 0 && tail.getUint32(end, true) !== END) end -= 1
  if (end < 0) return null
  const from = tail.getUint32(end + 16, true)
  const list = await view(file, from, from + tail.getUint32(end + 12, true))
  const entries: ArchiveEntry[] = []
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
function withLargeSizes(entry: ArchiveEntry, extra: Uint8Array): ArchiveEntry {
  const fields = new DataView(extra.buffer, extra.byteOffset, extra.byteLength)
  for (let at = 0; at + 4 <= extra.byteLength; at += 4 + fields.getUint16(at + 2, true)) {
    if (fields.getUint16(at, true) !== 1) continue
    let next = at + 4
    const large = (value: number) => {
      if (value !== MAX_ARCHIVE_BYTES || next + 8 > extra.byteLength) return value
      next += 8
      return Number(fields.getBigUint64(next - 8, true))
    }
    const unpacked = large(entry.unpacked)
    return { ...entry, unpacked, packed: large(entry.packed), at: large(entry.at) }
  }
  return entry
}

async function startOf(file: Blob, { at }: ArchiveEntry): Promise<number> {
  const header = await view(file, at, at + HEADER_BYTES)
  if (header.byteLength < HEADER_BYTES) return file.size
  return at + HEADER_BYTES + header.getUint16(26, true) + header.getUint16(28, true)
}

async function view(file: Blob, from: number, to: number): Promise<DataView> {
  return new DataView(await file.slice(from, to).arrayBuffer())
}

const bytesOf = (list: DataView, at: number, size: number) =>
  new Uint8Array(list.buffer.slice(list.byteOffset + at, list.byteOffset + at + size))
