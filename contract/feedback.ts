import * as z from 'zod/mini'
import { route } from './route.ts'
import { MemberChange } from './values/member-change.ts'
import { nameOf, withoutControls } from './values/name.ts'
import { ZoneList } from './values/zone-list.ts'

/** Formats of one file. `text`: a message on each line; `xlsx` and `ods`: workbooks. */
export const FileFormat = z.enum(['csv', 'tsv', 'jsonl', 'text', 'xlsx', 'ods'])
export type FileFormat = z.infer<typeof FileFormat>

/** The text encoding of a file. Windows-1252 includes Latin-1. */
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

/** What rows of the own side are: context of conversations, or feedback like all others. */
export const OwnReplies = z.enum(['context', 'feedback'])
export type OwnReplies = z.infer<typeof OwnReplies>

/**
 * Which column contains what. Columns are named by the file's header, or `1`, `2`, … where it has none. A `title` is put
 * before the text, and replaces it where it is empty. `role`: whether a customer or our own side wrote the row. `customer`: the
 * organisation of who wrote it; the last three are about that one.
 */
export const ColumnMapping = z.object({
  text: z.string(),
  title: z.optional(z.string()),
  id: z.optional(z.string()),
  author: z.optional(z.string()),
  date: z.optional(z.string()),
  link: z.optional(z.string()),
  thread: z.optional(z.string()),
  role: z.optional(z.string()),
  customer: z.optional(z.string()),
  plan: z.optional(z.string()),
  revenue: z.optional(z.string()),
  region: z.optional(z.string()),
  rating: z.optional(z.string()),
})
export type ColumnMapping = z.infer<typeof ColumnMapping>

/** How many people of the own side an import names. */
export const MAX_OWN_PEOPLE = 200

/** A row that could not be read. `line` counts from 1. */
export const BadRow = z.object({ line: z.int(), reason: z.string() })
export type BadRow = z.infer<typeof BadRow>

/** A source of feedback whose messages come from files. Rows are identified within it. `messages` counts what it holds now. */
export const FileSource = z.object({
  id: z.string(),
  name: z.string(),
  messages: z.int(),
  imports: z.int(),
})
export type FileSource = z.infer<typeof FileSource>

/** A stored text and the text of the row that would replace it. Both are cut to 300 characters. */
const Replacement = z.object({ line: z.int(), before: z.string(), after: z.string() })

/**
 * One import. `added` + `replaced` + `known` + `repeated` + `bad` + `context` = rows read so far. `context`: replies of the own side, by
 * `own_people` (at most `MAX_OWN_PEOPLE`), told by a column (`role`) or by how these people write (`author`); `context_left_out` of them belong to no
 * conversation and are not stored. `undated`: rows without a date that can be read, which got the date of the import. `replaced`: the row's text replaced a
 * stored one, which is archived; `known`: already stored; `repeated`: its id occurs earlier in the file. `problems` and `repeats` hold
 * the first 200 such rows. `bytes_read` of `bytes` is the progress. `grouped` of `added` + `replaced` are grouped.
 * `asking`: the file was compared with its source, `asks` says how many stored texts it would replace, and the import waits for
 * an answer. `restorable`: how many replaced texts are stored.
 */
export const Import = z.object({
  id: z.string(),
  name: z.string(),
  source: z.nullable(z.object({ id: z.string(), name: z.string() })),
  state: z.enum(['waiting', 'running', 'asking', 'done', 'failed']),
  added: z.int(),
  replaced: z.int(),
  known: z.int(),
  repeated: z.int(),
  bad: z.int(),
  // An earlier version that serves beside this one during an update leaves these out.
  context: z._default(z.int(), 0),
  context_left_out: z._default(z.int(), 0),
  own_by: z._default(z.nullable(z.enum(['role', 'author'])), null),
  own_people: z._default(z.array(z.string()), []),
  undated: z._default(z.int(), 0),
  bytes: z.int(),
  bytes_read: z.int(),
  grouped: z.int(),
  restorable: z.int(),
  asks: z.nullable(z.object({ replaces: z.int(), samples: z.array(Replacement) })),
  problems: z.array(BadRow),
  repeats: z.array(z.object({ line: z.int(), of: z.int() })),
  error: z.nullable(z.string()),
  started_at: z.string(),
  finished_at: z.nullable(z.string()),
})
export type Import = z.infer<typeof Import>

/** The path of the calls that are about one import. */
export const ImportParams = z.object({ id: z.uuid() })
/** The name of a file is as people find it: what no name should contain is left out. */
const FileName = z.string().check(z.overwrite(withoutControls), z.minLength(1), z.maxLength(255))

/** How a file is to be read. What is omitted is detected from the file. `mapping` is a ColumnMapping as JSON. */
const reading = {
  name: FileName,
  format: z.optional(FileFormat),
  header: z.optional(z.enum(['true', 'false'])),
  mapping: z.optional(z.string().check(z.maxLength(4000))),
  encoding: z.optional(FileEncoding),
  date_order: z.optional(DateOrder),
  /** Omitted: what a preview assumes. */
  zones: z.optional(ZoneList),
  /** The name of a sheet. Omitted: the first one that is not empty. */
  sheet: z.optional(z.string().check(z.minLength(1), z.maxLength(255))),
  /** Omitted: context. */
  own_replies: z.optional(OwnReplies),
}

/**
 * What importing a file adds, judged by the part of it that was sent. `whole`: that is all of it; otherwise `about` is how many messages
 * the file holds (null: not known), and everything else is about the part. Dates are from `from` to `to` (`days`: none of them has a time;
 * `from_date_only`, `to_date_only`: this one has none and is midnight UTC of its day),
 * `undated` messages have none that can be read. Not among the messages: `own` rows that look like replies of the own side, `repeated` rows whose id a later
 * row has, and `bad` rows, which cannot be read. `samples`: the first five messages, each text cut to 500 characters.
 */
const Expected = z.object({
  messages: z.int(),
  whole: z.boolean(),
  about: z.nullable(z.int()),
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
  days: z.boolean(),
  from_date_only: z.optional(z.boolean()),
  to_date_only: z.optional(z.boolean()),
  undated: z.int(),
  own: z.int(),
  repeated: z.int(),
  bad: z.int(),
  samples: z.array(
    z.object({
      text: z.string(),
      author: z.nullable(z.string()),
      customer: z.nullable(z.string()),
      place: z.nullable(z.string()),
      date: z.nullable(z.string()),
      date_only: z.optional(z.boolean()),
      link: z.nullable(z.string()),
    }),
  ),
})
export type Expected = z.infer<typeof Expected>

export const previewImport = route({
  name: 'previewImport',
  summary:
    'What a file seems to contain, judged by its first part (at most 256 KiB of it are sent; of a packed file also its list of contents)',
  method: 'POST',
  path: '/api/imports/preview',
  access: 'member',
  audit: 'none',
  query: z.object({ ...reading, size: z.optional(z.coerce.number<string | number>().check(z.int(), z.gte(0))) }),
  raw: true,
  /**
   * `preset` is the product whose export this seems to be. `skipped_rows` are above the header and are left out.
   * `date_order` is null where no date is ambiguous, `undecided` where the first part does not decide it. `zones` are abbreviations in
   * the dates that several zones share: the offset that each is read with, and all that it may mean, the assumed one first. `undated`: how
   * many rows have a date that cannot be read, with the first of them and, where it is known, why: such a row is imported with the time of the
   * import as its date.
   * `sheets`: the visible sheets of a workbook; `sheet` is the one that is read. `files`: how many files of an archive are read as one.
   */
  reply: z.object({
    format: FileFormat,
    // An earlier version that serves beside this one during an update leaves these out.
    files: z._default(z.int(), 1),
    sheets: z._default(z.array(z.string()), []),
    sheet: z._default(z.nullable(z.string()), null),
    encoding: FileEncoding,
    header: z.boolean(),
    skipped_rows: z.int(),
    preset: z.nullable(z.string()),
    date_order: z.nullable(z.enum(['day_first', 'month_first', 'undecided'])),
    zones: z._default(
      z.array(
        z.object({
          name: z.string(),
          offset: z.string(),
          places: z.array(z.object({ offset: z.string(), place: z.string() })),
        }),
      ),
      [],
    ),
    undated: z._default(
      z.object({ rows: z.int(), samples: z.array(z.string()), why: z._default(z.nullable(z.string()), null) }),
      { rows: 0, samples: [], why: null },
    ),
    columns: z.array(z.string()),
    rows: z.array(z.array(z.string())),
    mapping: ColumnMapping,
    problems: z.array(BadRow),
    expected: z._default(z.nullable(Expected), null),
    /**
     * How the last file with the same header was imported. Where the call names no mapping, `mapping` is that one's, and `detected`
     * what it would be without it. `source` is null where that has been deleted.
     */
    remembered: z._default(
      z.nullable(
        z.object({
          imported_at: z.string(),
          source: z.nullable(FileSource),
          own_replies: z.nullable(OwnReplies),
          detected: ColumnMapping,
        }),
      ),
      null,
    ),
    /** The newest import that seems to have been of the same file. */
    same: z.nullable(z.object({ source: FileSource, imported_at: z.string() })),
  }),
  errors: ['invalid_input', 'payload_too_large'],
  example: () => ({ query: { name: 'a.csv' }, raw: 'text\nhello' }),
})

export const startImport = route({
  name: 'startImport',
  summary: 'Store a file and import it in the background; the body is the file',
  method: 'POST',
  path: '/api/imports',
  access: 'member',
  audit: { action: 'import.started' },
  query: z.object({
    ...reading,
    /** The id of a file source, or `new`. Omitted: the source of an earlier import of the same file, else a new one. */
    source: z.optional(z.union([z.literal('new'), z.uuid()])),
    /** The name of a new source; omitted: that of the file. */
    source_name: z.optional(nameOf(200)),
    /** What happens to stored text that a row would replace. Omitted: the import asks first. */
    on_conflict: z.optional(z.enum(['ask', 'replace', 'keep'])),
  }),
  raw: true,
  reply: Import,
  errors: ['invalid_input', 'payload_too_large'],
  example: () => ({ query: { name: 'a.csv' }, raw: 'text\nhello' }),
})

export const getImport = route({
  name: 'getImport',
  summary: 'The progress of one import',
  method: 'GET',
  path: '/api/imports/{id}',
  access: 'viewer',
  scope: 'read',
  params: ImportParams,
  reply: Import,
  errors: ['invalid_input', 'not_found'],
  example: ({ fileImport }) => ({ params: { id: fileImport } }),
})

export const listImports = route({
  name: 'listImports',
  summary: 'The newest 50 imports',
  method: 'GET',
  path: '/api/imports',
  access: 'viewer',
  scope: 'read',
  reply: z.object({ imports: z.array(Import) }),
  errors: [],
})

export const answerImport = route({
  name: 'answerImport',
  summary: 'Answer an import’s question: replace stored texts, or keep them and add only new rows',
  method: 'POST',
  path: '/api/imports/{id}/answer',
  access: 'member',
  audit: { action: 'import.answered', target: 'id' },
  params: ImportParams,
  body: z.object({ on_conflict: z.enum(['replace', 'keep']) }),
  reply: Import,
  errors: ['invalid_input', 'not_found', 'conflict'],
  needs: 'an import with a question',
  example: ({ fileImport }) => ({ params: { id: fileImport }, body: { on_conflict: 'replace' } }),
})

/** An insight as an import's report names it. `change`: of its mentions since the import began. */
const NamedInsight = z.object({
  issue_number: z.int(),
  name: z.string(),
  mentions: z.int(),
  change: z.optional(MemberChange),
})

export const getImportInsights = route({
  name: 'getImportInsights',
  summary:
    'How an import affected the insights: how many were created and how many have more mentions since it began, with the largest 20 of each',
  method: 'GET',
  path: '/api/imports/{id}/insights',
  access: 'viewer',
  scope: 'read',
  params: ImportParams,
  reply: z.object({
    created: z.int(),
    grew: z.int(),
    /** Earlier insights that have messages of the import, and no more mentions than before it. */
    others: z._default(z.int(), 0),
    created_insights: z.array(NamedInsight),
    grown_insights: z.array(NamedInsight),
  }),
  errors: ['invalid_input', 'not_found'],
  example: ({ fileImport }) => ({ params: { id: fileImport } }),
})

export const listFileSources = route({
  name: 'listFileSources',
  summary: 'The sources that files were imported into, oldest first',
  method: 'GET',
  path: '/api/file-sources',
  access: 'viewer',
  scope: 'read',
  reply: z.object({ sources: z.array(FileSource) }),
  errors: [],
})
