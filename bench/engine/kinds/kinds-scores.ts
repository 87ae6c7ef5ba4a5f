import { KINDS, type Kind } from '@groundswell/engine/kinds/kind.ts'

/** What is right, what was said (null: the kind cannot be told), and how surely. */
export type Judged = { kind: Kind; said: Kind | null; confidence: number }

/** A kind with fewer examples is not in a mean of kinds: its figure would be chance. */
const MIN_EXAMPLES = 5

/** In percent. `f1`: by kind, null below five examples. `macroF1`: their mean. */
export type KindScores = {
  examples: number
  accuracy: number
  macroF1: number
  f1: Readonly<Record<Kind, number | null>>
}

/** Scores a classifier; a kind that cannot be told is an error. */
export function scoreKinds(judged: readonly Judged[]): KindScores {
  const f1 = Object.fromEntries(KINDS.map((kind) => [kind, f1Of(judged, kind)])) as Record<Kind, number | null>
  const known = Object.values(f1).filter((value) => value !== null)
  return {
    examples: judged.length,
    accuracy: percent(judged.filter(({ kind, said }) => kind === said).length, judged.length),
    macroF1: known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length),
    f1,
  }
}

function f1Of(judged: readonly Judged[], wanted: Kind): number | null {
  const examples = judged.filter(({ kind }) => kind === wanted).length
  if (examples < MIN_EXAMPLES) return null
  const said = judged.filter(({ said }) => said === wanted).length
  const right = judged.filter(({ kind, said }) => kind === wanted && said === wanted).length
  return percent(2 * right, examples + said)
}

/** How often each kind was said for each right kind, and last how often none was. */
export function confusion(judged: readonly Judged[]): number[][] {
  return KINDS.map((right) =>
    [...KINDS, null].map((said) => judged.filter((one) => one.kind === right && one.said === said).length),
  )
}

/** The number of decisions with a confidence from `from` up to `to`, their mean confidence and the share that is right, in percent. */
export function calibration(judged: readonly Judged[], from: number, to: number) {
  const some = judged.filter(({ said, confidence }) => said !== null && confidence >= from && confidence < to)
  return {
    decisions: some.length,
    confidence: percent(
      some.reduce((sum, { confidence }) => sum + confidence, 0),
      some.length,
    ),
    right: percent(some.filter(({ kind, said }) => kind === said).length, some.length),
  }
}

/** Raw agreement of two labels in percent, and Cohen's kappa: agreement beyond chance, 1 at most. */
export function agreement(pairs: readonly { first: Kind; second: Kind }[]): { raw: number; kappa: number } {
  const share = (count: (pair: { first: Kind; second: Kind }) => boolean) => pairs.filter(count).length / pairs.length
  const raw = share(({ first, second }) => first === second)
  const chance = KINDS.reduce(
    (sum, kind) => sum + share(({ first }) => first === kind) * share(({ second }) => second === kind),
    0,
  )
  return { raw: 100 * raw, kappa: (raw - chance) / (1 - chance) }
}

/** How far two labellers agree on one kind, in percent: of the labels of this kind by either, how many the other gave as well. */
export function agreementOn(kind: Kind, pairs: readonly { first: Kind; second: Kind }[]): number {
  const both = pairs.filter(({ first, second }) => first === kind && second === kind).length
  const either = [...pairs.map(({ first }) => first), ...pairs.map(({ second }) => second)]
  return percent(2 * both, either.filter((one) => one === kind).length)
}

function percent(part: number, whole: number): number {
  return whole > 0 ? (100 * part) / whole : 0
}
