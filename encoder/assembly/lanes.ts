/** The numbers of a row, the state of one token, and its bytes. */
export const WIDTH: i32 = 384
export const ROW: usize = 1536

/** Adding this to a float of up to 2^22 rounds it to an integer, which is then in the low bits. */
export const ROUNDER: f32 = 12582912
export const ROUNDER_BITS: i32 = 0x4b400000

export function sumOf(v: v128): f32 {
  return f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1) + (f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3))
}

export function maxOf(v: v128): f32 {
  return max(
    max(f32x4.extract_lane(v, 0), f32x4.extract_lane(v, 1)),
    max(f32x4.extract_lane(v, 2), f32x4.extract_lane(v, 3)),
  )
}
