import type { InspectedHead } from '../head.ts'
import { isEmptyRow, type Row } from './row.ts'

/** Rows from the bytes of a file with a detected layout, without its header. `line` is the last line read. */
export type RowStream = { line(): number; push(bytes: Uint8Array): Generator<Row>; end(): Generator<Row> }

/** Reads a file in the layout that its first bytes have; broken rows come with their `problem`. */
export function rowStream({ layout, decode, splitter }: InspectedHead): RowStream {
  const lines = splitter()
  const reader = layout.reader()
  let leading = layout.leading
  let line = 0

  function* data(rows: readonly Row[]): Generator<Row> {
    for (const row of rows) {
      if (leading > 0 && row.problem === null) leading -= 1
      else if (!isEmptyRow(row)) yield row
    }
  }

  return {
    line: () => line,
    *push(bytes) {
      for (const next of lines.push(decode(bytes))) {
        line = next.number
        yield* data(reader.push(next))
      }
    },
    *end() {
      for (const next of lines.end()) {
        line = next.number
        yield* data(reader.push(next))
      }
      yield* data(reader.end())
    },
  }
}
