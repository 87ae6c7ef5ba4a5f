import { packingOf } from '@groundswell/contract/feedback/file-content.ts'
import type { FileOptions, Reopenable } from '../../connector.ts'
import { Rejected } from '../../kit/errors.ts'
import { isChatDay } from './chat-day.ts'
import { inflated, unpackedText } from './inflate.ts'
import { inMemory, isWorkbook, NO_WORKBOOK, type OpenFile, type Seekable } from './opened.ts'

/** A packed file that can only be read once is held, up to this size. */
const MAX_HELD = 256 * 1024 * 1024
const TOO_LARGE = 'A packed file that is larger than 256 MiB cannot be read from a pipe. Name the file itself'
const MAX_SHEETS_TRIED = 20
/** A message of a chat is shorter than that. */
const DAY_BYTES = 64 * 1024

/** Called with how many stored bytes were read so far. */
type OnRead = (bytes: number) => void

/**
 * Opens a file: text as it is, and the one file of a compressed file or an archive, and a sheet of a workbook. With `cut` only its first
 * part is there. Throws `Rejected` for an archive of several files, and for a sheet that is not there.
 */
export async function openFile(
  bytes: AsyncIterable<Uint8Array> | Reopenable,
  options: FileOptions,
  { cut = false } = {},
): Promise<OpenFile> {
  // Not by checking for `open`: Node's own file streams have a method of that name.
  const again = !(Symbol.asyncIterator in bytes)
  const { first, whole } = again
    ? { first: await firstOf(bytes.open()), whole: () => bytes.open() }
    : await peeked(bytes)
  const packing = packingOf(first)
  const plain = { options, sheets: [], sheet: null, again, taken: () => null }
  const mayBeDay = (options.format ?? 'jsonl') === 'jsonl'
  if (packing === null) {
    if (isWorkbook(options.format)) throw new Rejected(NO_WORKBOOK)
    if (mayBeDay && isChatDay(first)) {
      const source = again ? bytes : await held(whole())
      return openDay((onRead) => counted(source.open(), onRead), options, {
        cut,
        size: source.size ?? first.byteLength,
      })
    }
    return { ...plain, open: whole }
  }
  const source = again ? bytes : null
  if (packing === 'gzip') {
    const named = { ...options, name: options.name.replace(/\.gz$/i, '') }
    const unpacked = (packed: AsyncIterable<Uint8Array>, how: { cut: boolean; onRead?: OnRead }) =>
      unpackedText(inflated({ method: 'gzip', bytes: packed }, how))
    if (mayBeDay && isChatDay(await firstOf(unpacked(inMemory(first).open(), { cut: true })))) {
      const day = source ?? (await held(whole()))
      const open = (onRead?: OnRead) => unpacked(day.open(), { cut, ...(onRead && { onRead }) })
      return openDay(open, named, { cut, size: day.size ?? first.byteLength })
    }
    let taken = 0
    const onRead = (count: number) => {
      taken = count
    }
    return { ...plain, options: named, taken: () => taken, open: () => unpacked(whole(), { cut, onRead }) }
  }
  const stored = source && isSeekable(source) ? source : await held(whole())
  // Few files are archives: what reads them is loaded with the first.
  const { openArchive } = await import('./archive.ts')
  return openArchive(stored, options, { cut, maxTried: MAX_SHEETS_TRIED })
}

const isSeekable = (bytes: Reopenable): bytes is Seekable => typeof bytes.size === 'number'

/** Whether the head suffices: for JSON, also packed by gzip, its first messages, for all else what says how it is packed. */
function isEnough(head: Uint8Array): boolean {
  const mayBeDay = packingOf(head) === 'gzip' || head.find((byte) => byte > 32) === 0x5b
  return head.byteLength >= (mayBeDay ? DAY_BYTES : 16)
}

async function firstOf(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  let head = new Uint8Array(0)
  for await (const chunk of bytes) {
    head = Uint8Array.from(Buffer.concat([head, chunk.subarray(0, DAY_BYTES)]))
    if (isEnough(head)) break
  }
  return head
}

/**
 * A day of a channel that was taken from an export of a Slack workspace. `unpacked`: its bytes, from the first; `size`: how many bytes are
 * stored.
 */
async function openDay(
  unpacked: (onRead?: OnRead) => AsyncIterable<Uint8Array>,
  options: FileOptions,
  { cut, size }: { cut: boolean; size: number },
): Promise<OpenFile> {
  const { chatLines } = await import('./chat-export.ts')
  let taken = 0
  const onRead = (count: number) => {
    taken = count
  }
  const day = { root: '', days: [{ file: options.name, folder: '' }], lists: new Set<string>() }
  async function* read(_: string, whenRead?: OnRead): AsyncGenerator<Uint8Array> {
    yield* unpacked(whenRead)
  }
  return {
    options: { ...options, format: 'jsonl', encoding: 'utf-8' },
    sheets: [],
    sheet: null,
    again: true,
    taken: () => taken,
    open: () => chatLines({ read }, day, { cut, onRead, size }),
  }
}

/** The bytes, with how many of them were read so far. */
async function* counted(bytes: AsyncIterable<Uint8Array>, onRead?: OnRead): AsyncGenerator<Uint8Array> {
  let count = 0
  for await (const chunk of bytes) {
    count += chunk.byteLength
    onRead?.(count)
    yield chunk
  }
}

/** The first bytes of a stream, and all of it, to be read once. */
async function peeked(
  bytes: AsyncIterable<Uint8Array>,
): Promise<{ first: Uint8Array; whole: () => AsyncIterable<Uint8Array> }> {
  const source = bytes[Symbol.asyncIterator]()
  const chunks: Uint8Array[] = []
  let size = 0
  let ended = false
  while (!ended && !(size >= 16 && isEnough(Buffer.concat(chunks)))) {
    const next = await source.next()
    ended = next.done === true
    if (next.done) break
    chunks.push(Uint8Array.from(next.value))
    size += next.value.byteLength
  }
  async function* whole(): AsyncGenerator<Uint8Array> {
    try {
      yield* chunks
      for (let next = ended ? null : await source.next(); next && !next.done; next = await source.next())
        yield next.value
    } finally {
      await source.return?.()
    }
  }
  return { first: Buffer.concat(chunks), whole }
}

async function held(bytes: AsyncIterable<Uint8Array>): Promise<Seekable> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    chunks.push(Uint8Array.from(chunk))
    size += chunk.byteLength
    if (size > MAX_HELD) throw new Rejected(TOO_LARGE)
  }
  return inMemory(Buffer.concat(chunks))
}
