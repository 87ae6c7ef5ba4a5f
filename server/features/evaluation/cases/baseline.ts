import { z } from 'zod'
import { mcnemar } from './mcnemar.ts'

/** A regression is significant below this probability. */
export const ALPHA = 0.05
/** Fewer compared cases decide nothing. */
export const MIN_CASES = 20

/** What became of one case. `content`: a hash of the case. `passed`: null where the generator does not say. */
export type Outcome = { id: string; kind: string; content: string; passed: boolean | null; reason: string }

/** The outcomes of an earlier run, to compare with. It holds no text of a case. */
export const Baseline = z.strictObject({
  generator: z.record(z.string(), z.unknown()),
  engine_version: z.string(),
  encoder: z.string().nullable(),
  cases: z.array(z.strictObject({ id: z.string(), content: z.string(), passed: z.boolean() })),
})
export type Baseline = z.infer<typeof Baseline>

/** The outcomes as a baseline; cases that were not graded are left out. */
export function baselineOf(outcomes: readonly Outcome[], made: Omit<Baseline, 'cases'>): Baseline {
  return {
    ...made,
    cases: outcomes.flatMap(({ id, content, passed }) => (passed === null ? [] : [{ id, content, passed }])),
  }
}

/**
 * Outcomes beside those of a baseline. `compared`: cases that both have, unchanged; `changed`: cases whose messages or labels differ since, and `unknown`: cases
 * that the baseline does not have: these are not compared. `worse`: those that passed and do not any more; `better`: the reverse. `p`: McNemar's test.
 */
export type Comparison = {
  compared: number
  changed: number
  unknown: number
  worse: Outcome[]
  better: Outcome[]
  p: number
  verdict: 'regression' | 'no regression' | 'too few cases'
}

/** Compares graded outcomes with a baseline; with too few cases in common there is no verdict. */
export function compare(outcomes: readonly Outcome[], baseline: Baseline): Comparison {
  const before = new Map(baseline.cases.map((one) => [one.id, one]))
  const graded = outcomes.filter(({ passed }) => passed !== null)
  const known = graded.filter(({ id }) => before.has(id))
  const same = known.filter(({ id, content }) => before.get(id)?.content === content)
  const worse = same.filter(({ id, passed }) => before.get(id)?.passed && !passed)
  const better = same.filter(({ id, passed }) => !before.get(id)?.passed && passed)
  const p = mcnemar(worse.length, better.length)
  const verdict = same.length < MIN_CASES ? 'too few cases' : p < ALPHA ? 'regression' : 'no regression'
  return {
    compared: same.length,
    changed: known.length - same.length,
    unknown: graded.length - known.length,
    worse,
    better,
    p,
    verdict,
  }
}
