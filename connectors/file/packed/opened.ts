import type { BadRow, FileFormat } from '@groundswell/contract/feedback.ts'
import type { FileOptions, Reopenable } from '../../connector.ts'

export const NO_WORKBOOK = 'The file is not an Excel workbook or OpenDocument spreadsheet'

/** Whether a format has sheets. */
export const isWorkbook = (format: FileFormat | null): format is 'xlsx' | 'ods' => format === 'xlsx' || format === 'ods'

/**
 * A file as its rows are read: unpacked, and of a workbook one sheet, as lines of JSON. `taken`: how many bytes of the stored file
 * were read by what was opened last; null: as many as `open` gave. `again`: it may be opened more than once. `files`: how many files it is
 * made of; `whereIs`: in which of them a line is, and its number there.
 */
export type OpenFile = {
  options: FileOptions
  sheets: string[]
  sheet: string | null
  open(): AsyncIterable<Uint8Array>
  again: boolean
  taken(): number | null
  files?: number
  whereIs?(line: number): { file: string; line: number } | null
}

/** A stored file whose size is known, and which can be read from any byte. */
export type Seekable = Reopenable & { size: number }

/** A row that is not read. If there are several files, its line is counted in its own, which the reason names. */
export function badRowOf({ whereIs }: Pick<OpenFile, 'whereIs'>, line: number, reason: string): BadRow {
  const own = whereIs?.(line)
  return own ? { line: own.line, reason: `${own.file}: ${reason}` } : { line, reason }
}

/** Bytes in memory as a stored file. */
export function inMemory(bytes: Uint8Array): Seekable {
  return {
    size: bytes.byteLength,
    async *open(from = 0) {
      yield bytes.subarray(from)
    },
  }
}
