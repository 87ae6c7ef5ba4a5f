import { maxOf, ROUNDER, ROUNDER_BITS } from './lanes'

/** Activations are quantised to integers of at most this size. */
const LEVELS: f32 = 2047

/** Rounds a row of floats to integers of 16 bits and returns their scale: float = integer * scale. */
export function quantizeRow(from: usize, to: usize, bytes: usize): f32 {
  let m0 = f32x4.splat(0)
  let m1 = m0
  for (let at: usize = 0; at < bytes; at += 32) {
    m0 = f32x4.pmax(m0, f32x4.abs(v128.load(from + at)))
    m1 = f32x4.pmax(m1, f32x4.abs(v128.load(from + at, 16)))
  }
  const largest = maxOf(f32x4.pmax(m0, m1))
  const inverse = f32x4.splat(largest > 0 ? LEVELS / largest : 0)
  const rounder = f32x4.splat(ROUNDER)
  const bits = i32x4.splat(ROUNDER_BITS)
  for (let at: usize = 0; at < bytes; at += 32) {
    const low = f32x4.add(f32x4.mul(v128.load(from + at), inverse), rounder)
    const high = f32x4.add(f32x4.mul(v128.load(from + at, 16), inverse), rounder)
    v128.store(to + (at >> 1), i16x8.narrow_i32x4_s(i32x4.sub(low, bits), i32x4.sub(high, bits)))
  }
  return largest / LEVELS
}

/** Quantises rows of this width: `to` gets the integers, `toScales` a scale per row. */
export function quantize(from: usize, to: usize, toScales: usize, rows: i32, width: i32): void {
  const bytes = (width as usize) * 4
  for (let row = 0; row < rows; row++) {
    store<f32>(toScales, quantizeRow(from, to, bytes))
    from += bytes
    to += bytes >> 1
    toScales += 4
  }
}
