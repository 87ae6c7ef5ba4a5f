import type { Line } from '../line-splitter.ts'
import { badRow, type Row, type RowReader } from './row.ts'

/** The maximum size of a record; beyond it, its opening quote is considered stray. */
const MAX_LINES = 1000
const MAX_SIZE = 1024 * 1024

const NEVER_CLOSED = 'A quote is opened and never closed'
const NOT_DOUBLED = 'A quote inside a quoted cell is not doubled'
const TOO_LARGE = 'A quoted cell is longer than 1,000 lines or 1 MiB: its quote is probably never closed'

/** A record whose quoted cell is still open at the end of a line. */
type Open = { cells: string[]; cell: string }
type Scan = { cells: string[] } | { open: Open } | { problem: string }

/** Reads the next line of a record: RFC 4180, with spaces allowed around a quoted cell. */
function scan(text: string, delimiter: string, open: Open | null): Scan {
  const cells = open?.cells ?? []
  let cell = open ? `${open.cell}\n` : ''
  let quoted = open !== null
  let at = 0
  for (;;) {
    if (!quoted) {
      const start = skipSpaces(text, at)
      if (text[start] !== '"') {
        const end = text.indexOf(delimiter, at)
        if (end < 0) return { cells: [...cells, text.slice(at)] }
        cells.push(text.slice(at, end))
        at = end + delimiter.length
        continue
      }
      quoted = true
      cell = ''
      at = start + 1
    }
    const quote = text.indexOf('"', at)
    if (quote < 0) return { open: { cells, cell: cell + text.slice(at) } }
    cell += text.slice(at, quote)
    at = quote + 1
    if (text[at] === '"') {
      cell += '"'
      at += 1
      continue
    }
    cells.push(cell)
    quoted = false
    at = skipSpaces(text, at)
    if (at === text.length) return { cells }
    if (!text.startsWith(delimiter, at)) return { problem: open ? NEVER_CLOSED : NOT_DOUBLED }
    at += delimiter.length
  }
}

/** True for a cell of several lines with a tab in it: a stray quote that swallowed other cells, not a cell. */
function runsAcrossCells(result: { cells: string[] } | { open: Open }, delimiter: string): boolean {
  if ('open' in result) return result.open.cell.includes(delimiter)
  return result.cells.some((cell) => cell.includes('\n') && cell.includes(delimiter))
}

function skipSpaces(text: string, from: number): number {
  let at = from
  while (text[at] === ' ') at += 1
  return at
}

export type TableOptions = {
  delimiter: string
  /** Tab-separated text is often written without quoting: there a stray quote is text, not an error. */
  literalQuotes: boolean
  /** True when the input is not the whole file: an open record at its end is no error. */
  cut?: boolean
}

/**
 * Rows of delimited text. A stray quote loses only its own row: the record is dropped and reading continues with the next line,
 * so it cannot swallow the rest of the file. Buffers at most one record.
 */
export function tableRows({ delimiter, literalQuotes, cut = false }: TableOptions): RowReader {
  let lines: Line[] = []
  let size = 0
  let open: Open | null = null

  /** Drops the record that starts at `lines[0]`; the lines after it are read again. */
  const giveUp = (problem: string, rows: Row[]): Line[] => {
    const [first, ...again] = lines
    lines = []
    size = 0
    open = null
    if (first?.problem === null) {
      const cells = first.text.split(delimiter)
      rows.push(literalQuotes ? { line: first.number, cells, problem: null } : badRow(first.number, problem))
    }
    return again
  }

  /** Reads one line; returns lines that must be read again. */
  const step = (line: Line, rows: Row[]): Line[] => {
    if (line.problem !== null) {
      const again = open ? giveUp(NEVER_CLOSED, rows) : []
      if (again.length > 0) return [...again, line]
      rows.push(badRow(line.number, line.problem))
      return []
    }
    if (!open && line.text.trim() === '' && !line.text.includes(delimiter)) return []
    lines.push(line)
    size += line.text.length
    if (lines.length > MAX_LINES || size > MAX_SIZE + 1) return giveUp(TOO_LARGE, rows)
    const result = scan(line.text, delimiter, open)
    if ('problem' in result) return giveUp(result.problem, rows)
    if (literalQuotes && runsAcrossCells(result, delimiter)) return giveUp(NEVER_CLOSED, rows)
    if ('open' in result) {
      open = result.open
      return []
    }
    rows.push({ line: lines[0]?.number ?? line.number, cells: result.cells, problem: null })
    lines = []
    size = 0
    open = null
    return []
  }

  const drain = (queue: Line[], rows: Row[]): Row[] => {
    for (let line = queue.shift(); line; line = queue.shift()) queue.unshift(...step(line, rows))
    return rows
  }

  return {
    push: (line) => drain([line], []),
    end: () => {
      const rows: Row[] = []
      while (open && !cut) drain(giveUp(NEVER_CLOSED, rows), rows)
      return rows
    },
  }
}
