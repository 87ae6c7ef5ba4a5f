import type { JudgeGrade, WindowModel } from '../../models/index.ts'
import { type Agreement, cohensKappa, varianceOf } from './agreement.ts'
import { type Evaluation, type GradedPage, mean, rounded } from './evaluator.ts'

/** What a judge is asked about each response. */
const RUBRICS = [
  { id: 'faithful', text: 'Everything that it says is said by the messages, and nothing says the opposite of them' },
  { id: 'one-subject', text: 'It is about one problem or request, which a product team could act on' },
  { id: 'name', text: 'Its name says what customers want changed, so that nobody has to read the messages to know' },
] as const

const SCORES = { yes: 1, partly: 0.5, no: 0 } as const

/** The grades of one judge for one page, of every repeat. Null: a reply that could not be used. */
export type Judged = (JudgeGrade[] | null)[]

/** The calls and tokens that a judge will take for a page, about. */
export async function estimateJudging(
  model: WindowModel,
  { texts, responses }: Pick<GradedPage, 'texts' | 'responses'>,
  repeats: number,
): Promise<{ calls: number; tokens: number }> {
  if (responses.length === 0) return { calls: 0, tokens: 0 }
  const messages = texts.map((text) => ({ text }))
  const { calls, tokens } = await model.estimate(messages, { method: 'judge', responses, rubrics: RUBRICS })
  return { calls: calls * repeats, tokens: tokens * repeats }
}

/** Asks a judge about the responses of a page, `repeats` times in all. */
export async function judgePage(
  model: WindowModel,
  page: GradedPage,
  { repeats, signal }: { repeats: number; signal: AbortSignal },
): Promise<Judged> {
  const judged: Judged = []
  if (page.responses.length === 0) return judged
  const messages = page.texts.map((text) => ({ text }))
  for (let repeat = 0; repeat < repeats; repeat++) {
    judged.push(await model.judge(messages, page.responses, RUBRICS, { sampling: {}, signal }))
  }
  return judged
}

/** What a judge's grades are as an evaluation: for each rubric the mean of the repeats, with its reason and how much they vary. */
export function evaluationOf(page: GradedPage, judged: Judged): Evaluation {
  const used = judged.flatMap((grades) => (grades ? [grades] : []))
  const lost = judged.length - used.length
  const entries = page.responses.map((_response, response) => {
    const rubrics = RUBRICS.flatMap(({ text }, rubric) => {
      const grades = used.flatMap(
        (one) => one.find((each) => each.response === response && each.rubric === rubric) ?? [],
      )
      if (grades.length === 0) return []
      const scores = grades.map(({ grade }) => SCORES[grade])
      return [
        {
          rubric: text,
          score: mean(scores) ?? 0,
          reason: grades[0]?.reason ?? '',
          response: page.names[response] ?? '',
          ...(scores.length > 1
            ? { grades: grades.map(({ grade }) => grade).join(', '), variance: rounded(varianceOf(scores)) }
            : {}),
        },
      ]
    })
    const scores = rubrics.map(({ score }) => score)
    return { avg_score: mean(scores), scores, graded_rubrics: rubrics }
  })
  return {
    avg_score: mean(entries.flatMap(({ avg_score }) => avg_score ?? [])),
    rubric_response_evaluations: entries,
    issues: lost === 0 ? [] : [`${lost} of ${judged.length} replies of the judge could not be used`],
  }
}

/** How much two judges agree about the same responses and rubrics, by the first grade of each. */
export function agreementOf(first: readonly Judged[], second: readonly Judged[]): Agreement | null {
  const pairs = first.flatMap((judged, page) => {
    const others = second[page]?.find((grades) => grades !== null) ?? []
    return (judged.find((grades) => grades !== null) ?? []).flatMap((one): [string, string][] => {
      const other = others.find((each) => each.response === one.response && each.rubric === one.rubric)
      return other ? [[one.grade, other.grade]] : []
    })
  })
  return cohensKappa(pairs)
}
