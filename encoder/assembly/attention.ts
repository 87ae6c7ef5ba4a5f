import { maxOf, ROUNDER, ROW, sumOf } from './lanes'

const HEADS: i32 = 12
const QKV_ROW: usize = 4608 // bytes of a row's query, key and value
const HEAD: usize = 128 // bytes of the 32 numbers of one head

/** e^x of four numbers that are at most 0, to a relative error of 2e-7: 2^n by the exponent's bits, the rest by a polynomial. */
function exp(x: v128): v128 {
  const rounder = f32x4.splat(ROUNDER)
  const clamped = f32x4.pmax(x, f32x4.splat(-87))
  const shifted = f32x4.add(f32x4.mul(clamped, f32x4.splat(1.44269504)), rounder)
  const n = f32x4.sub(shifted, rounder)
  const r = f32x4.sub(
    f32x4.sub(clamped, f32x4.mul(n, f32x4.splat(0.693359375))),
    f32x4.mul(n, f32x4.splat(-2.1219444e-4)),
  )
  let p = f32x4.splat(1.98756915e-4)
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(1.3981999507e-3))
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(8.3334519073e-3))
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(4.1665795894e-2))
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(1.6666665459e-1))
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(0.5))
  p = f32x4.add(f32x4.add(f32x4.mul(p, f32x4.mul(r, r)), r), f32x4.splat(1))
  return i32x4.add(p, i32x4.shl(shifted, 23))
}

/** Copies the keys of one head, a column for each token: [32][padded], the last token repeated to a multiple of eight. */
function transposeKeys(keys: usize, to: usize, tokens: i32, padded: i32): void {
  const column = (padded as usize) * 4
  for (let token = 0; token < padded; token++) {
    const key = keys + (min(token, tokens - 1) as usize) * QKV_ROW
    let at = to + (token as usize) * 4
    for (let i: usize = 0; i < HEAD; i += 4) {
      store<f32>(at, load<f32>(key + i))
      at += column
    }
  }
}

/** The scores of two queries against all keys. */
function scoreTwo(q: usize, r: usize, keys: usize, toQ: usize, toR: usize, padded: i32): void {
  const column = (padded as usize) * 4
  for (let at: usize = 0; at < column; at += 32) {
    let k = keys + at
    let q0 = f32x4.splat(0)
    let q1 = q0
    let r0 = q0
    let r1 = q0
    for (let i: usize = 0; i < HEAD; i += 4) {
      const k0 = v128.load(k)
      const k1 = v128.load(k, 16)
      let x = v128.load32_splat(q + i)
      q0 = f32x4.add(q0, f32x4.mul(x, k0))
      q1 = f32x4.add(q1, f32x4.mul(x, k1))
      x = v128.load32_splat(r + i)
      r0 = f32x4.add(r0, f32x4.mul(x, k0))
      r1 = f32x4.add(r1, f32x4.mul(x, k1))
      k += column
    }
    v128.store(toQ + at, q0)
    v128.store(toQ + at, q1, 16)
    v128.store(toR + at, r0)
    v128.store(toR + at, r1, 16)
  }
}

/** Turns the scores of one query into weights and returns the inverse of their sum. The padding weighs nothing. */
function weigh(scores: usize, tokens: i32, padded: i32): f32 {
  const bytes = (padded as usize) * 4
  // A repeated token does not change the maximum.
  let m0 = v128.load(scores)
  let m1 = v128.load(scores, 16)
  for (let at: usize = 32; at < bytes; at += 32) {
    m0 = f32x4.pmax(m0, v128.load(scores + at))
    m1 = f32x4.pmax(m1, v128.load(scores + at, 16))
  }
  const top = f32x4.splat(maxOf(f32x4.pmax(m0, m1)))
  for (let token = tokens; token < padded; token++) store<f32>(scores + (token as usize) * 4, -1e30)
  let s0 = f32x4.splat(0)
  let s1 = s0
  for (let at: usize = 0; at < bytes; at += 32) {
    const low = exp(f32x4.sub(v128.load(scores + at), top))
    const high = exp(f32x4.sub(v128.load(scores + at, 16), top))
    v128.store(scores + at, low)
    v128.store(scores + at, high, 16)
    s0 = f32x4.add(s0, low)
    s1 = f32x4.add(s1, high)
  }
  return 1 / sumOf(f32x4.add(s0, s1))
}

/** The weighted mean of the values of one head. */
function mix(weights: usize, inverse: f32, values: usize, to: usize, tokens: i32): void {
  let s0 = f32x4.splat(0)
  let s1 = s0
  let s2 = s0
  let s3 = s0
  let s4 = s0
  let s5 = s0
  let s6 = s0
  let s7 = s0
  for (let token = 0; token < tokens; token++) {
    const x = v128.load32_splat(weights)
    s0 = f32x4.add(s0, f32x4.mul(x, v128.load(values)))
    s1 = f32x4.add(s1, f32x4.mul(x, v128.load(values, 16)))
    s2 = f32x4.add(s2, f32x4.mul(x, v128.load(values, 32)))
    s3 = f32x4.add(s3, f32x4.mul(x, v128.load(values, 48)))
    s4 = f32x4.add(s4, f32x4.mul(x, v128.load(values, 64)))
    s5 = f32x4.add(s5, f32x4.mul(x, v128.load(values, 80)))
    s6 = f32x4.add(s6, f32x4.mul(x, v128.load(values, 96)))
    s7 = f32x4.add(s7, f32x4.mul(x, v128.load(values, 112)))
    weights += 4
    values += QKV_ROW
  }
  const i = f32x4.splat(inverse)
  v128.store(to, f32x4.mul(s0, i))
  v128.store(to, f32x4.mul(s1, i), 16)
  v128.store(to, f32x4.mul(s2, i), 32)
  v128.store(to, f32x4.mul(s3, i), 48)
  v128.store(to, f32x4.mul(s4, i), 64)
  v128.store(to, f32x4.mul(s5, i), 80)
  v128.store(to, f32x4.mul(s6, i), 96)
  v128.store(to, f32x4.mul(s7, i), 112)
}

/**
 * Self-attention within one text: query, key and value of its tokens in, rows out. The queries are scaled beforehand. `space`
 * is for (32 + 2) * tokens floats, the tokens rounded up to a multiple of eight.
 */
export function attend(qkv: usize, to: usize, tokens: i32, space: usize): void {
  const padded = (tokens + 7) & ~7
  const first = space + (padded as usize) * HEAD
  const second = first + (padded as usize) * 4
  for (let head = 0; head < HEADS; head++) {
    const queries = qkv + (head as usize) * HEAD
    const values = queries + 2 * ROW
    transposeKeys(queries + ROW, space, tokens, padded)
    for (let token = 0; token < tokens; token += 2) {
      const query = queries + (token as usize) * QKV_ROW
      const out = to + (token as usize) * ROW + (head as usize) * HEAD
      const isLast = token + 1 === tokens
      scoreTwo(query, isLast ? query : query + QKV_ROW, space, first, second, padded)
      mix(first, weigh(first, tokens, padded), values, out, tokens)
      if (!isLast) mix(second, weigh(second, tokens, padded), values, out + ROW, tokens)
    }
  }
}
