import type { BadRow } from '@groundswell/contract/feedback.ts'
import type { FeedbackItem, FileOptions, FilePage } from '../connector.ts'
import { read } from './read.ts'

export const importedAt = new Date('2026-05-01T08:00:00Z')

export function options(name: string, more: Partial<FileOptions> = {}): FileOptions {
  return { name, format: null, header: null, mapping: null, ...more }
}

/** Bytes in chunks of a given size. */
export async function* chunked(bytes: Uint8Array | string, size = 64 * 1024): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.from(bytes)
  for (let from = 0; from < buffer.byteLength; from += size) yield buffer.subarray(from, from + size)
}

export type Whole = {
  items: FeedbackItem[]
  lines: number[]
  texts: string[]
  problems: BadRow[]
  pages: FilePage[]
}

/** The whole result of reading a file. */
export async function readAll(
  bytes: Uint8Array | string | AsyncIterable<Uint8Array>,
  name = 'feedback.csv',
  more: Partial<FileOptions> = {},
): Promise<Whole> {
  const pages: FilePage[] = []
  const source = typeof bytes === 'string' || bytes instanceof Uint8Array ? chunked(bytes) : bytes
  for await (const page of read(source, options(name, more), importedAt)) pages.push(page)
  const items = pages.flatMap((page) => page.items)
  return {
    items,
    lines: pages.flatMap((page) => page.lines),
    texts: items.map((item) => item.text),
    problems: pages.flatMap((page) => page.problems),
    pages,
  }
}
