import { SCORE_DECIMALS } from '../../ui/constants.ts'
import { formatDay } from '../../ui/text/moment.ts'
import { isPlainObject, listOf, textOf, textOrNull } from '../../ui/text/plain-text.ts'

type RubricEntries = readonly (readonly [string, unknown])[]

/**
 * One evaluator's results for one page. `value`: the average as a number, null when there is none; `average`: as text. `scores` and `rubrics` have one
 * entry per response.
 */
export type EvaluatorCell = { value: number | null; average: string; scores: string[][]; rubrics: RubricEntries[] }

/** One evaluated answer with the results of each evaluator. */
export type EvalPageView = {
  /** What was evaluated: source, start and input. Equal in two sessions over the same input. */
  subject: string
  /** Source, day and comments; missing parts are omitted. */
  about: string[]
  notes: string | null
  issues: string[]
  /** One for each evaluator. */
  cells: EvaluatorCell[]
  input: string | null
}

/** How far two judges agree beyond chance: Cohen's kappa, with its 95% interval and the number of grades. */
export type JudgesView = { names: string[]; kappa: number; low: number; high: number; items: number }

/** `judges`: null where the file has no agreement of two judges. */
export type EvalView = { evaluators: string[]; pages: EvalPageView[]; judges: JudgesView | null }

/** Parses a session for the screen. Another server's may lack fields: those are shown as missing, and never break the page. */
export function viewSession(session: unknown): EvalView {
  const { evaluators: given, response_evaluations: evaluations, agreement } = fields(session)
  const pages = listOf(evaluations).map(fields)
  const judged = pages.map((page) => listOf(page['rubrics_responses_evaluations']))
  const count = Math.max(listOf(given).length, ...judged.map((one) => one.length))
  const evaluators = Array.from({ length: count }, (_, index) => {
    return textOrNull(fields(listOf(given)[index])['unique_name']) ?? `Evaluator ${index + 1}`
  })
  return {
    evaluators,
    judges: viewJudges(fields(agreement)),
    pages: pages.map((page, index) =>
      viewPage(
        page,
        evaluators.map((_, column) => viewCell(judged[index]?.[column])),
      ),
    ),
  }
}

/** A score to two decimals; a dash when there is none. */
export function formatScore(score: unknown): string {
  return numberOf(score)?.toFixed(SCORE_DECIMALS) ?? '–'
}

function numberOf(score: unknown): number | null {
  const number = typeof score === 'string' && score.trim() !== '' ? Number(score) : score
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

function viewPage(page: Record<string, unknown>, cells: EvaluatorCell[]): EvalPageView {
  const source = fields(page['source_metadata'])
  const day = textOrNull(source['datetime_from'])
  const about = [textOrNull(source['source_id']), day === null ? null : formatDay(day), textOrNull(source['comments'])]
  return {
    subject: JSON.stringify([source['source_id'], source['datetime_from'], page['formatted_user_input']]),
    about: about.filter((part) => part !== null),
    notes: textOrNull(page['notes']),
    issues: listOf(page['issues']).map(textOf),
    cells,
    input: page['formatted_user_input'] ? textOf(page['formatted_user_input']) : null,
  }
}

function viewJudges(agreement: Record<string, unknown>): JudgesView | null {
  const [kappa, low, high, items] = ['kappa', 'low', 'high', 'items'].map((name) => numberOf(agreement[name]))
  const names = listOf(agreement['judges']).map(textOf)
  if (typeof kappa !== 'number' || typeof low !== 'number' || typeof high !== 'number') return null
  return { names, kappa, low, high, items: items ?? 0 }
}

function viewCell(evaluation: unknown): EvaluatorCell {
  const { avg_score: average, rubric_response_evaluations: answers } = fields(evaluation)
  const responses = listOf(answers).map(fields)
  return {
    value: numberOf(average),
    average: formatScore(average),
    scores: responses.map((one) => listOf(one['scores']).map(formatScore)).filter((scores) => scores.length > 0),
    rubrics: responses.flatMap((one) => listOf(one['graded_rubrics']).map(rubricEntries)),
  }
}

function rubricEntries(rubric: unknown): RubricEntries {
  return isPlainObject(rubric) ? Object.entries(rubric) : [['Rubric', rubric]]
}

function fields(value: unknown): Record<string, unknown> {
  return isPlainObject(value) ? value : {}
}
