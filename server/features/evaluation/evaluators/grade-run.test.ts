import { EvalSession } from '@groundswell/contract/evaluation/evals.ts'
import { expect, test } from 'vitest'
import type { Run } from '../../comparisons/index.ts'
import type { JudgeGrade, WindowModel } from '../../models/index.ts'
import { formatInput } from '../generators/window.ts'
import { gradeRuns } from './grade-run.ts'

const EXPORT = [
  'The CSV export does not finish for large reports',
  'CSV export does not finish, it just stops',
  'Large reports: the CSV export does not finish',
]
const DARK = ['Please add a dark mode', 'We need a dark mode at night']
const OTHER = ['The invoice shows the wrong tax rate', 'Thanks, see you on Monday!']
const texts = [...EXPORT, ...DARK, ...OTHER]

const good = {
  responses: [
    { issue: 'CSV export does not finish for large reports', summary: 'Large exports never end.', quotes: [EXPORT[0]] },
    { issue: 'Add a dark mode', summary: 'People work at night.', quotes: [DARK[1]] },
  ],
  members: [
    [0, 1, 2],
    [3, 4],
  ],
}
const run = (more: object = {}): Run => ({
  generator: { label: 'Trial', method: 'built-in' },
  source_id: 'chat',
  datetime_from: '2026-09-14T00:00:00Z',
  datetime_to: '2026-09-20T23:59:59Z',
  formatted_user_input: formatInput(texts.map((text, at) => ({ text, author: 'Umar', at }))),
  ...good,
  ...more,
})
const labels = texts.map((text, at) => ({ text, label: at < 3 ? 'export' : at < 5 ? 'dark' : at === 5 ? 'tax' : null }))
const { signal } = new AbortController()

const graded = async (more: object = {}, options: Partial<Parameters<typeof gradeRuns>[1]> = {}) => {
  const session = await gradeRuns([run(more)], { labels, signal, ...options })
  const [page] = EvalSession.parse(session).response_evaluations
  const by = (name: string) =>
    page?.rubrics_responses_evaluations[session.evaluators.findIndex((one) => one.unique_name === name)]
  return { session, page, by, issues: page?.issues ?? [] }
}
const reasonsOf = (evaluation: unknown) => JSON.stringify(evaluation)

test('a session is what the screen reads: a page for each window, an entry for each response, and each score with its reason', async () => {
  const { session, page, by } = await graded({ repeats: [good] })
  expect(session.evaluators.map(({ unique_name }) => unique_name)).toEqual([
    'Quotes are real',
    'Problems and requests covered',
    'Precise, by the labels',
    'Subjects found, by the labels',
    'Names are distinct',
    'Names are faithful',
    'Stable over repeats',
    'Length',
  ])
  expect(page?.source_metadata).toEqual({ source_id: 'chat', datetime_from: '2026-09-14T00:00:00Z', comments: 'Trial' })
  expect(page?.rubrics_responses_evaluations).toHaveLength(8)
  expect(by('Quotes are real')?.rubric_response_evaluations).toHaveLength(2)
  for (const evaluation of page?.rubrics_responses_evaluations ?? []) {
    for (const entry of evaluation.rubric_response_evaluations ?? []) {
      for (const rubric of entry.graded_rubrics ?? [])
        expect(rubric).toMatchObject({ rubric: expect.any(String), reason: expect.stringMatching(/./) })
    }
  }
})

test('without labels and repeats there are no columns for them', async () => {
  const { session } = await graded({}, { labels: null })
  expect(session.evaluators).toHaveLength(5)
})

test('the same run is graded the same every time', async () => {
  expect((await graded()).session).toEqual((await graded()).session)
})

test('a quote that nobody wrote is found', async () => {
  expect((await graded()).by('Quotes are real')?.avg_score).toBe(1)
  const invented = {
    responses: [{ ...good.responses[0], quotes: [EXPORT[0], 'The CSV export finishes at once'] }, good.responses[1]],
  }
  const { by, issues } = await graded(invented)
  expect(by('Quotes are real')?.avg_score).toBe(0.75)
  expect(issues.join()).toContain('1 quote that nobody wrote')
  expect(
    (await graded({ responses: [{ issue: 'A dark mode' }], members: [[3]] })).by('Quotes are real')?.avg_score,
  ).toBeNull()
})

test('a problem without a response is missing, with its text; thanks are not', async () => {
  const { by } = await graded()
  const evaluation = by('Problems and requests covered')
  expect(evaluation?.avg_score).toBeGreaterThan(0.6)
  expect(evaluation?.avg_score).toBeLessThan(1)
  expect(reasonsOf(evaluation)).toContain('wrong tax rate')
  expect(reasonsOf(evaluation)).not.toContain('Monday')
  expect((await graded({ responses: [], members: [] })).by('Problems and requests covered')?.avg_score).toBe(0)
})

test('messages of other labels lower the precision, and a subject without a response is named', async () => {
  const right = await graded()
  expect([right.by('Precise, by the labels')?.avg_score, right.by('Subjects found, by the labels')?.avg_score]).toEqual(
    [1, 1],
  )
  const mixed = await graded({ responses: [good.responses[0]], members: [[0, 1, 2, 3]] })
  expect(mixed.by('Precise, by the labels')?.avg_score).toBe(0.75)
  expect(mixed.by('Subjects found, by the labels')?.avg_score).toBe(0.5)
  expect(reasonsOf(mixed.by('Subjects found, by the labels'))).toContain('“dark”')
})

test('a name that lost its “not”, and one that added it, are found', async () => {
  const faithful = await graded()
  expect(faithful.issues.join()).not.toContain('opposite')
  const lost = await graded({ responses: [{ issue: 'CSV export does finish for large reports' }, good.responses[1]] })
  expect(lost.issues.join()).toContain('may say the opposite')
  expect(lost.by('Names are faithful')?.avg_score).toBeLessThan(faithful.by('Names are faithful')?.avg_score ?? 0)
  expect(reasonsOf(lost.by('Names are faithful'))).toContain('It is lost')
  const added = await graded({ responses: [good.responses[0], { issue: 'Never add a dark mode' }] })
  expect(added.issues.join()).toContain('“Never add a dark mode” may say the opposite')
})

test('a name that does not find its own messages again is less faithful', async () => {
  const right = (await graded()).by('Names are faithful')?.avg_score ?? 0
  const wrong =
    (await graded({ responses: [{ issue: 'Invoice tax rate' }, good.responses[1]] })).by('Names are faithful')
      ?.avg_score ?? 1
  expect(wrong).toBeLessThan(right)
})

test('two names that are nearly the same are found', async () => {
  expect((await graded()).by('Names are distinct')?.avg_score).toBe(1)
  const { by, issues } = await graded({ responses: [{ issue: 'CSV export stops' }, { issue: 'Stopped CSV exports' }] })
  expect(by('Names are distinct')?.avg_score).toBeLessThan(0.5)
  expect(issues.join()).toContain('nearly the same name')
})

test('a response that does not come again is not stable', async () => {
  expect((await graded({ repeats: [good, good] })).by('Stable over repeats')?.avg_score).toBe(1)
  const other = { responses: [good.responses[0]], members: [[0, 1]] }
  const { by, issues } = await graded({ repeats: [other] })
  expect(by('Stable over repeats')?.avg_score).toBeCloseTo((2 / 3 + 0) / 2, 2)
  expect(issues.join()).toContain('“Add a dark mode” is not in every repeat')
})

test('a name of one word or of a whole paragraph has the wrong length', async () => {
  expect((await graded()).by('Length')?.avg_score).toBe(1)
  const { by } = await graded({ responses: [{ issue: 'Export' }, { issue: 'word '.repeat(30) }] })
  expect(by('Length')?.avg_score).toBe(0)
})

test('a run by others, without members and in a format of its own, is graded by its quotes', async () => {
  const { by } = await graded({
    formatted_user_input: texts.join('\n'),
    members: undefined,
    responses: [{ name: 'CSV export does not finish', evidence: [EXPORT[1], EXPORT[2]] }],
  })
  expect(by('Quotes are real')?.avg_score).toBe(1)
  expect(by('Precise, by the labels')?.avg_score).toBe(1)
})

function judge(name: string, grade: (response: number, rubric: number, asked: number) => JudgeGrade['grade'] | null) {
  let asked = 0
  const model: Pick<WindowModel, 'judge'> = {
    judge: async (_messages, responses, rubrics) => {
      asked++
      const grades = responses.flatMap((_one, response) =>
        rubrics.flatMap((_rubric, rubric) => {
          const given = grade(response, rubric, asked)
          return given ? [{ response, rubric, grade: given, reason: `${name} says ${given}` }] : []
        }),
      )
      return grades.length > 0 ? grades : null
    },
  }
  return { name, model: model as WindowModel }
}

test('judges give reasons; repeats have a mean and a variance; two judges have an agreement', async () => {
  const steady = judge('steady', (response) => (response === 0 ? 'yes' : 'no'))
  const unsteady = judge('unsteady', (response, _rubric, asked) =>
    response === 0 ? 'yes' : asked % 2 === 0 ? 'yes' : 'no',
  )
  const { session, by } = await graded({}, { judges: [steady, unsteady], judgeRepeats: 2 })
  expect(by('Judge: steady')).toMatchObject({ avg_score: 0.5 })
  expect(reasonsOf(by('Judge: steady'))).toContain('steady says no')
  const [, second] = by('Judge: unsteady')?.rubric_response_evaluations ?? []
  expect(second?.avg_score).toBe(0.5)
  expect(second?.graded_rubrics?.[0]).toMatchObject({ grades: 'no, yes', variance: 0.5 })
  expect(session.agreement).toMatchObject({ judges: ['steady', 'unsteady'], kappa: 1, items: 6 })
})

test('replies of a judge that cannot be used are not counted, and that is said', async () => {
  const { by, issues } = await graded({}, { judges: [judge('broken', () => null)] })
  expect(by('Judge: broken')?.avg_score).toBeNull()
  expect(issues.join()).toContain('1 of 1 replies of the judge could not be used')
})
