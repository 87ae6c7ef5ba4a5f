import { oneLine } from '../../../platform/one-line.ts'
/** One rubric, graded from 0 to 1. `response`: the name of the one it is about; absent: of all. */
export type GradedRubric = { rubric: string; score: number; reason: string; response?: string }

/** The grades of one response, or of all together. `scores`: one for each rubric. */
type ResponseGrade = { avg_score: number | null; scores: number[]; graded_rubrics: GradedRubric[] }

/** What an evaluator says about one page. `issues`: what a person should look at. */
export type Evaluation = { avg_score: number | null; rubric_response_evaluations: ResponseGrade[]; issues: string[] }

/** The responses of one generator to one window. `members`: places in `texts`; empty where they are not known. */
export type GradedPage = {
  texts: string[]
  responses: Record<string, unknown>[]
  names: string[]
  members: number[][]
  /** The label of each text: null for one that is about nothing that others are about, undefined for one that is not labelled. */
  labels: (string | null | undefined)[]
  repeats: { names: string[]; members: number[][] }[]
}

/** Grades pages by rubrics, without a model and the same every time. */
export type Evaluator = { unique_name: string; grade(page: GradedPage): Evaluation }

/** An evaluator that grades each response alone. No rubric for a response: it cannot be graded. */
export function perResponse(
  unique_name: string,
  gradeOne: (page: GradedPage, at: number) => { rubrics: GradedRubric[]; issue?: string | null },
): Evaluator {
  return {
    unique_name,
    grade(page) {
      const grades = page.responses.map((_response, at) => gradeOne(page, at))
      const entries = grades.map(({ rubrics }, at) =>
        entryOf(rubrics.map((one) => ({ ...one, response: page.names[at] ?? '' }))),
      )
      return {
        avg_score: mean(entries.flatMap(({ avg_score }) => avg_score ?? [])),
        rubric_response_evaluations: entries,
        issues: grades.flatMap(({ issue }) => issue ?? []),
      }
    },
  }
}

/** An evaluator that grades all responses together: one entry, for the whole list. */
export function perPage(
  unique_name: string,
  gradeAll: (page: GradedPage) => { rubrics: GradedRubric[]; issue?: string | null },
): Evaluator {
  return {
    unique_name,
    grade(page) {
      const { rubrics, issue } = gradeAll(page)
      const [first] = rubrics
      const entry = { ...entryOf(rubrics), ...(first ? { avg_score: first.score, scores: [first.score] } : {}) }
      return {
        avg_score: entry.avg_score,
        rubric_response_evaluations: [entry],
        issues: issue ? [issue] : [],
      }
    },
  }
}

function entryOf(rubrics: readonly GradedRubric[]): ResponseGrade {
  const scores = rubrics.map(({ score }) => rounded(score))
  return {
    avg_score: mean(scores),
    scores,
    graded_rubrics: rubrics.map((one) => ({ ...one, score: rounded(one.score) })),
  }
}

/** Null without values. */
export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : rounded(values.reduce((sum, value) => sum + value, 0) / values.length)
}

/** Rounds to three decimals. */
export function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000
}

/** A text for a reason. */
export const shortened = (text: string): string => oneLine(text, 100)
