import { bytesOf } from '../text/base64.ts'
import { KINDS } from './kind.ts'
import { inputsOf, type Space } from './reading.ts'
import encoder from './weights/encoder.json' with { type: 'json' }
import words from './weights/words.json' with { type: 'json' }

/**
 * A multinomial logistic regression. `weights`: for each kind one per input, then one that always counts.
 * `temperature`: divides the scores, so that a probability is the share of such decisions that are right.
 */
export type Model = { weights: Float32Array; temperature: number }

/** A model as stored: 16-bit weights in base64, and the scale of each kind's. */
export type StoredModel = { temperature: number; scales: readonly number[]; weights: string }

const FILES: Readonly<Record<Space, StoredModel>> = { encoder, words }
const loaded: Partial<Record<Space, Model>> = {}

/** The built-in model for statements with vectors of this space; decoded when first used. */
export function modelOf(space: Space): Model {
  const known = loaded[space]
  if (known) return known
  const model = decode(FILES[space], inputsOf(space))
  loaded[space] = model
  return model
}

/** Throws if the number of weights does not fit a model with this many inputs. */
export function decode({ temperature, scales, weights }: StoredModel, inputs: number): Model {
  const values = new Int16Array(bytesOf(weights).buffer)
  if (values.length !== KINDS.length * (inputs + 1) || scales.length !== KINDS.length) {
    throw new Error(
      `the classifier of kinds has ${values.length} weights, not those of ${inputs} inputs: train it again`,
    )
  }
  return {
    temperature,
    weights: Float32Array.from(values, (value, i) => value * (scales[Math.floor(i / (inputs + 1))] as number)),
  }
}

/** The form in which a model is stored. */
export function encode({ temperature, weights }: Model): StoredModel {
  const perKind = weights.length / KINDS.length
  const scales = KINDS.map((_, kind) => {
    const own = weights.subarray(kind * perKind, (kind + 1) * perKind)
    return own.reduce((most, weight) => Math.max(most, Math.abs(weight)), 1e-9) / 32_767
  })
  const values = Int16Array.from(weights, (weight, i) =>
    Math.round(weight / (scales[Math.floor(i / perKind)] as number)),
  )
  const bytes = new Uint8Array(values.buffer)
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return { temperature, scales, weights: btoa(text) }
}

/** The probability of each kind, in the order of `KINDS`; they sum to 1. */
export function probabilitiesOf({ weights, temperature }: Model, input: Float32Array): Float64Array {
  const perKind = input.length + 1
  const scores = new Float64Array(KINDS.length)
  for (let kind = 0; kind < scores.length; kind++) {
    const from = kind * perKind
    let sum = weights[from + input.length] as number
    for (let i = 0; i < input.length; i++) sum += (weights[from + i] as number) * (input[i] as number)
    scores[kind] = sum / temperature
  }
  return softmax(scores)
}

function softmax(scores: Float64Array): Float64Array {
  const most = Math.max(...scores)
  let sum = 0
  for (let i = 0; i < scores.length; i++) sum += scores[i] = Math.exp((scores[i] as number) - most)
  return scores.map((value) => value / sum)
}
