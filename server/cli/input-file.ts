import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { FeedbackItem, FileOptions, FileReader } from '@groundswell/connectors/connector.ts'
import { connectors } from '@groundswell/connectors/index.ts'
import type { BadRow, ColumnMapping, FileFormat } from '@groundswell/contract/feedback.ts'
import { UsageError } from './usage-error.ts'

/** A file that a person named on the command line; `-` is standard input. Sizes are bytes; unknown for a pipe. */
export type InputFile = { name: string; size: number | null; open(): AsyncIterable<Uint8Array> }

/** Finds the file. Paths are resolved against the folder the caller stood in (npm changes it and says so in INIT_CWD). */
export async function inputFile(argument: string): Promise<InputFile> {
  if (argument === '-') return { name: 'standard input', size: null, open: () => process.stdin }
  const file = path.resolve(process.env.INIT_CWD ?? process.cwd(), argument)
  const found = await stat(file).catch(() => null)
  if (!found) throw new UsageError(`There is no file ${file}.`)
  if (!found.isFile()) throw new UsageError(`${file} is not a file.`)
  return {
    name: path.basename(file),
    size: found.size,
    open: () => createReadStream(file, { highWaterMark: 256 * 1024 }),
  }
}

/** The reader of files among the connectors. */
function fileReader(): FileReader {
  const reader = connectors.find((connector) => connector.file)?.file
  if (!reader) throw new Error('no connector reads files')
  return reader
}

/** Column and format options as the command line gives them. */
export function fileOptions(name: string, options: { format?: string; textColumn?: string }): FileOptions {
  const formats: readonly FileFormat[] = ['csv', 'tsv', 'jsonl', 'text']
  const format = options.format as FileFormat | undefined
  if (format && !formats.includes(format)) throw new UsageError(`--format is one of ${formats.join(', ')}.`)
  const mapping: ColumnMapping | null = options.textColumn ? { text: options.textColumn } : null
  return { name, format: format ?? null, header: null, mapping }
}

export type Row = { line: number; item: FeedbackItem }

/** Every row of a file, in memory, with its line. */
export async function readRows(file: InputFile, options: FileOptions): Promise<{ rows: Row[]; problems: BadRow[] }> {
  const rows: Row[] = []
  const problems: BadRow[] = []
  for await (const page of fileReader().read(file.open(), options, new Date(0))) {
    for (const [index, item] of page.items.entries()) rows.push({ line: page.lines[index] ?? 0, item })
    problems.push(...page.problems)
  }
  return { rows, problems }
}
