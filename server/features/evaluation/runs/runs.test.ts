import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { ComparisonSessions } from '@groundswell/contract/evaluation/comparisons.ts'
import type { EvalSession } from '@groundswell/contract/evaluation/evals.ts'
import type { EvaluationRun, RunPlan } from '@groundswell/contract/evaluation/runs.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { TestPerson } from '../../../platform/http/testing.ts'
import { type People, TeamWorld } from '../../../testing.ts'
import { grantAdmin } from '../../accounts/index.ts'
import { evaluationJobs, takeStep } from './run-job.ts'

let world: TeamWorld
let people: People

beforeAll(async () => {
  world = await TeamWorld.start()
})
afterAll(() => world.stop())

const SAID = [
  'The export to CSV stops after 1000 rows',
  'Export to CSV stops halfway through',
  'CSV export stops at 1000 rows every time',
  'The invoice shows the wrong address',
  'Our invoice has the wrong address again',
  'Wrong address on the invoice, please fix it',
]
const AUTHORS = ['Jana Novak', 'Max Weber', 'Kim Lee']

/** Two weeks of feedback, in each the same six messages, by three people. */
async function giveFeedback({ workspaceId }: TestPerson): Promise<void> {
  await world.enter(workspaceId)
  await world.owner.query(
    `insert into connection (workspace_id, id, connector, name) values ($1, gen_random_uuid(), 'file', 'letters')`,
    [workspaceId],
  )
  const rows = [0, 1].flatMap((week) =>
    SAID.map((text, at) => ({ text, author: AUTHORS[at % 3], week, day: week * 7 + at + 1 })),
  )
  for (const { text, author, week, day } of rows) {
    await world.owner.query(
      `insert into feedback_item (workspace_id, connection_id, external_id, text, author, said_at)
       select workspace_id, id, $2::text, $3, $4, $5 from connection where workspace_id = $1`,
      [workspaceId, `${week} ${text}`, text, author, `2026-03-${String(day).padStart(2, '0')}T10:00:00Z`],
    )
  }
}

const PLAN: RunPlan = {
  name: 'march',
  generators: ['words'],
  from: '2026-03-01',
  to: '2026-03-14',
  days: 7,
  repeats: 1,
}
const EVERYTHING = {
  llm_model_names: [],
  llm_temperatures: [],
  llm_reasonings: [],
  llm_verbosities: [],
  methods: [],
  system_prompts: [],
  response_classes: [],
}

beforeEach(async () => {
  people = await world.people()
  for (const { email } of [people.ann, people.bo]) await grantAdmin(world.test.services, email)
  await giveFeedback(people.ann)
})

async function call<T>(method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object, as = people.ann): Promise<T> {
  const answer = await world.test.call(method, url, { as, ...(payload ? { payload } : {}) })
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${answer.body}`)
  return answer.json() as T
}
const statusOf = async (method: 'GET' | 'POST' | 'DELETE', url: string, as: TestPerson, payload?: object) =>
  (await world.test.call(method, url, { as, ...(payload ? { payload } : {}) })).statusCode
const start = (plan: Partial<RunPlan> = {}) => call<EvaluationRun>('POST', '/api/evaluation-runs', { ...PLAN, ...plan })
const runNow = async (id: string) => {
  const { runs } = await call<{ runs: EvaluationRun[] }>('GET', '/api/evaluation-runs')
  return runs.find(({ run_id }) => run_id === id) as EvaluationRun
}
/** Does the work of the background, all of it or a number of steps. */
const work = async ({ run_id }: EvaluationRun, steps = Number.POSITIVE_INFINITY) => {
  const { signal } = new AbortController()
  for (let taken = 0; taken < steps; taken++) {
    if (!(await takeStep(world.test.services, people.ann.workspaceId, run_id, signal))) return
  }
}
const grade = async (run: EvaluationRun) => {
  await call('POST', `/api/evaluation-runs/${run.run_id}/grade`)
  await work(run)
  return runNow(run.run_id)
}
async function compared(directory: string): Promise<ComparisonSessions> {
  await call('POST', '/comparison/set_dir', { dir_name: directory })
  await call('POST', '/comparison/set_generator_filter', EVERYTHING)
  const { source_ids } = await call<{ source_ids: string[] }>('GET', '/comparison/get_input_options')
  await call('POST', '/comparison/set_input_filter', { input_filter: source_ids })
  return call<ComparisonSessions>('GET', '/comparison/get_comparison_sessions')
}
const session = (filename: string) =>
  call<EvalSession>('GET', `/eval/get_eval?filename=${encodeURIComponent(filename)}`)

/** Everything that the runs of a workspace store, as text. */
async function stored(): Promise<string> {
  await world.enter(people.ann.workspaceId)
  const texts: string[] = []
  for (const table of ['run', 'window', 'message', 'answer', 'grade']) {
    const { rows } = await world.owner.query(
      `select coalesce(string_agg(one::text, ' '), '') as text from evaluation_${table} one where workspace_id = $1`,
      [people.ann.workspaceId],
    )
    texts.push(rows[0].text)
  }
  return texts.join('\n')
}

test('no answer is made twice', async () => {
  await work(await start())
  expect(await call('POST', '/api/evaluation-runs/estimate', { ...PLAN, name: 'again' })).toMatchObject({
    answers: 2,
    made: 2,
  })
  expect(await call('POST', '/api/evaluation-runs/estimate', { ...PLAN, repeats: 0 })).toMatchObject({
    answers: 2,
    made: 0,
  })
  expect(await statusOf('POST', '/api/evaluation-runs', people.ann, PLAN)).toBe(409)
})

test('a run goes on after a kill, and can be cancelled and resumed', async () => {
  const run = await start()
  await work(run, 1)
  const made = `select window_number, xmin::text from evaluation_answer where workspace_id = $1 order by 1`
  const first = (await world.owner.query(made, [people.ann.workspaceId])).rows
  expect(first).toHaveLength(1)
  expect(await call('POST', `/api/evaluation-runs/${run.run_id}/cancel`)).toMatchObject({
    state: 'cancelled',
    done: 1,
    all: 2,
  })
  await work(run)
  expect(await runNow(run.run_id)).toMatchObject({ state: 'cancelled', done: 1 })
  expect(await call('POST', `/api/evaluation-runs/${run.run_id}/resume`)).toMatchObject({ state: 'answering' })
  await work(run)
  expect(await runNow(run.run_id)).toMatchObject({ state: 'answered', done: 2 })
  expect((await world.owner.query(made, [people.ann.workspaceId])).rows[0]).toEqual(first[0])
})

test('grading can be cancelled, and needs answers', async () => {
  const run = await start()
  const url = `/api/evaluation-runs/${run.run_id}`
  expect(await statusOf('POST', `${url}/grade`, people.ann)).toBe(409)
  await call('POST', `${url}/cancel`)
  expect(await statusOf('POST', `${url}/grade`, people.ann)).toBe(409)
  await call('POST', `${url}/resume`)
  await work(run)
  await call('POST', `${url}/grade`)
  expect(await call('POST', `${url}/cancel`)).toMatchObject({ state: 'answered', reason: 'Grading was cancelled.' })
  expect(await call('GET', '/eval/list_evals')).toEqual([])
  expect(await grade(run)).toMatchObject({ state: 'graded', done: 2, all: 2, reason: null })
})

test('only admins of the workspace have it, and its names lead to no file', async () => {
  const folder = path.join(world.test.services.config.dataDir, 'comparisons', 'workspace')
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, 'march.json'), '[]')
  const run = await start()
  await work(run)
  await grade(run)
  const session = encodeURIComponent('workspace/march/words.json')
  for (const [as, status] of [
    [people.bo, 404],
    [people.max, 403],
    [people.vera, 403],
  ] as const) {
    for (const what of ['cancel', 'resume', 'grade']) {
      expect(await statusOf('POST', `/api/evaluation-runs/${run.run_id}/${what}`, as)).toBe(status)
    }
    expect(await statusOf('DELETE', `/api/evaluation-runs/${run.run_id}`, as)).toBe(status)
    expect(await statusOf('POST', '/comparison/set_dir', as, { dir_name: 'workspace/march' })).toBe(status)
    expect(await statusOf('GET', `/eval/get_eval?filename=${session}`, as)).toBe(status)
    expect(await statusOf('GET', `/eval/pages?filename=${session}&from=0&count=1`, as)).toBe(status)
  }
  expect(await call('GET', '/api/evaluation-runs', undefined, people.bo)).toMatchObject({ runs: [] })
  expect(await call('GET', '/eval/list_evals', undefined, people.bo)).toEqual([])
  expect(await call('GET', '/comparison/get_dir_options', undefined, people.bo)).toEqual(['workspace'])
  // The operator's folder of the same name is another one.
  expect(await call('GET', '/comparison/get_dir_options')).toEqual(['workspace', 'workspace/march'])
  for (const name of [
    'workspace/',
    'workspace/../workspace/march',
    'workspace/march/',
    'workspace/march.json',
    'workspace/%',
  ])
    expect(await statusOf('POST', '/comparison/set_dir', people.ann, { dir_name: name })).toBe(404)
  for (const name of ['../march', 'a/b', '', '.hidden', 'a\u0000b', 'x'.repeat(81)])
    expect(await statusOf('POST', '/api/evaluation-runs', people.ann, { ...PLAN, name })).toBe(400)
})

test('a plan that cannot be run is refused with the reason', async () => {
  for (const [plan, field] of [
    [{ generators: ['gpt'] }, 'generators'],
    [{ generators: [] }, 'generators'],
    [{ from: '2027-01-01', to: '2027-01-31' }, 'from'],
    [{ from: '2026-03-14', to: '2026-03-01' }, 'to'],
    [{ from: '2026-02-30' }, 'from'],
    [{ days: 0 }, 'days'],
  ] as const) {
    for (const url of ['/api/evaluation-runs', '/api/evaluation-runs/estimate']) {
      const answer = await world.test.call('POST', url, { as: people.ann, payload: { ...PLAN, ...plan } })
      expect(answer.statusCode).toBe(400)
      expect(Object.keys(answer.json().fields)).toEqual([field])
    }
  }
})

const GONE: [string, () => Promise<unknown>][] = [
  ['an erased person', () => call('POST', '/api/erasure', { author: 'Jana Novak' })],
  [
    'an edited message',
    () =>
      world.owner.query(
        `update feedback_item set text = 'Never mind' where workspace_id = $1 and author = 'Jana Novak'`,
        [people.ann.workspaceId],
      ),
  ],
  [
    'a deleted message',
    () =>
      world.owner.query(`delete from feedback_item where workspace_id = $1 and author = 'Jana Novak'`, [
        people.ann.workspaceId,
      ]),
  ],
]
test.each(GONE)('the windows of %s are emptied, and nothing of the text stays', async (_what, remove) => {
  const run = await start({ days: 2 })
  await work(run)
  await grade(run)
  const before = await session('workspace/march/words.json')
  expect(await stored()).toContain('export to CSV')
  await world.enter(people.ann.workspaceId)
  await remove()
  const left = await stored()
  // Jana wrote these two, each week.
  expect(left).not.toMatch(/after 1000 rows|The invoice shows/)
  const after = await session('workspace/march/words.json')
  expect(after.response_evaluations).toHaveLength(before.response_evaluations.length)
  const emptied = after.response_evaluations.filter(({ notes }) => notes?.startsWith('Emptied'))
  expect(emptied.length).toBe((await runNow(run.run_id)).removed)
  expect(emptied.length).toBeGreaterThan(0)
  for (const page of emptied) expect(page).toMatchObject({ responses: [], issues: [], formatted_user_input: '' })
  const { comparisons } = await compared('workspace/march')
  expect(comparisons).toHaveLength(before.response_evaluations.length - emptied.length)
  // The run can go on.
  expect(await grade(run)).toMatchObject({ state: 'graded' })
})

test('an answer to a message that is erased meanwhile is not stored', async () => {
  const run = await start({ days: null })
  await world.enter(people.ann.workspaceId)
  await call('POST', '/api/erasure', { author: 'Jana Novak' })
  await work(run)
  expect(await runNow(run.run_id)).toMatchObject({ state: 'answered', done: 0, all: 0, removed: 1 })
})

test('a deleted run is gone, with the scores that people gave in it', async () => {
  const run = await start()
  await work(run)
  await grade(run)
  const score = {
    filename: 'workspace/march/words.json',
    page: 0,
    evaluator: 0,
    score: 0.5,
    reason: 'Too long',
    automatic: 1,
  }
  expect((await world.test.call('PUT', '/eval/scores', { as: people.ann, payload: score })).statusCode).toBe(200)
  expect(await call('DELETE', `/api/evaluation-runs/${run.run_id}`)).toEqual({ deleted: true })
  expect((await stored()).trim()).toBe('')
  await world.enter(people.ann.workspaceId)
  const { rows } = await world.owner.query('select 1 from eval_score where workspace_id = $1', [people.ann.workspaceId])
  expect(rows).toEqual([])
  expect(await statusOf('DELETE', `/api/evaluation-runs/${run.run_id}`, people.ann)).toBe(404)
})

// Last: from here on a worker takes the jobs of all runs.
test('a run is estimated, answered in the background, shown in Comparisons, graded and shown in Eval', async () => {
  expect(await call('GET', '/api/evaluation-runs/options')).toMatchObject({
    first_day: '2026-03-01',
    last_day: '2026-03-13',
  })
  expect(await call('GET', '/api/evaluation-runs/options', undefined, people.bo)).toMatchObject({
    first_day: null,
    last_day: null,
  })
  const estimate = await call('POST', '/api/evaluation-runs/estimate', PLAN)
  expect(estimate).toEqual({ messages: 12, windows: 2, answers: 2, made: 0, calls: 0, tokens: 0 })
  const run = await start()
  expect(run).toMatchObject({
    state: 'answering',
    done: 0,
    all: 2,
    directory: 'workspace/march',
    started_by: people.ann.name,
  })
  for (const worker of evaluationJobs(world.test.services)) await world.test.services.queue.work(worker)
  await expect.poll(async () => (await runNow(run.run_id)).state, { timeout: 30_000 }).toBe('answered')
  expect(await runNow(run.run_id)).toMatchObject({ done: 2, all: 2, reason: null, sessions: [] })

  expect(await call('GET', '/comparison/get_dir_options')).toContain('workspace/march')
  const { generators, comparisons } = await compared('workspace/march')
  expect(generators).toEqual(['words'])
  expect(comparisons).toHaveLength(2)
  expect(comparisons[0]?.formatted_user_input).toContain('Jana Novak: The export to CSV stops after 1000 rows')
  expect(comparisons[0]?.responses[0]?.length).toBeGreaterThan(0)

  await call('POST', `/api/evaluation-runs/${run.run_id}/grade`)
  await expect.poll(async () => (await runNow(run.run_id)).state, { timeout: 30_000 }).toBe('graded')
  expect((await runNow(run.run_id)).sessions).toEqual(['workspace/march/words.json'])
  expect(await call('GET', '/eval/list_evals')).toEqual(['workspace/march/words.json'])
  const { evaluators, response_evaluations: pages } = await session('workspace/march/words.json')
  expect(evaluators.map(({ unique_name }) => unique_name)).toContain('Stable over repeats')
  expect(pages).toHaveLength(2)
  expect(pages[0]?.rubrics_responses_evaluations[0]?.avg_score).toBe(1)
  const page = await call<{ total: number }>(
    'GET',
    `/eval/pages?filename=${encodeURIComponent('workspace/march/words.json')}&from=1&count=1`,
  )
  expect(page).toMatchObject({ total: 2, response_evaluations: [pages[1]] })
})
