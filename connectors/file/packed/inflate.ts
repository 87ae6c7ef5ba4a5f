import { Readable } from 'node:stream'
import { constants, createGunzip, createInflateRaw } from 'node:zlib'
import { packingOf } from '@groundswell/contract/feedback/file-content.ts'
import { Rejected } from '../../kit/errors.ts'

/** Compressed content. `stored`: as it is. */
export type Packed = { method: 'stored' | 'deflate' | 'gzip'; bytes: AsyncIterable<Uint8Array> }

/** A table of text shrinks to a tenth or so; a file made to fill a machine to a thousandth. */
const MAX_RATIO = 200
/** Up to here the ratio says nothing. */
const FREE_BYTES = 16 * 1024 * 1024
const MAX_BYTES = 4 * 1024 * 1024 * 1024

/**
 * The content of a compressed file, as it is consumed. `onRead`: how many compressed bytes were taken so far. With `cut` an end in
 * the middle is an end. Throws `Rejected` for damaged content, and for content so large that it must have been made to do harm.
 */
export async function* inflated(
  { method, bytes }: Packed,
  { cut = false, size, onRead }: { cut?: boolean; size?: number; onRead?: ((bytes: number) => void) | undefined } = {},
): AsyncGenerator<Uint8Array> {
  let taken = 0
  let given = 0
  let broken: unknown
  async function* counted(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of bytes) {
        taken += chunk.byteLength
        onRead?.(taken)
        yield chunk
      }
    } catch (error) {
      broken = error
      throw error
    }
  }
  const source = Readable.from(counted(), { objectMode: false })
  const options = cut ? { finishFlush: constants.Z_SYNC_FLUSH } : {}
  const inflating = method === 'stored' ? null : method === 'gzip' ? createGunzip(options) : createInflateRaw(options)
  if (inflating) source.once('error', (error) => inflating.destroy(error)).pipe(inflating)
  const content: AsyncIterable<Uint8Array> = inflating ?? source
  try {
    for await (const chunk of content) {
      given += chunk.byteLength
      refuseBomb(given, taken)
      yield chunk
    }
  } catch (error) {
    if (broken !== undefined) throw broken
    if (error instanceof Rejected || !isOfZlib(error)) throw error
    throw new Rejected('The file is damaged or incomplete. Save or download it again')
  } finally {
    source.destroy()
    inflating?.destroy()
  }
  if (!cut && size !== undefined && taken < size)
    throw new Rejected('The file is incomplete. Save or download it again')
}

/** The content of a compressed file. Throws `Rejected` where that is packed again. */
export async function* unpackedText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isFirst = true
  for await (const chunk of bytes) {
    if (isFirst && packingOf(chunk) !== null)
      throw new Rejected('The file inside is packed too. Unpack it and import the file inside')
    isFirst = false
    yield chunk
  }
}

/** Throws `Rejected` if the ratio of unpacked to packed bytes is that of a decompression bomb. */
export function refuseBomb(given: number, taken: number): void {
  if (given <= FREE_BYTES || (given <= MAX_BYTES && given <= taken * MAX_RATIO)) return
  throw new Rejected('The file unpacks to far more than a file of feedback holds. Unpack it and import a part of it')
}

function isOfZlib(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' && code.startsWith('Z_')
}
