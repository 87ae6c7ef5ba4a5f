import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import type { FeedbackItem, FileOptions, FileReader } from '@groundswell/connectors/connector.ts'
import { connectors } from '@groundswell/connectors/index.ts'
import { MAX_ARCHIVE_BYTES, MAX_ARCHIVE_FILES, storedArchive } from '@groundswell/contract/feedback/stored-archive.ts'
import {
  type BadRow,
  type ColumnMapping,
  DateOrder,
  FileEncoding,
  FileFormat,
  OwnReplies,
} from '@groundswell/contract/feedback.ts'
import { offsetText, ZoneList, zonesOf } from '@groundswell/contract/values/zone-list.ts'
import { pathOf, type Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

/** A file that a person named on the command line; `-` is standard input. Sizes are bytes; unknown for a pipe. */
export type InputFile = { name: string; size: number | null; open(from?: number): AsyncIterable<Uint8Array> }

/** Finds the file; the files of a folder are one. */
export async function inputFile(terminal: Terminal, argument: string): Promise<InputFile> {
  if (argument === '-') return { name: 'standard input', size: null, open: () => terminal.stdin }
  const file = pathOf(terminal, argument)
  const found = await stat(file).catch(() => null)
  if (!found) throw new UsageError(`There is no file ${file}.`)
  if (found.isDirectory()) return folderOf(file)
  if (!found.isFile()) throw new UsageError(`${file} is not a file.`)
  return {
    name: path.basename(file),
    size: found.size,
    open: (start = 0) => createReadStream(file, { start, highWaterMark: 256 * 1024 }),
  }
}

/** All files of a folder as one archive, which is made while it is read. Hidden files are left out. */
async function folderOf(folder: string): Promise<InputFile> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
  const files: { name: string; path: string; size: number }[] = []
  for (const one of paths.toSorted()) {
    const name = path.relative(folder, one).replaceAll(path.sep, '/')
    if (!/(^|\/)(\.|__MACOSX\/)/.test(name)) files.push({ name, path: one, size: (await stat(one)).size })
  }
  const shown = path.basename(folder)
  if (files.length === 0) throw new UsageError(`${shown} has no files.`)
  const { headers, end } = storedArchive(files)
  const parts = files.flatMap((file, at) => [headers[at] ?? new Uint8Array(0), file])
  const all = [...parts, end]
  const sizeOf = (part: (typeof all)[number]) => (part instanceof Uint8Array ? part.byteLength : part.size)
  const size = all.reduce((sum, part) => sum + sizeOf(part), 0)
  if (size > MAX_ARCHIVE_BYTES || files.length > MAX_ARCHIVE_FILES)
    throw new UsageError(`${shown} has too many files, or more than 4 GiB. Make it a .zip and import that.`)
  return {
    name: shown,
    size,
    async *open(from = 0) {
      let skip = from
      for (const part of all) {
        const own = sizeOf(part)
        if (skip >= own) skip -= own
        else {
          if (part instanceof Uint8Array) yield part.subarray(skip)
          // A file that grows meanwhile is read as it was.
          else yield* createReadStream(part.path, { start: skip, end: own - 1, highWaterMark: 256 * 1024 })
          skip = 0
        }
      }
    },
  }
}

/** The connectors' file reader. */
function fileReader(): FileReader {
  const reader = connectors.find((connector) => connector.file)?.file
  if (!reader) throw new Error('no connector reads files')
  return reader
}

/** How a file is to be read, as the command line gives it. */
export type ReadingOptions = {
  format?: string
  textColumn?: string
  header?: boolean
  encoding?: string
  dateOrder?: string
  ownReplies?: string
  zones?: string
  sheet?: string
}

/** The same, validated. */
export function fileOptions(name: string, options: ReadingOptions): FileOptions {
  const { format, encoding, dateOrder, ownReplies, zones, sheet = null } = options
  const mapping: ColumnMapping | null = options.textColumn ? { text: options.textColumn } : null
  return {
    name,
    format: oneOf('--format', FileFormat.options, format),
    header: options.header ?? null,
    mapping,
    encoding: oneOf('--encoding', FileEncoding.options, encoding),
    dateOrder: oneOf('--date-order', DateOrder.options, dateOrder?.replace('-', '_')),
    ownReplies: oneOf('--own-replies', OwnReplies.options, ownReplies),
    zones: zones === undefined ? null : zoneOptions(zones),
    sheet,
  }
}

function zoneOptions(zones: string): Record<string, number> {
  const parsed = ZoneList.safeParse(zones)
  if (!parsed.success) throw new UsageError('--zones is a list such as IST=+02:00,CST=+08:00.')
  return zonesOf(parsed.data)
}

function oneOf<T extends string>(option: string, values: readonly T[], given: string | undefined): T | null {
  if (given === undefined) return null
  const found = values.find((value) => value === given)
  if (found === undefined) throw new UsageError(`${option} is one of ${values.join(', ').replaceAll('_', '-')}.`)
  return found
}

/**
 * What a person should know before a file is imported: the product whose export it seems to be, an encoding other than UTF-8, missing
 * dates. Nothing for a pipe, which can be read only once.
 */
export async function readingNotes(file: InputFile, options: FileOptions): Promise<string[]> {
  const { size } = file
  if (size === null || size === 0) return []
  const { files, preset, encoding, mapping, dateOrder, zones, undated, sheets, sheet } = await fileReader().preview(
    file,
    options,
  )
  return [
    files > 1 ? `Reads ${files} files as one.` : '',
    sheets.length > 1 ? `Reads the sheet “${sheet}” of ${sheets.length}; --sheet chooses another.` : '',
    preset === null ? '' : `Looks like a ${preset} export.`,
    encoding === 'utf-8' ? '' : `Read as ${encoding}; --encoding chooses another.`,
    mapping.date ? '' : 'No date column: all messages count as today.',
    ...zones.map(
      ({ name, offset }) => `${name} is read as UTC${offsetText(offset)}; --zones ${name}=+hh:mm chooses another.`,
    ),
    undated.rows === 0
      ? ''
      : `${undated.why ?? `Some dates cannot be read, such as ${JSON.stringify(undated.samples[0])}`}: these messages count as today.`,
    dateOrder === 'undecided' ? 'Dates such as 03/04/2026 can be read in two ways; choose with --date-order.' : '',
  ].filter((line) => line !== '')
}

/** A message with the line of the file that it starts on. */
export type Row = { line: number; item: FeedbackItem }

/** Every row of a file, in memory, with its line. */
export async function readRows(file: InputFile, options: FileOptions): Promise<{ rows: Row[]; problems: BadRow[] }> {
  const rows: Row[] = []
  const problems: BadRow[] = []
  // A pipe can be read only once.
  const bytes = file.size === null ? file.open() : file
  for await (const page of fileReader().read(bytes, options, new Date(0))) {
    for (const [index, item] of page.items.entries()) rows.push({ line: page.lines[index] ?? 0, item })
    problems.push(...page.problems)
  }
  return { rows, problems }
}
