import type { Node, State } from '../state/state.ts'
import { idOf, type JudgeAnswer, type JudgeRef } from './answers.ts'
import { type Compared, compare, type Ranked, rankIssues, rankStatements } from './compared.ts'

/** A candidate of a question. `isControl`: surely wrong; what a judge says about these tells how often it errs. */
export type JudgeCandidate = Ranked & { isControl: boolean }

/**
 * Which of the candidates, in order of similarity, say the same as `of`, or none? `texts`: the words of a statement, or of members of an
 * issue.
 */
export type JudgeQuestion = { of: JudgeRef; texts: string[]; candidates: JudgeCandidate[] }

const MAX_ISSUES = 5
const MAX_STATEMENTS = 10
/** A candidate that is less similar is right in fewer than one of sixteen cases. */
const MIN_SCORE = 0.17
/** A statement is asked about again when a new candidate is as similar as this. */
const MIN_SCORE_AGAIN = 0.25
/** A control is among the less similar half of all issues, beyond those offered; without any, among the last quarter of statements. */
const FIRST_CONTROL_STATEMENT = 20

/**
 * What a judge should be asked about open statements: those with the most similar candidates first, at most `limit`. A question that was answered
 * is not asked again, and one that a person decided never. Unless `ofRead`, there are none about statements that a model has read, since answers about
 * them add little. Changes nothing.
 */
export function judgeQuestions(
  state: State,
  limit: number,
  answers: readonly JudgeAnswer[] = [],
  { ofRead = false }: { ofRead?: boolean } = {},
): JudgeQuestion[] {
  const compared = compare(state)
  const asked = new Map<JudgeRef, Set<JudgeRef>>()
  for (const { of, candidate } of answers) {
    const known = asked.get(of)
    if (known) known.add(candidate)
    else asked.set(of, new Set([candidate]))
  }
  const found: JudgeQuestion[] = []
  for (let place = 0; place < compared.open; place++) {
    if (!ofRead && compared.nodes[place]?.point !== undefined) continue
    const question = questionAbout(compared, place, asked)
    if (question) found.push(question)
  }
  const best = ({ candidates }: JudgeQuestion) => Math.max(...candidates.map(({ score }) => score))
  return found
    .map((question) => ({ question, score: best(question) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, Math.max(0, limit))
    .map(({ question }) => question)
}

function questionAbout(
  compared: Compared,
  place: number,
  asked: ReadonlyMap<JudgeRef, ReadonlySet<JudgeRef>>,
): JudgeQuestion | null {
  const node = compared.nodes[place] as Node
  const of = idOf(compared.state, node)
  const known = asked.get(of)
  const issues = rankIssues(compared, place)
  const statements = rankStatements(compared, place)
  const candidates = [...issues.slice(0, MAX_ISSUES), ...statements.slice(0, MAX_STATEMENTS)]
    .filter(({ ref, score }) => score >= MIN_SCORE && !known?.has(ref))
    .sort((a, b) => b.score - a.score)
    .map((one) => candidate(one, false))
  const least = known ? MIN_SCORE_AGAIN : MIN_SCORE
  if (!candidates.some(({ score }) => score >= least)) return null
  const control = controlAmong(issues, statements, node.hash)
  return { of, texts: [node.text], candidates: control ? [...candidates, candidate(control, true)] : candidates }
}

/** A candidate that is surely wrong: the same one for the same words, but not for all statements. */
function controlAmong(issues: readonly Ranked[], statements: readonly Ranked[], hash: number): Ranked | undefined {
  const far = issues.slice(Math.max(MAX_ISSUES, Math.floor(issues.length / 2)))
  const pool =
    far.length > 0 ? far : statements.slice(Math.max(FIRST_CONTROL_STATEMENT, Math.floor((statements.length * 3) / 4)))
  return pool[(hash >>> 0) % Math.max(1, pool.length)]
}

function candidate({ ref, score, texts }: Ranked, isControl: boolean): JudgeCandidate {
  return { ref, score: Math.round(score * 1_000) / 1_000, texts, isControl }
}
