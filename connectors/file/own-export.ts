import { EXPORT_COLUMNS } from '@groundswell/contract/insight-fields.ts'

/** A file that Groundswell wrote. `guarded`: what looked like a formula got an apostrophe. `place`, `source`: their columns. */
export type OwnExport = { guarded: boolean; place: number; source: number; sourceName: number | undefined }

const PER_MENTION = ['id', 'text', 'link', 'date', 'author', 'source', 'place']
const PER_MESSAGE = ['id', 'source', 'source_name', 'external_id', 'text', 'author', 'date', 'link', 'thread', 'place']
/** Fields that only some mentions have. */
const SOMETIMES = new Set(['date_known', 'date_only'])

/** Recognises insights exported as CSV or JSONL, and all feedback as JSONL, by exactly their columns; null for every other file. */
export function ownExportOf(columns: readonly string[], isTable: boolean): OwnExport | null {
  const always = columns.filter((name) => !SOMETIMES.has(name))
  const begins = (names: readonly string[]) => names.every((name, at) => always[at] === name)
  if (isTable) {
    if (columns.length !== EXPORT_COLUMNS.length || !begins(EXPORT_COLUMNS)) return null
    const [place, source] = [columns.indexOf('mention_place'), columns.indexOf('mention_source')]
    return { guarded: true, place, source, sourceName: undefined }
  }
  if (!begins(PER_MENTION) && !begins(PER_MESSAGE)) return null
  const sourceName = columns.indexOf('source_name')
  const [place, source] = [columns.indexOf('place'), columns.indexOf('source')]
  return { guarded: false, place, source, sourceName: sourceName < 0 ? undefined : sourceName }
}

/** A cell without the apostrophe that an export put before what could be a formula. */
export function withoutGuard(cell: string): string {
  return /^'+[=+\-@\t\r\n＝＋－＠]/.test(cell) ? cell.slice(1) : cell
}
