import type { Advice } from '../corrections/advice.ts'
import { nodeOf, type State } from '../state/state.ts'
import {
  estimateRates,
  idOf,
  type JudgeAnswer,
  type JudgedPair,
  type JudgeRates,
  type JudgeRef,
  judgedPairs,
  oddsOf,
} from './answers.ts'
import { isOpen, textsOf } from './compared.ts'
import { type JudgedGroup, linkJudged } from './linkage.ts'
import type { JudgeQuestion } from './questions.ts'

/**
 * What follows from a judge's answers. `joins`: open statements and the issue that each belongs to. `groups`: open statements that belong
 * together. `askBack`: what it said yes to, but not certainly enough, to be asked in the other direction first.
 */
export type JudgeOutcome = {
  rates: JudgeRates
  joins: Advice[]
  groups: JudgedGroup[]
  askBack: JudgeQuestion[]
}

/** From this probability on, a yes counts. */
const MIN_PROBABILITY = 0.75
/** Below this probability it is not worth asking back. */
const MIN_TO_ASK_BACK = 0.15
const MAX_CANDIDATES = 10

/**
 * Weighs a judge's answers by how often it says yes to controls: one yes to a similar issue is enough from a good judge, and two, from
 * either side, are required from a bad one. Changes nothing.
 */
export function judgeOutcome(state: State, answers: readonly JudgeAnswer[]): JudgeOutcome {
  const rates = estimateRates(answers)
  const pairs = judgedPairs(state, answers, rates).filter(({ a, b }) => isUnsettled(state, a) && isUnsettled(state, b))
  const groups = linkJudged(pairs, oddsOf(MIN_PROBABILITY))
  const settled = new Set(groups.flatMap(({ statementIds }) => statementIds))
  return {
    rates,
    joins: groups
      .filter(({ issueId }) => issueId > 0)
      .flatMap(({ issueId, statementIds, score }) =>
        statementIds.map((statementId) => ({ statementId, issueId, score })),
      ),
    groups: groups.filter(({ issueId }) => issueId === 0),
    askBack: questionsBack(
      state,
      pairs.filter(({ a, b }) => !settled.has(b) && !(typeof a === 'string' && settled.has(a))),
      answers,
    ),
  }
}

function isUnsettled(state: State, ref: JudgeRef): boolean {
  if (typeof ref === 'number') {
    const issue = state.issues.get(ref)
    return issue?.visible === true && !issue.locked
  }
  const node = nodeOf(state, ref)
  return node !== undefined && isOpen(state, node) && idOf(state, node) === ref
}

/** Pairs that the judge was asked about from one side only, and said yes. */
function questionsBack(state: State, pairs: readonly JudgedPair[], answers: readonly JudgeAnswer[]): JudgeQuestion[] {
  const asked = new Set(answers.map(({ of, candidate }) => `${of} ${candidate}`))
  const back = new Map<JudgeRef, JudgeQuestion>()
  const worthIt = pairs
    .filter(({ asked, yes, odds }) => asked === 1 && yes === 1 && odds >= oddsOf(MIN_TO_ASK_BACK))
    .filter(({ odds }) => odds < oddsOf(MIN_PROBABILITY))
    .sort((x, y) => y.odds - x.odds)
  for (const { a, b, score } of worthIt) {
    const [of, candidate] = asked.has(`${b} ${a}`) ? [a, b] : [b, a]
    const question = back.get(of) ?? { of, texts: shown(state, of), candidates: [] }
    if (question.candidates.length < MAX_CANDIDATES)
      question.candidates.push({ ref: candidate, score, texts: shown(state, candidate), isControl: false })
    back.set(of, question)
  }
  return [...back.values()]
}

function shown(state: State, ref: JudgeRef): string[] {
  if (typeof ref === 'string') return [nodeOf(state, ref)?.text ?? '']
  const issue = state.issues.get(ref)
  return issue ? textsOf(state, issue) : []
}
