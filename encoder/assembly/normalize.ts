import { ROW, sumOf, WIDTH } from './lanes'
import { quantizeRow } from './quantize'

const EPSILON: f32 = 1e-12

function normalizeRow(x: usize, weight: usize, bias: usize): void {
  let s0 = f32x4.splat(0)
  let s1 = s0
  for (let at: usize = 0; at < ROW; at += 32) {
    s0 = f32x4.add(s0, v128.load(x + at))
    s1 = f32x4.add(s1, v128.load(x + at, 16))
  }
  const mean = f32x4.splat(sumOf(f32x4.add(s0, s1)) / (WIDTH as f32))
  s0 = f32x4.splat(0)
  s1 = s0
  for (let at: usize = 0; at < ROW; at += 32) {
    const low = f32x4.sub(v128.load(x + at), mean)
    const high = f32x4.sub(v128.load(x + at, 16), mean)
    s0 = f32x4.add(s0, f32x4.mul(low, low))
    s1 = f32x4.add(s1, f32x4.mul(high, high))
  }
  const inverse = f32x4.splat(1 / sqrt<f32>(sumOf(f32x4.add(s0, s1)) / (WIDTH as f32) + EPSILON))
  for (let at: usize = 0; at < ROW; at += 32) {
    const low = f32x4.mul(f32x4.sub(v128.load(x + at), mean), inverse)
    const high = f32x4.mul(f32x4.sub(v128.load(x + at, 16), mean), inverse)
    v128.store(x + at, f32x4.add(f32x4.mul(low, v128.load(weight + at)), v128.load(bias + at)))
    v128.store(x + at, f32x4.add(f32x4.mul(high, v128.load(weight + at, 16)), v128.load(bias + at, 16)), 16)
  }
}

/** Layer normalisation of rows, in place, and the same rows quantised: `to` and `toScales` as in `quantize`. */
export function normalize(x: usize, weight: usize, bias: usize, to: usize, toScales: usize, rows: i32): void {
  for (let row = 0; row < rows; row++) {
    normalizeRow(x, weight, bias)
    store<f32>(toScales, quantizeRow(x, to, ROW))
    x += ROW
    to += ROW >> 1
    toScales += 4
  }
}
