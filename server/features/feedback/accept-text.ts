import type { FileOptions } from '@groundswell/connectors/connector.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import { fileReader } from './imports/import-file.ts'

/** A longer line is no message, nor a record of them: nothing after it could be read in a reasonable time. */
const MAX_LINE_BYTES = 16 * 1024 * 1024
const LINE_FEED = 10
const RETURN = 13
/** Enough bytes to recognise a picture, an archive or a workbook. */
const HEAD_BYTES = 4096

/**
 * Passes on the bytes of a file that holds text. Throws `invalid_input` before the first byte for everything else, so that
 * nothing of a picture or a workbook is stored, and as soon as a line is longer than 16 MiB.
 */
export async function* acceptText(
  bytes: AsyncIterable<Uint8Array>,
  options: Pick<FileOptions, 'encoding'>,
): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = []
  let size = 0
  let judged = false
  let inLine = 0
  let hasLines = true
  const measure = (chunk: Uint8Array) => {
    // A whole list of JSON may stand on one line, and packed files have none.
    if (!hasLines) return
    const end = Math.max(chunk.lastIndexOf(LINE_FEED), chunk.lastIndexOf(RETURN))
    inLine = end < 0 ? inLine + chunk.byteLength : chunk.byteLength - end - 1
    if (inLine <= MAX_LINE_BYTES) return
    const reason = 'A line of the file is longer than 16 MiB. Each message must be on its own line.'
    throw new ContractError('invalid_input', reason, { body: reason })
  }
  const judge = () => {
    const head = Buffer.concat(held)
    const reader = fileReader()
    hasLines = reader.hasLines(head)
    const reason = reader.refusal(head, options)
    if (reason !== null) throw new ContractError('invalid_input', reason, { body: reason })
    judged = true
  }
  for await (const chunk of bytes) {
    measure(chunk)
    if (judged) {
      yield chunk
      continue
    }
    held.push(Uint8Array.from(chunk))
    size += chunk.byteLength
    if (size < HEAD_BYTES) continue
    judge()
    yield* held
    held = []
  }
  if (judged) return
  judge()
  yield* held
}
