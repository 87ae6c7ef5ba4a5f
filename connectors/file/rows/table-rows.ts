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

/**
 * How a line reads where the quoted cell before it is still open. `acrossOpen`, `acrossClosed`: what it adds to the cell that is open behind it, or
 * to the one that it closes, has a delimiter.
 */
type Within = { reads: 'open' | 'end' | 'problem'; acrossOpen: boolean; acrossClosed: boolean }

function scanWithin(text: string, delimiter: string): Within {
  const result = scan(text, delimiter, { cells: [], cell: '' })
  if ('problem' in result) return { reads: 'problem', acrossOpen: false, acrossClosed: false }
  const [closed = ''] = 'open' in result ? result.open.cells : result.cells
  const acrossClosed = closed.includes(delimiter)
  if ('cells' in result) return { reads: 'end', acrossOpen: false, acrossClosed }
  return { reads: 'open', acrossOpen: result.open.cell.includes(delimiter), acrossClosed }
}

function skipSpaces(text: string, from: number): number {
  let at = from
  while (text[at] === ' ') at += 1
  return at
}

type TableOptions = {
  delimiter: string
  /** Tab-separated text is often written without quoting: there a stray quote is text, not an error. */
  literalQuotes: boolean
  /** True when the input is not the whole file: an open record at its end is no error. */
  cut?: boolean
}

/** A line that may be read again. `start`, `end`: its place in the text of all lines. */
type Held = { line: Line; start: number; end: number; within: Within | null }

/**
 * Rows of delimited text. A stray quote loses only its own row: the record is dropped and reading continues with the next line,
 * so it cannot swallow the rest of the file. In tab-separated text, a cell of several lines with a tab in it is such a quote too. Buffers at most one
 * record. How a line reads is found at most twice, as the first of a record and within one, however often a record is dropped.
 */
export function tableRows({ delimiter, literalQuotes, cut = false }: TableOptions): RowReader {
  let held: Held[] = []
  /** The record begins here. */
  let first = 0
  /** The lines after the first that are before this one leave its quoted cell open. */
  let reached = 0
  /** The last of them that closes a cell across delimiters. */
  let closedAcross = -1
  let open = false
  let size = 0

  /** Reading continues with this line. */
  const beginAt = (at: number) => {
    first = at
    open = false
  }

  const giveUp = (problem: string, rows: Row[]) => {
    const line = held[first]?.line
    if (line?.problem === null) {
      const cells = line.text.split(delimiter)
      rows.push(literalQuotes ? { line: line.number, cells, problem: null } : badRow(line.number, problem))
    }
    beginAt(first + 1)
  }

  const startRecord = ({ line, start, end }: Held, rows: Row[]) => {
    const { text, number, problem } = line
    if (problem !== null) rows.push(badRow(number, problem))
    if (problem !== null || (text.trim() === '' && !text.includes(delimiter))) return beginAt(first + 1)
    if (end - start > MAX_SIZE + 1) return giveUp(TOO_LARGE, rows)
    const result = scan(text, delimiter, null)
    if ('problem' in result) return giveUp(result.problem, rows)
    if ('cells' in result) {
      rows.push({ line: number, cells: result.cells, problem: null })
      return beginAt(first + 1)
    }
    if (literalQuotes && result.open.cell.includes(delimiter)) return giveUp(NEVER_CLOSED, rows)
    open = true
    reached = Math.max(reached, first + 1)
  }

  const continueRecord = ({ line: { number }, start }: Held, next: Held, rows: Row[]) => {
    const { line, end } = next
    if (line.problem !== null) return giveUp(NEVER_CLOSED, rows)
    if (reached - first >= MAX_LINES || end - start > MAX_SIZE + 1) return giveUp(TOO_LARGE, rows)
    next.within ??= scanWithin(line.text, delimiter)
    const { reads, acrossOpen, acrossClosed } = next.within
    if (reads === 'problem' || (literalQuotes && acrossOpen)) return giveUp(NEVER_CLOSED, rows)
    if (acrossClosed) closedAcross = reached
    if (reads === 'open') {
      reached += 1
      return
    }
    if (literalQuotes && closedAcross > first) return giveUp(NEVER_CLOSED, rows)
    rows.push({ line: number, cells: cellsTo(reached), problem: null })
    beginAt(reached + 1)
  }

  /** The cells of the record that ends with this line. */
  const cellsTo = (last: number): string[] => {
    let before: Open | null = null
    for (const { line } of held.slice(first, last + 1)) {
      const result: Scan = scan(line.text, delimiter, before)
      if ('cells' in result) return result.cells
      before = 'open' in result ? result.open : null
    }
    throw new Error('the record has no end')
  }

  const readHeld = (rows: Row[]): Row[] => {
    for (;;) {
      const begun = held[first]
      const next = held[open ? reached : first]
      if (!begun || !next) break
      if (open) continueRecord(begun, next, rows)
      else startRecord(begun, rows)
    }
    forget()
    return rows
  }

  /** Drops the lines that were read, once there is a record's worth of them: dropping moves the rest. */
  const forget = () => {
    const read = (held[first]?.start ?? size) - (held[0]?.start ?? size)
    if (first < held.length && first < MAX_LINES && read <= MAX_SIZE) return
    held = held.slice(first)
    reached -= first
    closedAcross -= first
    first = 0
  }

  return {
    push(line) {
      const start = size
      size += line.text.length
      held.push({ line, start, end: size, within: null })
      return readHeld([])
    },
    end() {
      const rows: Row[] = []
      while (open && !cut) {
        giveUp(NEVER_CLOSED, rows)
        readHeld(rows)
      }
      return rows
    },
  }
}
