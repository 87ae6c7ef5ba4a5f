import { csvLine } from '@groundswell/contract/values/csv-cell.ts'
import type { EvalView } from '../session-view.ts'
import type { ScoredSession } from './scored-rows.ts'

/** What one evaluator says about one response evaluation, as exported. */
type ExportedScore = {
  /** From 1. */
  page: number
  about: string
  evaluator: string
  /** The person's score where there is one, else the automatic one; null: there is none. */
  score: number | null
  automatic: number | null
  notes: string
  issues: string[]
  rubrics: Record<string, unknown>[]
}

/** Every evaluator's score of every page, in the order of the file. */
function exportedScores({ pages }: EvalView, { evaluators, rows }: ScoredSession): ExportedScore[] {
  return pages.flatMap(({ cells, notes, issues }, page) =>
    cells.map((cell, at) => ({
      page: page + 1,
      about: rows[page]?.about ?? '',
      evaluator: evaluators[at] ?? '',
      score: rows[page]?.scores[at] ?? null,
      automatic: cell.value,
      notes: notes ?? '',
      issues,
      rubrics: cell.rubrics.map((entries) => Object.fromEntries(entries)),
    })),
  )
}

/** A line of JSON for each score. */
export function sessionJsonl(session: EvalView, scored: ScoredSession): string {
  return exportedScores(session, scored)
    .map((one) => `${JSON.stringify(one)}\n`)
    .join('')
}

/** A line for each score, without its rubrics. A list of issues has a line of the cell for each. */
export function sessionCsv(session: EvalView, scored: ScoredSession): string {
  const lines = exportedScores(session, scored).map(({ page, about, evaluator, score, automatic, notes, issues }) => [
    page,
    about,
    evaluator,
    score ?? '',
    automatic ?? '',
    notes,
    issues.join('\n'),
  ])
  return [['page', 'about', 'evaluator', 'score', 'automatic', 'notes', 'issues'], ...lines].map(csvLine).join('')
}
