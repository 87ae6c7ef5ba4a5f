import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import asc from 'assemblyscript/asc'
import { beforeAll, expect, test } from 'vitest'
import { type Kernels, loadKernels } from './kernels.ts'
import { Arena } from './memory.ts'

const arena = new Arena(1 << 22)
let kernels: Kernels
beforeAll(async () => {
  kernels = await loadKernels(arena.memory)
})

/** A repeatable sequence of numbers from -1 to 1. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return state / 2 ** 31
  }
}

const put = (values: readonly number[]) => arena.put(values)
const floats = (at: number, length: number) => [...arena.floats(at, length)]
const farthest = (a: readonly number[], b: readonly number[]) =>
  Math.max(...a.map((value, index) => Math.abs(value - (b[index] as number))))

test('the committed kernel is the compiled source', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'kernel-'))
  try {
    const outFile = path.join(folder, 'kernel.wasm')
    const config = path.join(import.meta.dirname, 'assembly', 'asconfig.json')
    const { error } = await asc.main(['--config', config, '--outFile', outFile])
    expect(error).toBeNull()
    const compiled = await readFile(outFile)
    expect(compiled.equals(await readFile(path.join(import.meta.dirname, 'kernel.wasm')))).toBe(true)
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('multiplies integers exactly, up to the largest that the weights and activations have', () => {
  const [rows, columns, depth] = [8, 16, 1536]
  const [largestInput, largestWeight] = [2047, Math.floor((2 ** 31 - 1) / (1536 * 2047))]
  const inputs = arena.take(rows * depth * 2)
  const weights = arena.take(columns * depth * 2)
  const sums = arena.take(rows * columns * 4)
  const next = randomNumbers(7)
  const value = (row: number, largest: number) => (row === 0 ? largest : Math.round(next() * largest))
  const inputRows = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: depth }, () => value(row, largestInput)),
  )
  const weightRows = Array.from({ length: columns }, (_, column) =>
    Array.from({ length: depth }, () => value(column, column === 0 ? largestWeight : 300)),
  )
  arena.integers(inputs, rows * depth).set(inputRows.flat())
  const packed = arena.integers(weights, columns * depth)
  for (const [column, row] of weightRows.entries()) {
    for (const [k, weight] of row.entries()) {
      packed[(column >> 3) * depth * 8 + (k >> 1) * 16 + (column & 7) * 2 + (k & 1)] = weight
    }
  }
  kernels.multiply(inputs, weights, sums, rows, columns, depth)
  const expected = inputRows.map((input) =>
    weightRows.map((row) => row.reduce((sum, weight, k) => sum + weight * (input[k] as number), 0)),
  )
  expect([...new Int32Array(arena.memory.buffer, sums, rows * columns)]).toEqual(expected.flat())
  expect(expected[0]?.[0]).toBeGreaterThan(2 ** 30)
})

test('quantises each row by its largest number, and a row of zeros', () => {
  const next = randomNumbers(3)
  const values = Array.from({ length: 2 * 384 }, (_, index) => (index < 384 ? next() * 5 : 0))
  const to = arena.take(2 * 384 * 2)
  const scales = arena.take(8)
  kernels.quantize(put(values), to, scales, 2, 384)
  const [scale, zero] = floats(scales, 2) as [number, number]
  const integers = [...arena.integers(to, 2 * 384)]
  expect(Math.max(...integers.map(Math.abs))).toBe(2047)
  expect(
    farthest(
      values.slice(0, 384),
      integers.slice(0, 384).map((value) => value * scale),
    ),
  ).toBeLessThan(scale * 0.51)
  expect([zero, ...integers.slice(384)]).toEqual(Array.from({ length: 385 }, () => 0))
})

/** A linear layer whose sums, with these scales, are the given numbers plus a bias of 0.25. */
function layerOf(values: readonly number[]) {
  const sums = arena.take(values.length * 4)
  new Int32Array(arena.memory.buffer, sums, values.length).set(values.map((value) => Math.round(value * 1e5)))
  const ones = Array.from(values, () => 1)
  return { sums, rowScales: put([1e-2]), scales: put(ones.map(() => 1e-3)), bias: put(ones.map(() => 0.25)) }
}

test('finishes a linear layer, adds one to rows, and applies GELU', () => {
  const values = Array.from({ length: 384 }, (_, index) => (index - 192) / 20)
  const outputs = values.map((value) => value + 0.25)
  const { sums, rowScales, scales, bias } = layerOf(values)
  const rows = put(Array.from({ length: 384 }, () => 1))
  kernels.addTo(rows, sums, rowScales, scales, bias, 1)
  expect(
    farthest(
      floats(rows, 384),
      outputs.map((value) => value + 1),
    ),
  ).toBeLessThan(1e-5)
  kernels.finish(sums, rowScales, scales, bias, 1, 384)
  expect(farthest(floats(sums, 384), outputs)).toBeLessThan(1e-5)

  const again = layerOf(values)
  kernels.activate(again.sums, again.rowScales, scales, bias, arena.take(768), arena.take(4), 1, 384)
  expect(farthest(floats(again.sums, 384), outputs.map(gelu))).toBeLessThan(1e-4)
})

function gelu(x: number): number {
  // The error function by its series, and by its continued fraction where that loses digits.
  const z = Math.abs(x) / Math.SQRT2
  let tail = 0
  for (let k = 80; k > 0; k--) tail = k / 2 / (z + tail)
  let term = z
  let series = 0
  for (let n = 0; n < 100; n++) {
    series += term / (2 * n + 1)
    term *= (-z * z) / (n + 1)
  }
  const erf = z > 2.5 ? 1 - Math.exp(-z * z) / Math.sqrt(Math.PI) / (z + tail) : (2 / Math.sqrt(Math.PI)) * series
  return (x / 2) * (1 + Math.sign(x) * erf)
}

test('normalises layers', () => {
  const next = randomNumbers(5)
  const values = Array.from({ length: 384 }, () => next() * 3 + 1)
  const weight = values.map(() => next() + 2)
  const bias = values.map(() => next())
  const x = put(values)
  kernels.normalize(x, put(weight), put(bias), arena.take(768), arena.take(4), 1)
  const mean = values.reduce((sum, value) => sum + value, 0) / 384
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 384)
  const expected = values.map((v, i) => ((v - mean) / deviation) * (weight[i] as number) + (bias[i] as number))
  expect(farthest(floats(x, 384), expected)).toBeLessThan(1e-4)
})

test.each([1, 2, 7, 8, 9, 31])('attends within a text of %i tokens', (tokens) => {
  const next = randomNumbers(tokens)
  const qkv = Array.from({ length: tokens * 1152 }, () => next() * 2)
  const to = arena.take(tokens * 384 * 4)
  kernels.attend(put(qkv), to, tokens, arena.take(40 * 34 * 4))
  const numberAt = (token: number, part: number, head: number, i: number) =>
    qkv[token * 1152 + part * 384 + head * 32 + i] as number
  const expected: number[] = []
  const all = Array.from({ length: tokens }, (_, token) => token)
  for (const token of all) {
    for (let head = 0; head < 12; head++) {
      const scores = all.map((other) =>
        Array.from({ length: 32 }, (_, i) => numberAt(token, 0, head, i) * numberAt(other, 1, head, i)).reduce(
          (sum, value) => sum + value,
          0,
        ),
      )
      const top = Math.max(...scores)
      const weights = scores.map((score) => Math.exp(score - top))
      const total = weights.reduce((sum, value) => sum + value, 0)
      for (let i = 0; i < 32; i++) {
        expected.push(all.reduce((sum, o) => sum + (weights[o] as number) * numberAt(o, 2, head, i), 0) / total)
      }
    }
  }
  expect(farthest(floats(to, tokens * 384), expected)).toBeLessThan(1e-5)
})
