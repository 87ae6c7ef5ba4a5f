import * as z from 'zod/mini'
import { route } from './route.ts'

export const FileFormat = z.enum(['csv', 'tsv', 'jsonl', 'text'])
export type FileFormat = z.infer<typeof FileFormat>

/** How a file's bytes are text. Windows-1252 includes Latin-1. */
export const FileEncoding = z.enum([
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'macintosh',
  'shift_jis',
  'gb18030',
])
export type FileEncoding = z.infer<typeof FileEncoding>

/** Which number of a date like 03/04/2026 comes first. */
export const DateOrder = z.enum(['day_first', 'month_first'])
export type DateOrder = z.infer<typeof DateOrder>

/**
 * Which column holds what. Columns are named by the file's header, or `1`, `2`, … where it has none. A `title` is put
 * before the text and stands in for it where it is empty.
 */
export const ColumnMapping = z.object({
  text: z.string(),
  title: z.optional(z.string()),
  id: z.optional(z.string()),
  author: z.optional(z.string()),
  date: z.optional(z.string()),
  link: z.optional(z.string()),
  thread: z.optional(z.string()),
})
export type ColumnMapping = z.infer<typeof ColumnMapping>

/** A row that could not be read. `line` counts from 1. */
export const BadRow = z.object({ line: z.int(), reason: z.string() })
export type BadRow = z.infer<typeof BadRow>

/**
 * One import. `added` + `known` + `bad` = rows read so far; `known` were there already. `problems` holds the first 200 bad
 * rows. `bytes_read` of `bytes` is the progress.
 */
export const Import = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(['waiting', 'running', 'done', 'failed']),
  added: z.int(),
  known: z.int(),
  bad: z.int(),
  bytes: z.int(),
  bytes_read: z.int(),
  grouped: z.int(),
  problems: z.array(BadRow),
  error: z.nullable(z.string()),
  started_at: z.string(),
  finished_at: z.nullable(z.string()),
})
export type Import = z.infer<typeof Import>

const ImportParams = z.object({ id: z.uuid() })
const FileName = z.string().check(z.minLength(1), z.maxLength(255))

/** How a file is to be read. What is left out is found out from the file. `mapping` is a ColumnMapping as JSON. */
const reading = {
  name: FileName,
  format: z.optional(FileFormat),
  header: z.optional(z.enum(['true', 'false'])),
  mapping: z.optional(z.string().check(z.maxLength(4000))),
  encoding: z.optional(FileEncoding),
  date_order: z.optional(DateOrder),
}

export const previewImport = route({
  name: 'previewImport',
  summary: 'What a file seems to hold, judged by its first part (at most 256 KiB of it are sent)',
  method: 'POST',
  path: '/api/imports/preview',
  access: 'member',
  query: z.object(reading),
  raw: true,
  /**
   * `preset` is the product whose export this looks like. `skipped_rows` stand above the header and are left out.
   * `date_order` is null where no date can be read in two ways, `undecided` where the first part does not tell.
   */
  reply: z.object({
    format: FileFormat,
    encoding: FileEncoding,
    header: z.boolean(),
    skipped_rows: z.int(),
    preset: z.nullable(z.string()),
    date_order: z.nullable(z.enum(['day_first', 'month_first', 'undecided'])),
    columns: z.array(z.string()),
    rows: z.array(z.array(z.string())),
    mapping: ColumnMapping,
    problems: z.array(BadRow),
  }),
  errors: ['invalid_input', 'payload_too_large'],
})

export const startImport = route({
  name: 'startImport',
  summary: 'Store a file and import it in the background; the body is the file',
  method: 'POST',
  path: '/api/imports',
  access: 'member',
  query: z.object(reading),
  raw: true,
  reply: Import,
  errors: ['invalid_input', 'payload_too_large'],
})

export const getImport = route({
  name: 'getImport',
  summary: 'How far one import is',
  method: 'GET',
  path: '/api/imports/{id}',
  access: 'member',
  params: ImportParams,
  reply: Import,
  errors: ['invalid_input', 'not_found'],
})

export const listImports = route({
  name: 'listImports',
  summary: 'The newest 50 imports',
  method: 'GET',
  path: '/api/imports',
  access: 'member',
  reply: z.object({ imports: z.array(Import) }),
  errors: [],
})
