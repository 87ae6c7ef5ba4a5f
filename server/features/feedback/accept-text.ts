import type { FileOptions } from '@groundswell/connectors/connector.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import { fileReader } from './import-file.ts'

/** Enough bytes to recognise a picture, an archive or a workbook. */
const HEAD_BYTES = 4096

/**
 * Passes on the bytes of a file that holds text. Throws `invalid_input` before the first byte for everything else, so that
 * nothing of a picture or a workbook is stored.
 */
export async function* acceptText(
  bytes: AsyncIterable<Uint8Array>,
  options: Pick<FileOptions, 'encoding'>,
): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = []
  let size = 0
  let judged = false
  const judge = () => {
    const reason = fileReader().refusal(Buffer.concat(held), options)
    if (reason !== null) throw new ContractError('invalid_input', reason, { body: reason })
    judged = true
  }
  for await (const chunk of bytes) {
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
