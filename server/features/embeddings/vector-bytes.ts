const SCALE_BYTES = 4

/**
 * A vector as it is stored: a scale (float32, little-endian) and a signed byte per dimension, a quarter of the size of
 * floats. The cosine of two vectors changes by less than 0.01.
 */
export function packVector(vector: Float32Array): Buffer {
  let largest = 0
  for (const value of vector) largest = Math.max(largest, Math.abs(value))
  const scale = Math.fround(largest / 127)
  const bytes = Buffer.alloc(SCALE_BYTES + vector.length)
  bytes.writeFloatLE(scale, 0)
  for (let i = 0; i < vector.length; i++) {
    bytes.writeInt8(Math.max(-127, Math.min(127, Math.round((vector[i] as number) / scale))), SCALE_BYTES + i)
  }
  return bytes
}

/** The stored vector, of length 1. Grouping always reads stored vectors, since the same bytes give the same numbers. */
export function unpackVector(bytes: Uint8Array): Float32Array {
  const values = new Int8Array(bytes.buffer, bytes.byteOffset + SCALE_BYTES, bytes.byteLength - SCALE_BYTES)
  let sum = 0
  for (const value of values) sum += value * value
  const length = Math.sqrt(sum) || 1
  return Float32Array.from(values, (value) => value / length)
}

/** The number of dimensions of a stored vector. */
export function dimensionsOf(bytes: Uint8Array): number {
  return bytes.byteLength - SCALE_BYTES
}

/** Adds a stored vector, at length 1, without the copies that unpacking it makes. Vectors of other dimensions are left out. */
export function addVector(sum: Float32Array, bytes: Uint8Array): void {
  const values = new Int8Array(bytes.buffer, bytes.byteOffset + SCALE_BYTES, bytes.byteLength - SCALE_BYTES)
  if (values.length !== sum.length) return
  let squares = 0
  for (let i = 0; i < values.length; i++) squares += (values[i] as number) ** 2
  const length = Math.sqrt(squares) || 1
  for (let i = 0; i < values.length; i++) sum[i] = (sum[i] as number) + (values[i] as number) / length
}

/** The cosine of a stored vector and one of length 1; 0 when their dimensions differ. */
export function similarityOf(bytes: Uint8Array, vector: Float32Array): number {
  const values = new Int8Array(bytes.buffer, bytes.byteOffset + SCALE_BYTES, bytes.byteLength - SCALE_BYTES)
  if (values.length !== vector.length) return 0
  let product = 0
  let sum = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number
    product += value * (vector[i] as number)
    sum += value * value
  }
  return product / (Math.sqrt(sum) || 1)
}
