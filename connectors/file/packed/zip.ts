import { Readable } from 'node:stream'
import { mayBeChatFolder } from '@groundswell/contract/feedback/chat-folder.ts'
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl'
import { Rejected } from '../../kit/errors.ts'
import { inflated, type Packed } from './inflate.ts'
import type { Seekable } from './opened.ts'

/** The files of an archive, without folders and what macOS adds. `read`: the content of one, as it is consumed. */
export type Zip = {
  names: string[]
  read(name: string, onRead?: (bytes: number) => void): AsyncGenerator<Uint8Array>
}

/** No export of a table has more, and reading the list of an archive takes time and memory for each. */
const MAX_FILES = 2_000
/** An export of a chat has one for each channel and day. */
const MAX_CHAT_FILES = 100_000
/** The list at the end of an archive is read in parts of about 50 bytes, and small files one after the other: fetched together. */
const BLOCK = 64 * 1024
const MACOS = /(?:^|\/)(?:__MACOSX\/|\.)/
const DAMAGED = 'The archive is damaged or incomplete. Save or download it again'

/**
 * Opens a ZIP archive. With `cut` its files may end early, as in a preview, and are read up to there. Throws `Rejected` for a damaged
 * archive, one with thousands of files that is no export of a chat, and, when it is read, a protected file or one that unpacks to far more than it should.
 */
export async function openZip(bytes: Seekable, { cut = false } = {}): Promise<Zip> {
  const file = await listed(
    fromRandomAccessReaderPromise(new StoredReader(bytes), bytes.size, { autoClose: false, lazyEntries: true }),
  )
  const entries = new Map<string, Entry>()
  const { entryCount } = file
  const tooMany = () => new Rejected(`The archive has ${entryCount.toLocaleString('en-US')} files`)
  if (entryCount > MAX_CHAT_FILES) throw tooMany()
  await listed(
    (async () => {
      for await (const entry of file.eachEntry()) {
        const { fileName } = entry
        if (!fileName.endsWith('/') && !MACOS.test(fileName)) entries.set(fileName, entry)
        const isAtLimit = entryCount > MAX_FILES && file.entriesRead === MAX_FILES
        if (isAtLimit && !mayBeChatFolder([...entries.keys()])) throw tooMany()
      }
    })(),
  )
  return {
    names: [...entries.keys()],
    async *read(name, onRead) {
      const entry = entries.get(name)
      if (!entry) throw new Rejected(DAMAGED)
      yield* inflated(await contentOf(file, entry), { size: entry.compressedSize, cut, onRead })
    },
  }
}

async function contentOf(file: ZipFile, entry: Entry): Promise<Packed> {
  if (entry.isEncrypted()) throw new Rejected('The archive is protected by a password. Save it without one')
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8) {
    throw new Rejected('The archive is compressed in an unusual way. Unpack it and import the file inside')
  }
  const stream = await listed(file.openReadStreamPromise(entry, { decodeFileData: false }))
  return { method: entry.compressionMethod === 0 ? 'stored' : 'deflate', bytes: stream }
}

/** What yauzl throws is about the archive, except what reading the stored file threw. */
async function listed<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof StoredFailure && !(error.cause instanceof EndsEarly)) throw error.cause
    throw error instanceof Rejected ? error : new Rejected(DAMAGED)
  }
}

/** Reading the stored file failed. */
class StoredFailure extends Error {}
class EndsEarly extends Error {}

class StoredReader extends RandomAccessReader {
  readonly #bytes: Seekable
  #block: { from: number; bytes: Buffer } = { from: 0, bytes: Buffer.alloc(0) }

  constructor(bytes: Seekable) {
    super()
    this.#bytes = bytes
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const bytes = end - start > BLOCK ? part(this.#bytes, start, end) : this.#small(start, end)
    return Readable.from(bytes, { objectMode: false })
  }

  /** Small files lie side by side: they are fetched together. */
  async *#small(start: number, end: number): AsyncGenerator<Uint8Array> {
    const block = await this.#fetch(start, end - start)
    if (block.byteLength > 0) yield Uint8Array.from(block)
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    void this.#read(buffer, offset, length, position, callback)
  }

  async #read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): Promise<void> {
    try {
      const block = await this.#fetch(position, length)
      block.copy(buffer, offset, 0, length)
      if (block.byteLength < length) throw new EndsEarly()
    } catch (cause) {
      callback(new StoredFailure('the archive was not read', { cause }))
      return
    }
    callback(null)
  }

  async #fetch(from: number, length: number): Promise<Buffer> {
    const { from: start, bytes } = this.#block
    if (from < start || from + length > start + bytes.byteLength) {
      const parts: Uint8Array[] = []
      for await (const one of part(this.#bytes, from, from + Math.max(length, BLOCK))) parts.push(one)
      this.#block = { from, bytes: Buffer.concat(parts) }
    }
    return this.#block.bytes.subarray(from - this.#block.from, from - this.#block.from + length)
  }
}

async function* part(bytes: Seekable, from: number, to: number): AsyncGenerator<Uint8Array> {
  let left = Math.min(to, bytes.size) - from
  if (left <= 0) return
  for await (const chunk of bytes.open(from)) {
    yield chunk.subarray(0, left)
    left -= chunk.byteLength
    if (left <= 0) return
  }
}
