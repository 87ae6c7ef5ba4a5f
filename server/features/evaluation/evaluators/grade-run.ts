import { counted } from '@groundswell/connectors/kit/text/counted.ts'
import type { EvalSession } from '@groundswell/contract/evaluation/evals.ts'
import { z } from 'zod'
import type { Run } from '../../comparisons/index.ts'
import type { WindowModel } from '../../models/index.ts'
import { parseInput } from '../generators/window.ts'
import { quotesOf, spaced } from '../quotes.ts'
import type { Agreement } from './agreement.ts'
import { type Evaluation, type Evaluator, type GradedPage, rounded } from './evaluator.ts'
import { completeByLabels, covered, preciseByLabels, quotesAreReal } from './evidence.ts'
import { agreementOf, evaluationOf, type Judged, judgePage } from './judge.ts'
import { namesAreDistinct, namesAreFaithful, rightLength, stable } from './naming.ts'

const Answers = z.object({
  responses: z.array(z.record(z.string(), z.unknown())),
  members: z.optional(z.array(z.array(z.int().nonnegative()))),
})
/** What a generated run has besides the fields of a comparison; a run by others has none of it. */
const Extras = z.object({
  members: z.optional(z.array(z.array(z.int().nonnegative()))),
  repeats: z.optional(z.array(Answers)),
})

/** A label for each message: null for one that is about nothing that others are about. Messages are found by their text. */
type LabelledText = { text: string; label: string | null }

/** A judge, and how it is called in the session. */
export type Judge = { name: string; model: WindowModel }

/** Who grades, and who is told of the progress. */
export type GradeOptions = {
  labels?: readonly LabelledText[] | null
  judges?: readonly Judge[]
  judgeRepeats?: number
  signal: AbortSignal
  onPage?: (done: number, all: number) => void
}

/** A session as the screen reads it. `agreement`: of two judges. */
export type Session = EvalSession & { generator: Run['generator'] }

/** The names of responses of any class: the first of these keys that holds text. */
const NAMES = ['issue', 'name', 'issue_name', 'title']

/** Grades the runs of one generator into an eval session: one page for each window, one column for each evaluator. */
export async function gradeRuns(
  runs: readonly [Run, ...Run[]],
  { labels = null, judges = [], judgeRepeats = 1, signal, onPage }: GradeOptions,
): Promise<Session> {
  const labelOf = new Map(labels?.map(({ text, label }) => [spaced(text), label]))
  const pages = runs.map((run) => pageOf(run, labelOf))
  const evaluators = evaluatorsFor(pages, labels !== null)
  const judged = judges.map(() => [] as Judged[])
  const graded: Evaluation[][] = []
  for (const [at, page] of pages.entries()) {
    signal.throwIfAborted()
    for (const [number, { model }] of judges.entries()) {
      judged[number]?.push(await judgePage(model, page, { repeats: judgeRepeats, signal }))
    }
    graded.push([
      ...evaluators.map((one) => one.grade(page)),
      ...judged.map((grades) => evaluationOf(page, grades[at] ?? [])),
    ])
    onPage?.(at + 1, pages.length)
  }
  const names = judges.map(({ name }) => name)
  return {
    generator: runs[0].generator,
    ...agreementField(names, judged),
    evaluators: [...evaluators.map(({ unique_name }) => ({ unique_name })), ...names.map(judgeColumn)],
    response_evaluations: runs.map((run, at) => ({
      source_metadata: {
        source_id: run.source_id,
        datetime_from: run.datetime_from,
        comments: run.generator.label ?? null,
      },
      notes: `${counted(run.responses.length, 'response')} to ${counted(pages[at]?.texts.length ?? 0, 'message')}.`,
      issues: graded[at]?.flatMap(({ issues }) => issues) ?? [],
      responses: run.responses,
      rubrics_responses_evaluations: graded[at]?.map(({ issues: _issues, ...evaluation }) => evaluation) ?? [],
      formatted_user_input: run.formatted_user_input,
    })),
  }
}

/** The column of a judge. */
const judgeColumn = (name: string) => ({ unique_name: `Judge: ${name}` })

/** What judges say about one answer: their columns, and `judged`, from which their agreement is computed. */
export async function judgeRun(
  run: Run,
  { judges, repeats, signal }: { judges: readonly Judge[]; repeats: number; signal: AbortSignal },
): Promise<{ evaluators: { unique_name: string }[]; evaluations: Evaluation[]; judged: Judged[] }> {
  const page = pageOf(run, new Map())
  const judged: Judged[] = []
  for (const { model } of judges) judged.push(await judgePage(model, page, { repeats, signal }))
  return {
    evaluators: judges.map(({ name }) => judgeColumn(name)),
    evaluations: judged.map((grades) => evaluationOf(page, grades)),
    judged,
  }
}

/** The field `agreement` of a session that two judges graded; `judged` holds for each of them its grades of every page. Nothing where there is none. */
export function agreementField(
  names: readonly string[],
  [first, second]: readonly (readonly Judged[])[],
): { agreement?: { judges: string[] } & Agreement } {
  const agreement = first && second ? agreementOf(first, second) : null
  return agreement ? { agreement: { judges: [...names], ...roundedAgreement(agreement) } } : {}
}

/** The evaluators that can grade these pages: some need labels or repeated runs. */
function evaluatorsFor(pages: readonly GradedPage[], isLabelled: boolean): Evaluator[] {
  return [
    quotesAreReal,
    covered,
    ...(isLabelled ? [preciseByLabels, completeByLabels] : []),
    namesAreDistinct,
    namesAreFaithful,
    ...(pages.some(({ repeats }) => repeats.length > 0) ? [stable] : []),
    rightLength,
  ]
}

function pageOf(run: Run, labelOf: ReadonlyMap<string, string | null>): GradedPage {
  const texts = parseInput(run.formatted_user_input)
  const parsed = Extras.safeParse(run)
  const { members, repeats = [] } = parsed.success ? parsed.data : {}
  const answer = (responses: Record<string, unknown>[], known: number[][] | undefined) => ({
    responses,
    names: responses.map(nameOf),
    members: responses.map((response, at) => membersOf(known?.[at] ?? [], response, texts)),
  })
  return {
    texts,
    ...answer(run.responses, members),
    labels: texts.map((text) => labelOf.get(spaced(text))),
    repeats: repeats.map((repeat) => answer(repeat.responses, repeat.members)),
  }
}

/** What the run says; else the messages that the response quotes. */
function membersOf(known: readonly number[], response: Record<string, unknown>, texts: readonly string[]): number[] {
  const valid = known.filter((at) => at < texts.length)
  if (valid.length > 0) return [...new Set(valid)]
  const quotes = quotesOf(response)
  return texts.flatMap((text, at) => (quotes.some((quote) => quote.isIn(text)) ? [at] : []))
}

function nameOf(response: Record<string, unknown>): string {
  const named = NAMES.map((key) => response[key]).find((value) => typeof value === 'string')
  return String(named ?? Object.values(response).find((value) => typeof value === 'string') ?? '')
}

function roundedAgreement({ kappa, low, high, observed, items }: Agreement): Agreement {
  return { kappa: rounded(kappa), low: rounded(low), high: rounded(high), observed: rounded(observed), items }
}
