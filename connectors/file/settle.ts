import type { FileOptions } from '../connector.ts'
import { orderTally } from './dates/date-order.ts'
import { readInspected } from './head.ts'
import { rowStream } from './rows/row-stream.ts'

/**
 * Decides what only the whole file can: whether its dates have the day or the month first, if the first part does not decide
 * it. Reads the whole file in that case, and otherwise only its first part. `read` refuses malformed files.
 */
export async function settle(bytes: AsyncIterable<Uint8Array>, options: FileOptions): Promise<FileOptions> {
  const source = bytes[Symbol.asyncIterator]()
  try {
    const { head, ended, inspected } = await readInspected(source, options)
    const { dateOrder, indexes } = inspected.layout
    if (dateOrder !== 'undecided' || indexes.date === undefined) return options
    const date = indexes.date
    const stream = rowStream(inspected)
    const tally = orderTally()
    for (const row of stream.push(head)) tally.add(row.cells[date] ?? '')
    for (let next = ended ? null : await source.next(); next && !next.done; next = await source.next()) {
      for (const row of stream.push(next.value)) tally.add(row.cells[date] ?? '')
    }
    for (const row of stream.end()) tally.add(row.cells[date] ?? '')
    const order = tally.order()
    return order === null || order === 'undecided' ? options : { ...options, dateOrder: order }
  } catch (error) {
    if ((error as { kind?: unknown }).kind === 'rejected') return options
    throw error
  } finally {
    await source.return?.()
  }
}
