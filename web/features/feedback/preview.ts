import { type ColumnMapping, previewImport } from '@groundswell/contract/feedback.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
import { call } from '../client/index.ts'

/** How much of a file the server is shown to judge it. */
const PREVIEW_BYTES = 256 * 1024

export type Preview = ReplyOf<typeof previewImport>

/** What the server takes a file for, from its first part. Throws CallError. */
export function preview(file: File): Promise<Preview> {
  return call(previewImport, { query: { name: file.name, size: file.size }, raw: file.slice(0, PREVIEW_BYTES) })
}

export const MAPPED = [
  { key: 'text', label: 'Message', help: 'What the customer said' },
  { key: 'author', label: 'Author', help: 'Who said it; people are counted by it' },
  { key: 'date', label: 'Date', help: 'When it was said' },
  { key: 'link', label: 'Link', help: 'Where the original is' },
  { key: 'id', label: 'Id', help: 'Makes the same row known on a second import' },
  { key: 'thread', label: 'Thread', help: 'Rows of one conversation share it' },
] as const satisfies readonly { key: keyof ColumnMapping; label: string; help: string }[]

/** A mapping with one entry set to a column, or to none when `column` is empty. */
export function withColumn(mapping: ColumnMapping, key: keyof ColumnMapping, column: string): ColumnMapping {
  const next = { ...mapping, [key]: column }
  if (column === '' && key !== 'text') delete next[key]
  return next
}
