import type { FileHandle } from 'node:fs/promises'
import { BrokenFile, EMPTY, MAX_JSON_BYTES, NOT_JSON, NOT_TEXT } from './json-folder.ts'

const CHUNK_BYTES = 1024 ** 2

/** Where a value is in a file, in bytes; `end` is after its last byte. */
export type ByteRange = { start: number; end: number }

/** Gets the fields of a file's object in their order. What it throws ends the reading. */
type PartsReader = {
  /** The field that is reported item by item when it is a list. */
  list: string
  /** Whether a file that is itself a list is reported item by item. */
  orOnlyList?: boolean
  /** Any other field, and `list` when it is no list. */
  onField(name: string, value: unknown): void
  /**
   * The list begins; a second time when the file has the field twice: as in JSON.parse, the last one counts. `place`: of the list in the file, empty when it
   * is all of it.
   */
  onList(place: readonly string[]): void
  onItem(value: unknown, range: ByteRange): void
}

/**
 * Reads a file with one JSON object in one pass, with no more than one field or item in memory. Returns false when its content is
 * JSON but not an object, which is held in memory whole unless it is a list that is reported. Throws BrokenFile when it is not UTF-8 or not JSON, or a part of it is larger than MAX_JSON_BYTES.
 */
export async function readParts(handle: FileHandle, reader: PartsReader): Promise<boolean> {
  const scanner = new Scanner(reader)
  try {
    for await (const chunk of chunksOf(handle)) scanner.push(chunk)
    return scanner.end()
  } catch (error) {
    if (error instanceof BrokenFile && error.message === NOT_JSON) await requireText(handle)
    throw error
  }
}

/** The value at a place that readParts reported. Throws SyntaxError when it is no longer there. */
export async function readPart(handle: FileHandle, { start, end }: ByteRange): Promise<unknown> {
  const bytes = Buffer.alloc(end - start)
  let length = 0
  while (length < bytes.length) {
    const { bytesRead } = await handle.read(bytes, length, bytes.length - length, start + length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  // A decoder leaves out the byte order mark of a file that is one value.
  return JSON.parse(new TextDecoder().decode(bytes.subarray(0, length)))
}

/** The chunks share one buffer. */
async function* chunksOf(handle: FileHandle): AsyncGenerator<Buffer> {
  const buffer = Buffer.alloc(CHUNK_BYTES)
  for (let at = 0; ; ) {
    const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, at)
    if (bytesRead === 0) return
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** A file that is neither JSON nor UTF-8 is reported as not UTF-8. */
async function requireText(handle: FileHandle): Promise<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of chunksOf(handle)) decoder.decode(chunk, { stream: true })
    decoder.decode()
  } catch (error) {
    if (error instanceof TypeError) throw new BrokenFile(NOT_TEXT)
    throw error
  }
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** What may come next outside of a value. `first`: the container is still empty and may end. */
type Expected =
  | { in: 'whole' }
  | { in: 'object'; next: 'name'; first: boolean }
  | { in: 'object'; next: 'colon' | 'value' | 'comma' }
  | { in: 'list'; next: 'item'; first: boolean }
  | { in: 'list'; next: 'comma' }
  | { in: 'end' }

/** The value that is being read. Its inner structure is not judged here but by JSON.parse. */
type Value = { start: number; shape: 'text' | 'container' | 'scalar'; depth: number; quoted: boolean; escaped: boolean }

class Scanner {
  #reader: PartsReader
  /** The position of the first byte of the current chunk. */
  #position = 0
  #expected: Expected = { in: 'whole' }
  #isObject = true
  #name = ''
  #value: Value | null = null
  /** The parts of the current value in earlier chunks. */
  #earlier: Buffer[] = []

  constructor(reader: PartsReader) {
    this.#reader = reader
  }

  push(chunk: Buffer): void {
    const marked = this.#position === 0 && BYTE_ORDER_MARK.every((byte, at) => chunk[at] === byte)
    for (let at = marked ? BYTE_ORDER_MARK.length : 0; at < chunk.length; ) {
      if (this.#value === null) {
        const byte = chunk[at] ?? 0
        if (isSpace(byte) || this.#mark(byte)) at += 1
        else this.#begin(byte, this.#position + at)
        continue
      }
      const from = Math.max(0, this.#value.start - this.#position)
      const end = this.#endOf(this.#value, chunk, at)
      if (this.#position + (end ?? chunk.length) - this.#value.start > MAX_JSON_BYTES)
        throw new BrokenFile(`A part of it is larger than ${MAX_JSON_BYTES / 1024 ** 2} MiB`)
      if (end === null) {
        this.#earlier.push(Buffer.from(chunk.subarray(from)))
        break
      }
      this.#finish(chunk.subarray(from, end), this.#position + end)
      at = end
    }
    this.#position += chunk.length
  }

  /** Whether the content is an object. */
  end(): boolean {
    // A number that is all of the file ends only here.
    if (this.#value?.shape === 'scalar') this.#finish(Buffer.alloc(0), this.#position)
    if (this.#expected.in === 'whole' && this.#value === null) throw new BrokenFile(EMPTY)
    if (this.#expected.in !== 'end') throw new BrokenFile(NOT_JSON)
    return this.#isObject
  }

  /** Takes a mark of the structure; false when a value begins instead. */
  #mark(byte: number): boolean {
    const expected = this.#expected
    if (expected.in === 'end') throw new BrokenFile(NOT_JSON)
    if (expected.in === 'whole') {
      if (byte === OPEN_LIST && this.#reader.orOnlyList) {
        this.#isObject = false
        this.#reader.onList([])
        this.#expected = { in: 'list', next: 'item', first: true }
        return true
      }
      if (byte !== OPEN_OBJECT) return false
      this.#expected = { in: 'object', next: 'name', first: true }
      return true
    }
    if (expected.next === 'value') {
      if (byte !== OPEN_LIST || this.#name !== this.#reader.list) return false
      this.#reader.onList([this.#reader.list])
      this.#expected = { in: 'list', next: 'item', first: true }
      return true
    }
    if (expected.next === 'colon') {
      if (byte !== COLON) throw new BrokenFile(NOT_JSON)
      this.#expected = { in: 'object', next: 'value' }
      return true
    }
    const close = expected.in === 'object' ? CLOSE_OBJECT : CLOSE_LIST
    if (byte === close && (expected.next === 'comma' || ('first' in expected && expected.first))) {
      this.#expected = expected.in === 'list' && this.#isObject ? { in: 'object', next: 'comma' } : { in: 'end' }
      return true
    }
    if (expected.next === 'comma') {
      if (byte !== COMMA) throw new BrokenFile(NOT_JSON)
      this.#expected =
        expected.in === 'object'
          ? { in: 'object', next: 'name', first: false }
          : { in: 'list', next: 'item', first: false }
      return true
    }
    if (expected.next === 'name' && byte !== QUOTE) throw new BrokenFile(NOT_JSON)
    return false
  }

  #begin(byte: number, start: number): void {
    const shape =
      byte === QUOTE ? 'text' : byte === OPEN_LIST || byte === OPEN_OBJECT ? 'container' : ('scalar' as const)
    if (byte === COMMA || byte === COLON || byte === CLOSE_LIST || byte === CLOSE_OBJECT) throw new BrokenFile(NOT_JSON)
    this.#value = { start, shape, depth: 0, quoted: false, escaped: false }
  }

  /** Where in the chunk the value ends; null when it continues in the next one. */
  #endOf(value: Value, chunk: Buffer, from: number): number | null {
    let { depth, quoted, escaped } = value
    const { shape } = value
    for (let at = from; at < chunk.length; at += 1) {
      let byte = chunk[at] ?? 0
      if (quoted) {
        while (!escaped && byte !== QUOTE && byte !== BACKSLASH && at + 1 < chunk.length) {
          at += 1
          byte = chunk[at] ?? 0
        }
        if (escaped) escaped = false
        else if (byte === BACKSLASH) escaped = true
        else if (byte === QUOTE) {
          quoted = false
          if (shape === 'text') return at + 1
        }
      } else if (shape === 'scalar') {
        if (byte === COMMA || byte === CLOSE_LIST || byte === CLOSE_OBJECT || isSpace(byte)) return at
      } else if (byte === QUOTE) quoted = true
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth += 1
      else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
        depth -= 1
        if (depth === 0) return at + 1
      }
    }
    Object.assign(value, { depth, quoted, escaped })
    return null
  }

  #finish(rest: Buffer, end: number): void {
    const start = this.#value?.start ?? end
    const bytes = this.#earlier.length === 0 ? rest : Buffer.concat([...this.#earlier, rest])
    this.#value = null
    this.#earlier = []
    const value = parsed(bytes)
    const expected = this.#expected
    if (expected.in === 'whole') {
      this.#isObject = false
      this.#expected = { in: 'end' }
    } else if (expected.in === 'list') {
      this.#reader.onItem(value, { start, end })
      this.#expected = { in: 'list', next: 'comma' }
    } else if (expected.in === 'object' && expected.next === 'name') {
      this.#name = String(value)
      this.#expected = { in: 'object', next: 'colon' }
    } else {
      this.#reader.onField(this.#name, value)
      this.#expected = { in: 'object', next: 'comma' }
    }
  }
}

function parsed(bytes: Buffer): unknown {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw new BrokenFile(NOT_TEXT)
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new BrokenFile(NOT_JSON)
  }
}
