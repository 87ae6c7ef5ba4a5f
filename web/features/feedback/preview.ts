import { packingOf, refusalOf } from '@groundswell/contract/feedback/file-content.ts'
import {
  type ColumnMapping,
  type DateOrder,
  type FileEncoding,
  type FileFormat,
  type OwnReplies,
  previewImport,
} from '@groundswell/contract/feedback.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
import { call } from '../client/index.ts'

/** The size of the first part of a file that is sent for the preview. */
const PREVIEW_BYTES = 256 * 1024
/** Enough to recognise an image or a workbook before anything is sent. */
const SIGNATURE_BYTES = 4096

/** How the server would read a file, judged by its first part. */
export type Preview = ReplyOf<typeof previewImport>

/** The user's choices about reading the file; everything else is detected. */
export type Choices = {
  format?: FileFormat
  sheet?: string
  header?: boolean
  encoding?: FileEncoding
  dateOrder?: DateOrder
  ownReplies?: OwnReplies
  /** Offsets from UTC by abbreviation. */
  zones?: Record<string, string>
  mapping?: ColumnMapping
}

/** A file without text. The message tells the user what to do. */
export class NotText extends Error {}

/** The server's preview of a file, from its first part. Throws NotText before anything is sent, or CallError. */
export async function preview(file: File, choices: Choices = {}): Promise<Preview> {
  const start = new Uint8Array(await file.slice(0, SIGNATURE_BYTES).arrayBuffer())
  const packing = packingOf(start)
  const reason = packing === null ? refusalOf(start, choices.encoding?.startsWith('utf-16')) : null
  if (reason !== null) throw new NotText(`${reason}.`)
  const query = { name: file.name, size: file.size, ...choicesQuery(choices) }
  return call(previewImport, { query, raw: packing === 'zip' ? await archivePart(file) : file.slice(0, PREVIEW_BYTES) })
}

/** An archive is read from its end: its beginning alone says nothing. */
async function archivePart(file: File): Promise<Blob> {
  const { archiveHead } = await import('./archive-head.ts')
  const part = await archiveHead(file, PREVIEW_BYTES)
  if (part === null) throw new NotText('The archive is damaged or incomplete. Save or download it again.')
  return part
}

/** Choices in the format of the calls. */
export function choicesQuery({ format, sheet, header, encoding, dateOrder, ownReplies, zones, mapping }: Choices) {
  return {
    ...(format === undefined ? {} : { format }),
    ...(sheet === undefined ? {} : { sheet }),
    ...(header === undefined ? {} : { header: header ? ('true' as const) : ('false' as const) }),
    ...(encoding === undefined ? {} : { encoding }),
    ...(dateOrder === undefined ? {} : { date_order: dateOrder }),
    ...(zones === undefined
      ? {}
      : {
          zones: Object.entries(zones)
            .map((pair) => pair.join('='))
            .join(','),
        }),
    ...(ownReplies === undefined ? {} : { own_replies: ownReplies }),
    ...(mapping === undefined ? {} : { mapping: JSON.stringify(mapping) }),
  }
}

/**
 * The choices that remain after a new one: another format, sheet, header or encoding changes the names of columns, another date column
 * changes the dates.
 */
export function withChoice(choices: Choices, change: Choices): Choices {
  const { mapping, dateOrder, zones, ...kept } = { ...choices, ...change }
  const replaced = 'format' in change || 'sheet' in change
  const renamed = replaced || 'header' in change || 'encoding' in change
  const redated = renamed || (change.mapping !== undefined && change.mapping.date !== choices.mapping?.date)
  const { header, ...others } = kept
  return {
    ...others,
    ...(header === undefined || replaced ? {} : { header }),
    ...(mapping === undefined || renamed ? {} : { mapping }),
    ...(dateOrder === undefined || redated ? {} : { dateOrder }),
    ...(zones === undefined || redated ? {} : { zones }),
  }
}

/** The fields of a message that a column may be chosen for, in the order of the form. */
export const MAPPED = [
  { key: 'text', label: 'Message', help: 'What the customer said' },
  { key: 'title', label: 'Title', help: 'Placed before the message, or used in its place' },
  { key: 'author', label: 'Author', help: 'Who said it; used to count people' },
  { key: 'date', label: 'Date', help: 'When it was said' },
  { key: 'link', label: 'Link', help: 'Where the original is' },
  { key: 'id', label: 'Id', help: 'Identifies the same row in a later import' },
  { key: 'thread', label: 'Thread', help: 'Rows of one conversation share it' },
  { key: 'role', label: 'Role', help: 'Whether a customer or your own team wrote it' },
  { key: 'customer', label: 'Customer', help: 'The author’s organisation' },
  { key: 'plan', label: 'Plan', help: 'The customer’s plan' },
  { key: 'revenue', label: 'Revenue', help: 'What the customer pays' },
  { key: 'region', label: 'Region', help: 'Where the customer is' },
  { key: 'rating', label: 'Rating', help: 'Stars or a score, kept beside the message' },
] as const satisfies readonly { key: keyof ColumnMapping; label: string; help: string }[]

/** Whether a format has sheets. */
export const isWorkbook = (format: FileFormat): format is 'xlsx' | 'ods' => format === 'xlsx' || format === 'ods'

/** Formats that a file of text can be read as. */
export const FORMATS: Record<Exclude<FileFormat, 'xlsx' | 'ods'>, string> = {
  csv: 'Table (CSV)',
  tsv: 'Table with tabs (TSV)',
  jsonl: 'JSON',
  text: 'Plain text: each line is a message',
}

/** What the form calls each encoding. */
export const ENCODINGS: Record<FileEncoding, string> = {
  'utf-8': 'UTF-8 (Unicode)',
  'utf-16le': 'UTF-16 (Unicode)',
  'utf-16be': 'UTF-16, big-endian (Unicode)',
  'windows-1252': 'Windows-1252, Latin-1 (Western European)',
  'windows-1250': 'Windows-1250 (Central European)',
  'windows-1251': 'Windows-1251 (Cyrillic)',
  macintosh: 'Mac Roman (Western European)',
  shift_jis: 'Shift JIS (Japanese)',
  gb18030: 'GB 18030 (Chinese)',
}

/** A mapping with one entry set to a column, or to none when `column` is empty. */
export function withColumn(mapping: ColumnMapping, key: keyof ColumnMapping, column: string): ColumnMapping {
  const next = { ...mapping, [key]: column }
  if (column === '' && key !== 'text') delete next[key]
  return next
}

/** Whether two mappings choose the same column for each use. */
export function isSameMapping(one: ColumnMapping, other: ColumnMapping): boolean {
  return MAPPED.every(({ key }) => (one[key] ?? '') === (other[key] ?? ''))
}
