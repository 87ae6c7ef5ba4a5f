import type { FileReader, Reopenable } from '@groundswell/connectors/connector.ts'
import { connectors } from '@groundswell/connectors/index.ts'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import type { Services } from '../../../platform/services.ts'
import { readChunk } from './import-store.ts'

const PIECE_BYTES = 1024 * 1024
/** The first bytes of a file, by which it is previewed and recognised. */
export const HEAD_BYTES = 256 * 1024

/** The file reader of the connectors. */
export function fileReader(): FileReader {
  for (const connector of connectors) if (connector.file) return connector.file
  throw new Error('no connector reads files')
}

/** Cuts a stream of bytes into pieces of 1 MiB, the last one shorter. Holds one piece at a time. */
export async function* piecesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    let rest = chunk
    while (size + rest.length >= PIECE_BYTES) {
      const take = PIECE_BYTES - size
      held.push(rest.subarray(0, take))
      yield Buffer.concat(held, PIECE_BYTES)
      held = []
      size = 0
      rest = rest.subarray(take)
    }
    if (rest.length === 0) continue
    held.push(rest)
    size += rest.length
  }
  if (size > 0) yield Buffer.concat(held, size)
}

/** The stored file of an import, to be read as often as needed. No transaction is open between two pieces. */
export function storedBytes(
  services: Pick<Services, 'db'>,
  workspaceId: string,
  { id, bytes }: { id: string; bytes: number },
): Reopenable {
  return {
    size: bytes,
    async *open(from = 0) {
      let skipped = from % PIECE_BYTES
      for (let number = Math.floor(from / PIECE_BYTES); ; number += 1) {
        const at = number
        const piece = await inWorkspace(services.db, workspaceId, (tx) => readChunk(tx, workspaceId, id, at))
        if (!piece) return
        yield piece.subarray(skipped)
        skipped = 0
      }
    },
  }
}
