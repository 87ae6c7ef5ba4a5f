import { successorOf } from '../corrections/rules.ts'
import { isEmerging } from '../model.ts'
import { type Node, nodeOf, type State } from '../state/state.ts'

/** What a judge is asked about: an issue (its number) or a statement (its id). */
export type JudgeRef = number | string

/**
 * What a judge said about a candidate when it was asked which candidates say the same as `of`. `score`: their similarity. `isControl`: the
 * candidate was surely wrong. `yes`: null when there was no answer that could be used; it is not asked again.
 */
export type JudgeAnswer = { of: JudgeRef; candidate: JudgeRef; score: number; yes: boolean | null; isControl: boolean }

/** How often a judge says yes where it is right, and where it is wrong: 0 to 1. */
export type JudgeRates = { trueYes: number; falseYes: number }

/** A pair with at least one statement, and the logarithm of the odds that its two sides belong together. */
export type JudgedPair = { a: JudgeRef; b: string; score: number; asked: number; yes: number; odds: number }

/**
 * How probable a candidate is before the judge is asked: a logistic function of the similarity. By the labels of five companies' sets, an
 * issue is right in 6% of the cases at a similarity of 0.15, 18% at 0.25 and 42% at 0.35; a statement in 5%, 14% and 30%.
 */
const ISSUE_PRIOR = { slope: 12, offset: -4.55 }
const STATEMENT_PRIOR = { slope: 10, offset: -4.4 }
/** Before a judge says yes nothing counts, however similar: this is below the odds that are required (`MIN_PROBABILITY`). */
const MAX_PRIOR_ODDS = 1
/** The share of yeses to controls that is assumed before enough are answered, and the number of controls that this assumption counts as. */
const ASSUMED_FALSE_YES = 0.05
const ASSUMED_CONTROLS = 20
const ASSUMED_TRUE_YES = 0.8

/** The logarithm of the odds of a probability. */
export function oddsOf(probability: number): number {
  return Math.log(probability / (1 - probability))
}

/** How often a model errs, 0 to 1, by its answers to controls: `wrong` of `asked`, with some assumed ones, so that a few answers do not decide. */
export function errorRate({ asked, wrong }: { asked: number; wrong: number }): number {
  return (wrong + ASSUMED_FALSE_YES * ASSUMED_CONTROLS) / (asked + ASSUMED_CONTROLS)
}

/** How often the judge errs, by its answers to controls. */
export function estimateRates(answers: readonly JudgeAnswer[]): JudgeRates {
  const controls = answers.filter(({ isControl, yes }) => isControl && yes !== null)
  const falseYes = errorRate({ asked: controls.length, wrong: controls.filter((one) => one.yes).length })
  // A judge that says yes to whatever is wrong tells nothing.
  return { trueYes: Math.max(ASSUMED_TRUE_YES, falseYes), falseYes }
}

/** The answers about each pair, from one side or both, without controls. Issues that were merged are their successors. */
export function judgedPairs(state: State, answers: readonly JudgeAnswer[], rates: JudgeRates): JudgedPair[] {
  const forYes = Math.log(rates.trueYes / rates.falseYes)
  const forNo = Math.log((1 - rates.trueYes) / (1 - rates.falseYes))
  const pairs = new Map<string, JudgedPair>()
  for (const { of, candidate, score, yes, isControl } of answers) {
    if (isControl || yes === null) continue
    const [a, b] = [of, candidate].map((ref) => (typeof ref === 'number' ? successorOf(state, ref) : ref)).sort(byKind)
    if (a === undefined || b === undefined || typeof b === 'number') continue
    const key = `${a} ${b}`
    const pair = pairs.get(key) ?? { a, b, score, asked: 0, yes: 0, odds: priorOdds(state, a, b, score) }
    pair.asked++
    pair.yes += yes ? 1 : 0
    pair.odds += yes ? forYes : forNo
    pairs.set(key, pair)
  }
  return [...pairs.values()]
}

/** Issues before statements. */
function byKind(a: JudgeRef, b: JudgeRef): number {
  if (typeof a === 'number' || typeof b === 'number') return typeof a === typeof b ? 0 : typeof a === 'number' ? -1 : 1
  return a < b ? -1 : a > b ? 1 : 0
}

function priorOdds(state: State, a: JudgeRef, b: string, score: number): number {
  const { slope, offset } = typeof a === 'number' ? ISSUE_PRIOR : STATEMENT_PRIOR
  const byScore = Math.min(MAX_PRIOR_ODDS, slope * score + offset)
  if (typeof a === 'number') return byScore
  const issue = nodeOf(state, a)?.issue ?? 0
  const isTogether = isEmerging(issue) && nodeOf(state, b)?.issue === issue
  // About three of four such pairs are right.
  return isTogether ? MAX_PRIOR_ODDS : byScore
}

/** The id of the statement whose words a node has. */
export function idOf(state: State, { followers }: Node): string {
  return state.statementIds[followers[0] as number] as string
}
