import type { ColumnMapping } from '@groundswell/contract/feedback.ts'
import type { FeedbackItem, FilePreview } from '../../connector.ts'
import { preview } from '../preview.ts'
import { read } from '../read.ts'

/**
 * A file as people have it, and what has to be read from it. `mapping`: columns that are chosen. `preset`: the product whose export it is. `first`: fields of the first message. `problems`: reasons of the rows that are none.
 */
export type Case = {
  what: string
  name: string
  file: string | Uint8Array
  mapping?: ColumnMapping
  preset: string | null
  texts: readonly string[]
  first: Partial<FeedbackItem>
  problems?: readonly string[]
}

export type Seen = Pick<FilePreview, 'preset' | 'format' | 'columns'> & { items: FeedbackItem[]; problems: string[] }

/** The lines of a file. */
export const lines = (...all: readonly string[]): string => all.join('\n')

/** Rows without a date that can be read get this one. */
const IMPORTED_AT = new Date('2026-11-02T08:00:00Z')

/** What the reader makes of a file, as an import without another choice does. */
export async function seenIn({ name, file, mapping }: Case): Promise<Seen> {
  const bytes = Buffer.from(file)
  const options = { name, format: null, header: null, mapping: mapping ?? null }
  const { preset, format, columns } = await preview(bytes, options, bytes.byteLength)
  const items: FeedbackItem[] = []
  const problems: string[] = []
  async function* whole() {
    yield bytes
  }
  for await (const page of read(whole(), options, IMPORTED_AT)) {
    items.push(...page.items)
    problems.push(...page.problems.map(({ reason }) => reason))
  }
  return { preset, format, columns, items, problems }
}
