import type { FileTable } from '../file-table.ts'
import { HEAD_BYTES, inspectHead } from './head.ts'
import { rowStream } from './rows/row-stream.ts'

/** Some thousand of the shortest lines, which take a few milliseconds. */
const SLICE_BYTES = 4 * 1024

/** The rows of a file whose first row names its columns. Throws `Rejected` for one without text. */
export function table(bytes: Uint8Array, name: string): FileTable {
  const cut = bytes.byteLength > HEAD_BYTES
  const head = inspectHead(bytes.subarray(0, HEAD_BYTES), { name, format: null, header: true, mapping: null }, cut)
  const stream = rowStream(head)
  function* slices(): FileTable['slices'] {
    for (let at = 0; at < bytes.byteLength; at += SLICE_BYTES) {
      const rows = [...stream.push(bytes.subarray(at, at + SLICE_BYTES))]
      yield { line: stream.line(), rows }
    }
    const rows = [...stream.end()]
    yield { line: stream.line(), rows }
  }
  return { columns: head.layout.columns, slices: slices() }
}
