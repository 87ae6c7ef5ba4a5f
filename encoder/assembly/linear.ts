import { ROW } from './lanes'
import { quantizeRow } from './quantize'

/** Four outputs of a linear layer: integer sums to floats by the scale of the row and those of the columns, plus the bias. */
function linear(sums: usize, rowScale: v128, scales: usize, bias: usize): v128 {
  const scaled = f32x4.mul(f32x4.convert_i32x4_s(v128.load(sums)), rowScale)
  return f32x4.add(f32x4.mul(scaled, v128.load(scales)), v128.load(bias))
}

/** A linear layer's outputs, in place of its sums. */
export function finish(sums: usize, rowScales: usize, scales: usize, bias: usize, rows: i32, columns: i32): void {
  const bytes = (columns as usize) * 4
  for (let row = 0; row < rows; row++) {
    const rowScale = v128.load32_splat(rowScales)
    for (let at: usize = 0; at < bytes; at += 32) {
      const low = linear(sums + at, rowScale, scales + at, bias + at)
      const high = linear(sums + at + 16, rowScale, scales + at + 16, bias + at + 16)
      v128.store(sums + at, low)
      v128.store(sums + at, high, 16)
    }
    sums += bytes
    rowScales += 4
  }
}

/** Adds a linear layer's outputs, WIDTH of them, to the rows `x`. */
export function addTo(x: usize, sums: usize, rowScales: usize, scales: usize, bias: usize, rows: i32): void {
  for (let row = 0; row < rows; row++) {
    const rowScale = v128.load32_splat(rowScales)
    for (let at: usize = 0; at < ROW; at += 32) {
      const low = linear(sums + at, rowScale, scales + at, bias + at)
      const high = linear(sums + at + 16, rowScale, scales + at + 16, bias + at + 16)
      v128.store(x + at, f32x4.add(v128.load(x + at), low))
      v128.store(x + at, f32x4.add(v128.load(x + at, 16), high), 16)
    }
    x += ROW
    sums += ROW
    rowScales += 4
  }
}

/**
 * GELU, x * P(X <= x) of the normal distribution. Within 4.25, P - 1/2 is x times a polynomial of x²; beyond, P is 0 or 1. Exact
 * to 5e-5, a twentieth of a step of the quantised outputs.
 */
function gelu(x: v128): v128 {
  const edge = f32x4.splat(4.25)
  const z = f32x4.pmin(f32x4.pmax(x, f32x4.neg(edge)), edge)
  const u = f32x4.mul(z, z)
  let p = f32x4.splat(4.547047460778941e-11)
  p = f32x4.add(f32x4.mul(p, u), f32x4.splat(-4.515284146577869e-9))
  p = f32x4.add(f32x4.mul(p, u), f32x4.splat(1.9861526823206077e-7))
  p = f32x4.add(f32x4.mul(p, u), f32x4.splat(-5.147503088664962e-6))
  p = f32x4.add(f32x4.mul(p, u), f32x4.splat(8.848903963642817e-5))
  p = f32x4.add(f32x4.mul(p, u), f32x4.splat(-1.0790774831548333e-3))
  p = f32x4.add(f32x4.mul(p, u), f32x4.splat(9.718777611851692e-3))
  p = f32x4.add(f32x4.mul(p, u), f32x4.splat(-6.619028002023697e-2))
  p = f32x4.add(f32x4.mul(p, u), f32x4.splat(0.3988192081451416))
  return f32x4.mul(x, f32x4.add(f32x4.mul(p, z), f32x4.splat(0.5)))
}

/** GELU of a linear layer's outputs, quantised: `to` and `toScales` as in `quantize`. The sums are overwritten. */
export function activate(
  sums: usize,
  rowScales: usize,
  scales: usize,
  bias: usize,
  to: usize,
  toScales: usize,
  rows: i32,
  columns: i32,
): void {
  const bytes = (columns as usize) * 4
  for (let row = 0; row < rows; row++) {
    const rowScale = v128.load32_splat(rowScales)
    for (let at: usize = 0; at < bytes; at += 32) {
      const low = gelu(linear(sums + at, rowScale, scales + at, bias + at))
      const high = gelu(linear(sums + at + 16, rowScale, scales + at + 16, bias + at + 16))
      v128.store(sums + at, low)
      v128.store(sums + at, high, 16)
    }
    store<f32>(toScales, quantizeRow(sums, to, bytes))
    sums += bytes
    to += bytes >> 1
    rowScales += 4
    toScales += 4
  }
}
