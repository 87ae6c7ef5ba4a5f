import type { FileTable } from '../file-table.ts'
import { HEAD_BYTES, inspectHead } from './head.ts'
import { rowStream } from './rows/row-stream.ts'

/** Characters of a slice: some thousand of the shortest lines, which take a few milliseconds. */
const SLICE = 4 * 1024

/** The rows of a text whose first row names its columns. Throws `Rejected` for one without text. */
export function table(text: string, name: string): FileTable {
  const first = encoder.encode(text.slice(0, HEAD_BYTES))
  const cut = text.length > HEAD_BYTES || first.byteLength > HEAD_BYTES
  const head = inspectHead(first.subarray(0, HEAD_BYTES), { name, format: null, header: true, mapping: null }, cut)
  const stream = rowStream(head)
  function* slices(): FileTable['slices'] {
    for (const bytes of encoded(text)) {
      const rows = [...stream.push(bytes)]
      yield { line: stream.line(), rows }
    }
    const rows = [...stream.end()]
    yield { line: stream.line(), rows }
  }
  return { columns: head.layout.columns, slices: slices() }
}

const encoder = new TextEncoder()

/** The text in UTF-8, piece by piece: encoding millions of characters at once takes a good part of a tenth of a second. */
function* encoded(text: string): Generator<Uint8Array> {
  for (let at = 0; at < text.length; ) {
    const end = at + SLICE
    const splits = isHighSurrogate(text.charCodeAt(end - 1))
    const next = splits ? end + 1 : end
    yield encoder.encode(text.slice(at, next))
    at = next
  }
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff
