// The arithmetic of the encoder, in AssemblyScript: WebAssembly with SIMD, without relaxed operations, so that every machine
// computes the same bits. `npm run kernel -w encoder` compiles it to kernel.wasm.
//
// Every loop writes neighbouring pairs of 128-bit values, which V8's revectorizer joins to 256 bits where the processor can.
// Pointers are byte offsets, aligned to 16. A "row" is the state of one token, WIDTH numbers unless said otherwise.

const WIDTH: i32 = 384
const HEADS: i32 = 12
const ROW: usize = 1536 // bytes of WIDTH floats
const QKV_ROW: usize = 4608 // bytes of a row's query, key and value
const HEAD: usize = 128 // bytes of the 32 numbers of one head
/** Activations are quantised to integers of at most this size. */
const LEVELS: f32 = 2047
/** Adding this to a float of up to 2^22 rounds it to an integer, which is then in the low bits. */
const ROUNDER: f32 = 12582912
const ROUNDER_BITS: i32 = 0x4b400000
const EPSILON: f32 = 1e-12

function sumOf(v: v128): f32 {
  return f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1) + (f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3))
}

function maxOf(v: v128): f32 {
  return max(
    max(f32x4.extract_lane(v, 0), f32x4.extract_lane(v, 1)),
    max(f32x4.extract_lane(v, 2), f32x4.extract_lane(v, 3)),
  )
}

/**
 * sums[rows, columns] = inputs[rows, depth] * weights, all integers: 16 bits in, 32 bits out. Rows come in fours and columns in
 * eights; the depth is a multiple of four. The weights are packed as [columns / 8][depth / 2][8][2], so that one value holds
 * two numbers of each of four columns.
 */
export function multiply(inputs: usize, weights: usize, sums: usize, rows: i32, columns: i32, depth: i32): void {
  const inputRow = (depth as usize) * 2
  const sumRow = (columns as usize) * 4
  for (let column = 0; column < columns; column += 8) {
    const panel = weights + (column as usize) * inputRow
    for (let row = 0; row < rows; row += 4) {
      let a = inputs + (row as usize) * inputRow
      let b = a + inputRow
      let c = b + inputRow
      let d = c + inputRow
      let w = panel
      let a0 = i32x4.splat(0)
      let a1 = a0
      let b0 = a0
      let b1 = a0
      let c0 = a0
      let c1 = a0
      let d0 = a0
      let d1 = a0
      for (const end = b; a < end; ) {
        let w0 = v128.load(w)
        let w1 = v128.load(w, 16)
        let x = v128.load32_splat(a)
        a0 = i32x4.add(a0, i32x4.dot_i16x8_s(x, w0))
        a1 = i32x4.add(a1, i32x4.dot_i16x8_s(x, w1))
        x = v128.load32_splat(b)
        b0 = i32x4.add(b0, i32x4.dot_i16x8_s(x, w0))
        b1 = i32x4.add(b1, i32x4.dot_i16x8_s(x, w1))
        x = v128.load32_splat(c)
        c0 = i32x4.add(c0, i32x4.dot_i16x8_s(x, w0))
        c1 = i32x4.add(c1, i32x4.dot_i16x8_s(x, w1))
        x = v128.load32_splat(d)
        d0 = i32x4.add(d0, i32x4.dot_i16x8_s(x, w0))
        d1 = i32x4.add(d1, i32x4.dot_i16x8_s(x, w1))
        w0 = v128.load(w, 32)
        w1 = v128.load(w, 48)
        x = v128.load32_splat(a, 4)
        a0 = i32x4.add(a0, i32x4.dot_i16x8_s(x, w0))
        a1 = i32x4.add(a1, i32x4.dot_i16x8_s(x, w1))
        x = v128.load32_splat(b, 4)
        b0 = i32x4.add(b0, i32x4.dot_i16x8_s(x, w0))
        b1 = i32x4.add(b1, i32x4.dot_i16x8_s(x, w1))
        x = v128.load32_splat(c, 4)
        c0 = i32x4.add(c0, i32x4.dot_i16x8_s(x, w0))
        c1 = i32x4.add(c1, i32x4.dot_i16x8_s(x, w1))
        x = v128.load32_splat(d, 4)
        d0 = i32x4.add(d0, i32x4.dot_i16x8_s(x, w0))
        d1 = i32x4.add(d1, i32x4.dot_i16x8_s(x, w1))
        a += 8
        b += 8
        c += 8
        d += 8
        w += 64
      }
      let to = sums + (row as usize) * sumRow + column * 4
      v128.store(to, a0)
      v128.store(to, a1, 16)
      to += sumRow
      v128.store(to, b0)
      v128.store(to, b1, 16)
      to += sumRow
      v128.store(to, c0)
      v128.store(to, c1, 16)
      to += sumRow
      v128.store(to, d0)
      v128.store(to, d1, 16)
    }
  }
}

/** Four outputs of a linear layer: integer sums to floats by the scale of the row and those of the columns, plus the bias. */
function linear(sums: usize, rowScale: v128, scales: usize, bias: usize): v128 {
  const scaled = f32x4.mul(f32x4.convert_i32x4_s(v128.load(sums)), rowScale)
  return f32x4.add(f32x4.mul(scaled, v128.load(scales)), v128.load(bias))
}

/** Rounds a row of floats to integers of 16 bits and returns their scale: float = integer * scale. */
function quantizeRow(from: usize, to: usize, bytes: usize): f32 {
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
