import type { FileTable } from '../connector.ts'
import { inspectHead } from './head.ts'
import { rowStream } from './row-stream.ts'

/** All rows of a file whose first row names its columns. For small files: they are in memory as a whole. Throws `Rejected` for one without text. */
export function table(bytes: Uint8Array, name: string): FileTable {
  const head = inspectHead(bytes, { name, format: null, header: true, mapping: null }, false)
  const stream = rowStream(head)
  return { columns: head.layout.columns, rows: [...stream.push(bytes), ...stream.end()] }
}
