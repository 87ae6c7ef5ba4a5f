/** Writes numbers and strings to a growing little-endian buffer. */
export class Writer {
  #bytes: Uint8Array
  #view: DataView
  #size = 0

  /** `capacity`: expected size in bytes; a good estimate avoids copies. */
  constructor(capacity = 1 << 16) {
    this.#bytes = new Uint8Array(capacity)
    this.#view = new DataView(this.#bytes.buffer)
  }

  /** A non-negative integer as a varint (7 bits per byte). */
  count(value: number): void {
    this.#reserve(10)
    let rest = value
    while (rest >= 128) {
      this.#bytes[this.#size++] = (rest % 128) + 128
      rest = Math.floor(rest / 128)
    }
    this.#bytes[this.#size++] = rest
  }

  /** A float64. */
  number(value: number): void {
    this.#reserve(8)
    this.#view.setFloat64(this.#size, value, true)
    this.#size += 8
  }

  /** Bytes with a length prefix. */
  block(bytes: Uint8Array): void {
    this.count(bytes.length)
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.#size)
    this.#size += bytes.length
  }

  /** Strings as one block: lengths, then all characters. Lone surrogates survive. */
  strings(values: string[]): void {
    this.count(values.length)
    for (const value of values) this.count(value.length)
    const joined = values.join('')
    if (joined.isWellFormed()) {
      this.count(0)
      this.block(new TextEncoder().encode(joined))
      return
    }
    this.count(1)
    const units = new Uint8Array(joined.length * 2)
    const view = new DataView(units.buffer)
    for (let i = 0; i < joined.length; i++) view.setUint16(i * 2, joined.charCodeAt(i), true)
    this.block(units)
  }

  /** 32-bit integers with a length prefix. */
  numbers(values: Int32Array | Uint32Array): void {
    this.block(new Uint8Array(values.buffer, values.byteOffset, values.byteLength))
  }

  /** Integers of at most 52 bits as zigzag varint differences: sorted ids take one or two bytes each. */
  deltas(values: ArrayLike<number>): void {
    this.count(values.length)
    this.#reserve(values.length * 8)
    const bytes = this.#bytes
    let at = this.#size
    let before = 0
    for (let i = 0; i < values.length; i++) {
      const value = values[i] as number
      const step = value - before
      before = value
      let rest = step < 0 ? -2 * step - 1 : 2 * step
      while (rest >= 128) {
        bytes[at++] = (rest % 128) + 128
        rest = Math.floor(rest / 128)
      }
      bytes[at++] = rest
    }
    this.#size = at
  }

  /** The written bytes. */
  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#size)
  }

  #reserve(more: number): void {
    if (this.#size + more <= this.#bytes.length) return
    let length = Math.max(64, this.#bytes.length)
    while (length < this.#size + more) length *= 2
    const wider = new Uint8Array(length)
    wider.set(this.#bytes)
    this.#bytes = wider
    this.#view = new DataView(wider.buffer)
  }
}

/** Reads what a Writer wrote, in the same order. Throws RangeError when the bytes end early. */
export class Reader {
  #bytes: Uint8Array
  #view: DataView
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** See Writer.count. */
  count(): number {
    let value = 0
    let scale = 1
    for (;;) {
      const byte = this.#bytes[this.#at++]
      if (byte === undefined || scale > 2 ** 56) throw new RangeError('the stored state ends too early')
      if (byte < 128) return value + byte * scale
      value += (byte - 128) * scale
      scale *= 128
    }
  }

  /** See Writer.number. */
  number(): number {
    const value = this.#view.getFloat64(this.#at, true)
    this.#at += 8
    return value
  }

  /** See Writer.block; a copy. */
  block(): Uint8Array<ArrayBuffer> {
    const length = this.count()
    if (this.#at + length > this.#bytes.length) throw new RangeError('the stored state ends too early')
    const block = new Uint8Array(length)
    block.set(this.#bytes.subarray(this.#at, this.#at + length))
    this.#at += length
    return block
  }

  /** See Writer.texts. */
  strings(): string[] {
    const lengths = Array.from({ length: this.#length() }, () => this.count())
    const joined =
      this.count() === 0 ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(this.block()) : this.#utf16()
    let at = 0
    return lengths.map((length) => {
      const text = joined.slice(at, at + length)
      at += length
      return text
    })
  }

  /** See Writer.numbers. */
  numbers(): Int32Array<ArrayBuffer> {
    return new Int32Array(this.block().buffer)
  }

  /** See Writer.steps. */
  deltas(): number[] {
    const values: number[] = []
    let value = 0
    for (let left = this.#length(); left > 0; left--) {
      const step = this.count()
      value += step % 2 === 1 ? -(step + 1) / 2 : step / 2
      values.push(value)
    }
    return values
  }

  /** A count of values that take at least a byte each. */
  #length(): number {
    const count = this.count()
    if (count > this.#bytes.length) throw new RangeError('the stored state ends too early')
    return count
  }

  #utf16(): string {
    const block = this.block()
    const view = new DataView(block.buffer)
    const parts: string[] = []
    for (let i = 0; i + 1 < block.length; i += 2) parts.push(String.fromCharCode(view.getUint16(i, true)))
    return parts.join('')
  }
}
