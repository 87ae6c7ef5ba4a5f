import type { FileOptions, FilePage, Reopenable } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { type InspectedHead, readInspected } from './head.ts'
import { itemReader } from './item.ts'
import { openFile } from './packed/open-file.ts'
import { badRowOf, type OpenFile } from './packed/opened.ts'
import type { Row } from './rows/row.ts'
import { rowStream } from './rows/row-stream.ts'
import { settle } from './settle.ts'

const BATCH = 1000
/** Bytes that are processed at a time, however large the incoming chunks are: so memory use stays flat. */
const SLICE = 64 * 1024

/**
 * Streams a file as items, a thousand rows at a time, with the bad rows and why. Throws `Rejected` when the whole file is
 * unusable: empty, no text, no such column. Reading the same bytes again gives the same ids.
 */
export async function* read(
  bytes: AsyncIterable<Uint8Array> | Reopenable,
  options: FileOptions,
  importedAt: Date,
): AsyncGenerator<FilePage> {
  const file = await openFile(bytes, options)
  const settled = file.again ? await settle(file.open(), file.options) : file.options
  const source = file.open()[Symbol.asyncIterator]()
  try {
    const { head, ended, inspected } = await readInspected(source, settled)
    const pages = pager(inspected, settled, { importedAt, file })
    yield* pages.take(head)
    for (let next = ended ? null : await source.next(); next && !next.done; next = await source.next()) {
      yield* pages.take(next.value)
    }
    yield pages.last()
  } finally {
    await source.return?.()
  }
}

function pager(
  inspected: InspectedHead,
  options: FileOptions,
  { importedAt, file }: { importedAt: Date; file: OpenFile },
) {
  const stream = rowStream(inspected)
  const toItem = itemReader(
    inspected.layout,
    options.name === '' || options.name === '-' ? null : options.name,
    importedAt,
  )
  let rows = 0
  let taken = 0
  let page: FilePage = { items: [], lines: [], problems: [], line: 0, bytes: 0 }

  const add = (row: Row) => {
    rows += 1
    const found = row.problem ?? toItem(row.cells)
    if (typeof found === 'string') page.problems.push(badRowOf(file, row.line, found))
    else {
      page.items.push(found)
      page.lines.push(row.line)
    }
  }
  const turn = (): FilePage => {
    const bytes = file.taken() ?? taken
    const full = { ...page, line: stream.line(), bytes }
    page = { items: [], lines: [], problems: [], line: 0, bytes }
    return full
  }

  return {
    *take(chunk: Uint8Array): Generator<FilePage> {
      for (let from = 0; from < chunk.byteLength; from += SLICE) {
        const slice = chunk.subarray(from, from + SLICE)
        taken += slice.byteLength
        for (const row of stream.push(slice)) {
          add(row)
          if (page.items.length + page.problems.length >= BATCH) yield turn()
        }
      }
    },
    last(): FilePage {
      for (const row of stream.end()) add(row)
      if (rows === 0) throw new Rejected('The file has a header, but no rows')
      return turn()
    },
  }
}
