import { expect, test } from 'vitest'
import { KINDS } from './kind.ts'
import { decode, encode, modelOf, probabilitiesOf } from './model.ts'
import { inputsOf } from './reading.ts'

test.each(['encoder', 'words'] as const)('the built-in model for %s fits the inputs and is not blank', (space) => {
  const { weights, temperature } = modelOf(space)
  expect(weights.length).toBe(KINDS.length * (inputsOf(space) + 1))
  expect(weights.every(Number.isFinite)).toBe(true)
  expect(new Set(weights).size).toBeGreaterThan(weights.length / 3)
  expect(temperature).toBeGreaterThan(0)
})

test('a model survives being stored, up to rounding', () => {
  const inputs = 3
  const weights = Float32Array.from({ length: KINDS.length * (inputs + 1) }, (_, i) => Math.sin(i) * (i + 1))
  const read = decode(encode({ weights, temperature: 1.25 }), inputs)
  expect(read.temperature).toBe(1.25)
  weights.forEach((weight, i) => expect(read.weights[i]).toBeCloseTo(weight, 2))
})

test('a model of other inputs is refused: a cue was added without training', () => {
  expect(() => decode(encode(modelOf('words')), inputsOf('words') + 1)).toThrow('train it again')
})

test('probabilities follow the scores, and a temperature above 1 makes them more equal', () => {
  const weights = new Float32Array(KINDS.length * 2)
  weights[0] = 2
  const sure = probabilitiesOf({ weights, temperature: 1 }, Float32Array.of(1))
  const unsure = probabilitiesOf({ weights, temperature: 2 }, Float32Array.of(1))
  expect(sure[0]).toBeCloseTo(Math.E ** 2 / (Math.E ** 2 + 4))
  expect(unsure[0]).toBeCloseTo(Math.E / (Math.E + 4))
  expect(probabilitiesOf({ weights: weights.map((one) => one * 1e6), temperature: 1 }, Float32Array.of(1))[0]).toBe(1)
})
