/** Packed vectors are in steps of this. */
const STEPS = 508
const MAX_STEP = 127

/** Stores a vector compactly: unit length in steps of 1/508, clamped to ±127/508. */
export function quantise(vector: ArrayLike<number>): Int8Array {
  let squares = 0
  for (let i = 0; i < vector.length; i++) squares += (vector[i] as number) ** 2
  const scale = squares > 0 ? STEPS / Math.sqrt(squares) : 0
  return Int8Array.from(vector, (value) => Math.max(-MAX_STEP, Math.min(MAX_STEP, Math.round(value * scale))))
}

/** The cosine of two packed vectors, as exact as they are; 0 for vectors of different lengths. */
export function cosineOf(a: Int8Array, b: Int8Array): number {
  if (a.length !== b.length) return 0
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number)
  return sum / (STEPS * STEPS)
}
