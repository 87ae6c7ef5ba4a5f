const PAGE_BYTES = 65_536
/** Cache lines, so that no value of 16 or 32 bytes crosses one. */
const ALIGNMENT = 64
/** No data begins at the offset 0. */
const START = ALIGNMENT

/** Memory of WebAssembly that is handed out once, piece by piece. */
export class Arena {
  readonly memory: WebAssembly.Memory
  #next = START

  constructor(bytes: number) {
    this.memory = new WebAssembly.Memory({ initial: Math.ceil((START + bytes) / PAGE_BYTES) + 1 })
  }

  /** The offset of this many bytes, aligned. Throws `RangeError` when the memory is full. */
  take(bytes: number): number {
    const at = this.#next
    this.#next += Math.ceil(bytes / ALIGNMENT) * ALIGNMENT
    if (this.#next > this.memory.buffer.byteLength) throw new RangeError('the memory of the encoder is full')
    return at
  }

  /** The offset of a copy of these numbers, as floats. */
  put(values: ArrayLike<number>): number {
    const at = this.take(values.length * 4)
    this.floats(at, values.length).set(values)
    return at
  }

  floats(at: number, length: number): Float32Array {
    return new Float32Array(this.memory.buffer, at, length)
  }

  integers(at: number, length: number): Int16Array {
    return new Int16Array(this.memory.buffer, at, length)
  }
}
