import { closeSync, openSync, readSync } from 'node:fs'

/** The file is not one that `openTensors` reads. */
export class BadTensors extends Error {
  override name = 'BadTensors'
}

type Entry = { dtype: string; shape: number[]; data_offsets: [number, number] }

/** A file of tensors. `read` returns the numbers of one, in rows, and throws `BadTensors` if it is not there in this shape. */
export type Tensors = { read(name: string, shape: readonly number[]): Float16Array | Float32Array; close(): void }

const LENGTH_BYTES = 8
const MAX_HEADER_BYTES = 1 << 20

/**
 * Opens a file in the safetensors format with floats of 16 or 32 bits. Only the tensors that are read are in memory. Throws
 * `BadTensors`, or the system's error for a file that cannot be read.
 */
export function openTensors(file: string): Tensors {
  const descriptor = openSync(file, 'r')
  const bytesAt = (start: number, length: number) => {
    const bytes = new Uint8Array(length)
    let filled = 0
    while (filled < length) {
      const got = readSync(descriptor, bytes, filled, length - filled, start + filled)
      if (got === 0) throw new BadTensors('the file ends early')
      filled += got
    }
    return bytes
  }
  try {
    const headerBytes = Number(new DataView(bytesAt(0, LENGTH_BYTES).buffer).getBigUint64(0, true))
    if (headerBytes > MAX_HEADER_BYTES) throw new BadTensors('the header is too long')
    const entries = parseHeader(bytesAt(LENGTH_BYTES, headerBytes))
    return {
      read(name, shape) {
        const entry = entries[name]
        if (!entry) throw new BadTensors(`there is no tensor ${name}`)
        const type = entry.dtype
        const length = shape.reduce((product, size) => product * size, 1) * (type === 'F32' ? 4 : 2)
        const [start, end] = entry.data_offsets
        if ((type !== 'F16' && type !== 'F32') || entry.shape.join() !== shape.join() || end - start !== length) {
          throw new BadTensors(
            `the tensor ${name} is ${type} [${entry.shape.join()}], not F16 or F32 [${shape.join()}]`,
          )
        }
        const { buffer } = bytesAt(LENGTH_BYTES + headerBytes + start, length)
        return type === 'F16' ? new Float16Array(buffer) : new Float32Array(buffer)
      },
      close: () => closeSync(descriptor),
    }
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

function parseHeader(bytes: Uint8Array): Partial<Record<string, Entry>> {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Partial<Record<string, Entry>>
  } catch {
    throw new BadTensors('the header is not JSON')
  }
}
