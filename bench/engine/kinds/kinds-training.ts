import { KINDS, type Kind, placeOf } from '@groundswell/engine/kinds/kind.ts'
import { type Model, probabilitiesOf } from '@groundswell/engine/kinds/model.ts'
import { minimise } from '../minimise.ts'

/** The features of an example and its correct label. */
export type Sample = { input: Float32Array; kind: Kind }

/** The rate at which weights decay: chosen by cross-validation on training examples. */
const DECAY = 2e-3
/** Rare kinds count more, in total by this power of how rare they are: 0 not at all, 1 as much as frequent ones. */
const BALANCE = 0.5
const ITERATIONS = 200
const FOLDS = 5

/** Fits the classifier. Deterministic. The temperature is found on predictions of folds that were left out. */
export function train(samples: readonly Sample[]): Model {
  const folds = Array.from({ length: FOLDS }, (_, fold) => fold)
  const leftOut = folds.flatMap((fold) => {
    const model = fit(samples.filter((_, i) => i % FOLDS !== fold))
    return samples.filter((_, i) => i % FOLDS === fold).map(({ input, kind }) => ({ input, kind, model }))
  })
  return { ...fit(samples), temperature: bestTemperature(leftOut) }
}

/** Fits the weights, with temperature 1. */
export function fit(samples: readonly Sample[]): Model {
  const inputs = samples[0]?.input.length ?? 0
  const perKind = inputs + 1
  const importance = importanceOf(samples)
  const places = samples.map(({ kind }) => placeOf(kind))
  const sparse = samples.map(({ input }) => nonZero(input))
  const lossAt = (weights: Float64Array, gradient: Float64Array): number => {
    let loss = 0
    for (let i = 0; i < weights.length; i++) {
      const weight = i % perKind === inputs ? 0 : (weights[i] as number)
      loss += 0.5 * DECAY * weight * weight
      gradient[i] = DECAY * weight
    }
    const scores = new Float64Array(KINDS.length)
    sparse.forEach(({ at, values }, sample) => {
      for (let kind = 0; kind < scores.length; kind++) {
        const from = kind * perKind
        let sum = weights[from + inputs] as number
        for (let i = 0; i < at.length; i++) sum += (weights[from + (at[i] as number)] as number) * (values[i] as number)
        scores[kind] = sum
      }
      const most = Math.max(...scores)
      let total = 0
      for (let kind = 0; kind < scores.length; kind++) {
        scores[kind] = Math.exp((scores[kind] as number) - most)
        total += scores[kind] as number
      }
      const counts = importance[sample] as number
      const right = places[sample] as number
      loss -= counts * Math.log((scores[right] as number) / total)
      for (let kind = 0; kind < scores.length; kind++) {
        const from = kind * perKind
        const slope = counts * ((scores[kind] as number) / total - (kind === right ? 1 : 0))
        for (let i = 0; i < at.length; i++)
          gradient[from + (at[i] as number)] =
            (gradient[from + (at[i] as number)] as number) + slope * (values[i] as number)
        gradient[from + inputs] = (gradient[from + inputs] as number) + slope
      }
    })
    return loss
  }
  const weights = minimise(lossAt, new Float64Array(KINDS.length * perKind), ITERATIONS)
  return { weights: Float32Array.from(weights), temperature: 1 }
}

/** How much each sample counts; they sum to 1. */
function importanceOf(samples: readonly Sample[]): Float64Array {
  const counts = new Map<Kind, number>()
  for (const { kind } of samples) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const raw = Float64Array.from(
    samples,
    ({ kind }) => (samples.length / KINDS.length / (counts.get(kind) ?? 1)) ** BALANCE,
  )
  const sum = raw.reduce((total, one) => total + one, 0)
  return raw.map((one) => one / sum)
}

function nonZero(input: Float32Array): { at: Int32Array; values: Float32Array } {
  const at = Int32Array.from(input.keys()).filter((i) => input[i] !== 0)
  return { at, values: Float32Array.from(at, (i) => input[i] as number) }
}

/** The temperature from 0.5 to 3 at which the right kinds are likeliest. */
function bestTemperature(predictions: readonly { input: Float32Array; kind: Kind; model: Model }[]): number {
  const lossOf = (temperature: number) =>
    predictions.reduce((sum, { input, kind, model }) => {
      const values = probabilitiesOf({ ...model, temperature }, input)
      return sum - Math.log(Math.max(1e-9, values[placeOf(kind)] as number))
    }, 0)
  let best = { temperature: 1, loss: lossOf(1) }
  for (let step = 10; step <= 60; step++) {
    const temperature = step / 20
    const loss = lossOf(temperature)
    if (loss < best.loss) best = { temperature, loss }
  }
  return best.temperature
}
