import type { FileEncoding } from '@groundswell/contract/feedback.ts'
import type { FileOptions } from '../connector.ts'
import { detectEncoding, toUtf8 } from './encoding.ts'
import { jsonArraySplitter, startsJsonArray } from './json-array.ts'
import { detectLayout, type Layout } from './layout.ts'
import { type LineSplitter, lineBreakOf, lineSplitter } from './line-splitter.ts'

/** The size of a file's head: the same in a preview and in the import after it, so that both detect the same. */
export const HEAD_BYTES = 64 * 1024

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
  const head = bytes.subarray(0, HEAD_BYTES)
  const { encoding, open } = detectEncoding(head, options.encoding ?? null)
  const decoded = toUtf8(encoding)(head)
  const lineBreak = lineBreakOf(decoded)
  const isArray = (options.format ?? 'jsonl') === 'jsonl' && startsJsonArray(decoded)
  const splitter = isArray ? () => jsonArraySplitter(open) : () => lineSplitter(lineBreak, open)
  const sample = splitter()
  const lines = sample.push(decoded)
  if (!cut || lines.length === 0) lines.push(...sample.end())
  const layout = detectLayout(lines, isArray ? { ...options, format: 'jsonl' } : options, cut)
  return { layout, encoding, decode: toUtf8(encoding), splitter }
}

/** The first bytes of a file, and whether they are the whole file. */
export async function readHead(source: AsyncIterator<Uint8Array>): Promise<{ head: Uint8Array; ended: boolean }> {
  const chunks: Uint8Array[] = []
  let size = 0
  while (size <= HEAD_BYTES) {
    const next = await source.next()
    if (next.done) return { head: Buffer.concat(chunks), ended: true }
    chunks.push(Uint8Array.from(next.value))
    size += next.value.byteLength
  }
  return { head: Buffer.concat(chunks), ended: false }
}
