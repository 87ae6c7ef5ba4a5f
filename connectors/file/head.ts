import type { FileEncoding } from '@groundswell/contract/feedback.ts'
import type { FileOptions } from '../connector.ts'
import { detectEncoding, toUtf8 } from './encoding.ts'
import { isSpread, isUnsure, jsonListSplitter, listPlaceOf } from './json-list.ts'
import { detectLayout, type Layout } from './layout.ts'
import { type Line, type LineSplitter, lineBreakOf, lineSplitter } from './line-splitter.ts'
import { parseObject } from './rows/json-rows.ts'

/** The size of a file's head: the same in a preview and in the import after it, so that both detect the same. */
export const HEAD_BYTES = 64 * 1024

/** Where the first lines of JSON are longer than that, or broken, as much as this is read until there is one that says which columns it has. */
const MAX_HEAD_BYTES = 8 * 1024 * 1024
/** Lines by which the layout of JSON is detected at most, and of all files when more than the head is read. */
const MAX_LINES = 1_000

export type InspectedHead = {
  layout: Layout
  encoding: FileEncoding
  decode: (chunk: Uint8Array) => Uint8Array
  splitter: () => LineSplitter
}

/**
 * Detects the content of a file from its first bytes. `cut`: more bytes follow; then an incomplete last line is omitted. Throws
 * `Rejected` for content without text.
 */
export function inspectHead(bytes: Uint8Array, options: FileOptions, cut: boolean): InspectedHead {
  return inspect(firstLines(bytes, options, cut), options)
}

/** The lines of the head alone, or of all bytes where the head does not say which columns there are. `suffices`: false where they do not either, and more of them may. */
function firstLines(bytes: Uint8Array, options: FileOptions, cut: boolean) {
  const linesIn = (size: number) => {
    const follows = cut || bytes.byteLength > size
    const found = linesOf(bytes.subarray(0, size), options)
    return { ...found, follows, suffices: !follows || !lacksObject(found, options) }
  }
  const first = linesIn(HEAD_BYTES)
  return first.suffices || bytes.byteLength <= HEAD_BYTES ? first : linesIn(MAX_HEAD_BYTES)
}

function inspect(first: ReturnType<typeof firstLines>, options: FileOptions): InspectedHead {
  const { encoding, splitter, isList, sample, lines, follows } = first
  if (!follows || lines.length === 0) lines.push(...sample.end())
  const layout = detectLayout(lines, isList ? { ...options, format: 'jsonl' } : options, follows)
  return { layout, encoding, decode: toUtf8(encoding), splitter }
}

/** The complete lines of a head. */
function linesOf(head: Uint8Array, options: FileOptions) {
  const { encoding, open } = detectEncoding(head, options.encoding ?? null)
  const decoded = toUtf8(encoding)(head)
  const lineBreak = lineBreakOf(decoded)
  const mayBeJson = (options.format ?? 'jsonl') === 'jsonl'
  const list = mayBeJson ? listPlaceOf(decoded) : null
  const isList = list !== null || (mayBeJson && isSpread(decoded))
  const splitter = isList
    ? () => jsonListSplitter(list?.path ?? null, open, list?.of)
    : () => lineSplitter(lineBreak, open)
  const sample = splitter()
  const all = sample.push(decoded)
  const lines = head.byteLength > HEAD_BYTES || isList || isJson(options, decoded) ? all.slice(0, MAX_LINES) : all
  return { encoding, decoded, splitter, isList, sample, lines }
}

/** Whether nothing in these bytes of a JSON file says which columns it has, or which of its lists has the messages. */
function lacksObject({ decoded, isList, lines }: ReturnType<typeof linesOf>, options: FileOptions): boolean {
  if (isList && isUnsure(decoded)) return true
  return (isList || isJson(options, decoded)) && lines.length < MAX_LINES && !lines.some(isObject)
}

function isJson({ format, name }: FileOptions, head: Uint8Array): boolean {
  if (format !== null) return format === 'jsonl'
  return /\.(jsonl|ndjson|json)$/i.test(name) || head.find((byte) => byte > 32) === 0x7b
}

function isObject({ text, problem }: Line): boolean {
  if (problem !== null) return false
  try {
    return parseObject(text) !== null
  } catch {
    return false
  }
}

/** The first bytes of a file and what they say; more of them where the first ones do not say it. */
export async function readInspected(
  source: AsyncIterator<Uint8Array>,
  options: FileOptions,
): Promise<{ head: Uint8Array; ended: boolean; inspected: InspectedHead }> {
  let { head, ended } = await readHead(source, HEAD_BYTES)
  for (;;) {
    const isLast = ended || head.byteLength >= MAX_HEAD_BYTES
    const first = firstLines(head, options, !ended)
    if (isLast || first.suffices) return { head, ended, inspected: inspect(first, options) }
    const next = await readHead(source, head.byteLength)
    head = Buffer.concat([head, next.head])
    ended = next.ended
  }
}

/** More than this many next bytes of a file, and whether it ends with them. */
async function readHead(
  source: AsyncIterator<Uint8Array>,
  bytes: number,
): Promise<{ head: Uint8Array; ended: boolean }> {
  const chunks: Uint8Array[] = []
  let size = 0
  while (size <= bytes) {
    const next = await source.next()
    if (next.done) return { head: Buffer.concat(chunks), ended: true }
    chunks.push(Uint8Array.from(next.value))
    size += next.value.byteLength
  }
  return { head: Buffer.concat(chunks), ended: false }
}
