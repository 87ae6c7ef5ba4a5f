import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { People, TeamWorld } from '../../../testing.ts'
import { expireFeedback } from '../../feedback/index.ts'
import { evaluationJobs } from './run-job.ts'
import { PLAN, RunsWorld } from './testing.ts'

const runs = new RunsWorld()
let world: TeamWorld
let people: People

beforeAll(async () => {
  await runs.open()
  world = runs.world
})
afterAll(() => world.stop())
beforeEach(async () => {
  await runs.next()
  people = runs.people
})

test('no answer is made twice', async () => {
  await runs.work(await runs.start())
  expect(await runs.call('POST', '/api/evaluation-runs/estimate', { ...PLAN, name: 'again' })).toMatchObject({
    answers: 2,
    made: 2,
  })
  expect(await runs.call('POST', '/api/evaluation-runs/estimate', { ...PLAN, repeats: 0 })).toMatchObject({
    answers: 2,
    made: 0,
  })
  expect(await runs.statusOf('POST', '/api/evaluation-runs', people.ann, PLAN)).toBe(409)
})

test('a run goes on after a kill, and can be cancelled and resumed', async () => {
  const run = await runs.start()
  await runs.work(run, { steps: 1 })
  const made = `select window_number, xmin::text from evaluation_answer where workspace_id = $1 order by 1`
  const first = (await world.owner.query(made, [people.ann.workspaceId])).rows
  expect(first).toHaveLength(1)
  expect(await runs.call('POST', `/api/evaluation-runs/${run.run_id}/cancel`)).toMatchObject({
    state: 'cancelled',
    done: 1,
    all: 2,
  })
  await runs.work(run)
  expect(await runs.now(run.run_id)).toMatchObject({ state: 'cancelled', done: 1 })
  expect(await runs.call('POST', `/api/evaluation-runs/${run.run_id}/resume`)).toMatchObject({ state: 'answering' })
  await runs.work(run)
  expect(await runs.now(run.run_id)).toMatchObject({ state: 'answered', done: 2 })
  expect((await world.owner.query(made, [people.ann.workspaceId])).rows[0]).toEqual(first[0])
})

test('grading can be cancelled, and needs answers', async () => {
  const run = await runs.start()
  const url = `/api/evaluation-runs/${run.run_id}`
  expect(await runs.statusOf('POST', `${url}/grade`, people.ann)).toBe(409)
  await runs.call('POST', `${url}/cancel`)
  expect(await runs.statusOf('POST', `${url}/grade`, people.ann)).toBe(409)
  await runs.call('POST', `${url}/resume`)
  await runs.work(run)
  await runs.call('POST', `${url}/grade`)
  expect(await runs.call('POST', `${url}/cancel`)).toMatchObject({
    state: 'answered',
    reason: 'Grading was cancelled.',
  })
  expect(await runs.call('GET', '/eval/list_evals')).toEqual([])
  expect(await runs.grade(run)).toMatchObject({ state: 'graded', done: 2, all: 2, reason: null })
})

test('only admins of the workspace have it, and its names lead to no file', async () => {
  const folder = path.join(world.test.services.config.dataDir, 'comparisons', 'workspace')
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, 'march.json'), '[]')
  const run = await runs.start()
  await runs.work(run)
  await runs.grade(run)
  const session = encodeURIComponent('workspace/march/words.json')
  for (const [as, status] of [
    [people.bo, 404],
    [people.max, 403],
    [people.vera, 403],
  ] as const) {
    for (const what of ['cancel', 'resume', 'grade']) {
      expect(await runs.statusOf('POST', `/api/evaluation-runs/${run.run_id}/${what}`, as)).toBe(status)
    }
    expect(await runs.statusOf('DELETE', `/api/evaluation-runs/${run.run_id}`, as)).toBe(status)
    expect(await runs.statusOf('POST', '/comparison/set_dir', as, { dir_name: 'workspace/march' })).toBe(status)
    expect(await runs.statusOf('GET', `/eval/get_eval?filename=${session}`, as)).toBe(status)
    expect(await runs.statusOf('GET', `/eval/pages?filename=${session}&from=0&count=1`, as)).toBe(status)
  }
  expect(await runs.call('GET', '/api/evaluation-runs', undefined, people.bo)).toMatchObject({ runs: [] })
  expect(await runs.call('GET', '/eval/list_evals', undefined, people.bo)).toEqual([])
  expect(await runs.call('GET', '/comparison/get_dir_options', undefined, people.bo)).toEqual(['workspace'])
  // The operator's folder of the same name is another one.
  expect(await runs.call('GET', '/comparison/get_dir_options')).toEqual(['workspace', 'workspace/march'])
  for (const name of [
    'workspace/',
    'workspace/../workspace/march',
    'workspace/march/',
    'workspace/march.json',
    'workspace/%',
  ])
    expect(await runs.statusOf('POST', '/comparison/set_dir', people.ann, { dir_name: name })).toBe(404)
  for (const name of ['../march', 'a/b', '', '.hidden', 'a\u0000b', 'x'.repeat(81)])
    expect(await runs.statusOf('POST', '/api/evaluation-runs', people.ann, { ...PLAN, name })).toBe(400)
})

const MODEL = {
  label: null,
  method: 'read-group-review',
  llm_model_name: 'small',
  system_prompt: null,
  temperature: null,
  reasoning: null,
  verbosity: null,
  response_class: 'Issue',
}
test('a plan that cannot be run is refused with the reason', async () => {
  for (const [plan, field] of [
    [{ generators: ['gpt'] }, 'generators'],
    [{ generators: [] }, 'generators'],
    [{ from: '2027-01-01', to: '2027-01-31' }, 'from'],
    [{ from: '2026-03-14', to: '2026-03-01' }, 'to'],
    [{ from: '2026-02-30' }, 'from'],
    [{ days: 0 }, 'days'],
    [{ source_ids: ['nowhere'] }, 'source_ids'],
    [{ model_generators: [MODEL] }, 'model_generators'],
  ] as const) {
    for (const url of ['/api/evaluation-runs', '/api/evaluation-runs/estimate']) {
      const answer = await world.test.call('POST', url, { as: people.ann, payload: { ...PLAN, ...plan } })
      expect(answer.statusCode).toBe(400)
      expect(Object.keys(answer.json().fields)).toEqual([field])
    }
  }
})

test('a window has the messages of one source, or of all, or of those that were chosen', async () => {
  await runs.giveFeedback('tickets')
  const windows = async (plan: object) =>
    (await runs.call<{ windows: number }>('POST', '/api/evaluation-runs/estimate', { ...PLAN, ...plan })).windows
  expect(await windows({})).toBe(4)
  expect(await windows({ source_ids: ['tickets'] })).toBe(2)
  expect(await windows({ sources: 'together' })).toBe(2)
  const run = await runs.start({ sources: 'together' })
  await runs.work(run)
  const { comparisons } = await runs.compared('workspace/march')
  expect(await runs.call('GET', '/comparison/get_input_options')).toEqual({ source_ids: ['All sources'] })
  expect(comparisons.map(({ formatted_user_input: said }) => said.split('\n').length)).toEqual([12, 12])
  expect(await runs.call('POST', '/api/evaluation-runs/estimate', { ...PLAN, sources: 'together' })).toMatchObject({
    made: 2,
  })
})

const GONE: [string, () => Promise<unknown>][] = [
  ['an erased person', () => runs.call('POST', '/api/erasure', { author: 'Jana Novak' })],
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
  [
    'messages past the retention',
    async () => {
      await world.owner.query(
        `update feedback_item set said_at = '2025-03-01' where workspace_id = $1 and author = 'Jana Novak'`,
        [people.ann.workspaceId],
      )
      const payload = { days: 365, sources: [] }
      expect((await world.test.call('PUT', '/api/retention', { as: people.ann, payload })).statusCode).toBe(200)
      await expireFeedback(world.test.services, { stored: async () => undefined })
    },
  ],
]
test.each(GONE)('the windows of %s are emptied, and nothing of the text stays', async (_what, remove) => {
  const run = await runs.start({ days: 2 })
  await runs.work(run)
  await runs.grade(run)
  const before = await runs.session('workspace/march/words.json')
  expect(await runs.stored()).toContain('export to CSV')
  await world.enter(people.ann.workspaceId)
  await remove()
  const left = await runs.stored()
  // Jana wrote these two, each week.
  expect(left).not.toMatch(/after 1000 rows|The invoice shows/)
  const after = await runs.session('workspace/march/words.json')
  expect(after.response_evaluations).toHaveLength(before.response_evaluations.length)
  const emptied = after.response_evaluations.filter(({ notes }) => notes?.startsWith('Emptied'))
  expect(emptied.length).toBe((await runs.now(run.run_id)).removed)
  expect(emptied.length).toBeGreaterThan(0)
  for (const page of emptied) expect(page).toMatchObject({ responses: [], issues: [], formatted_user_input: '' })
  const { comparisons } = await runs.compared('workspace/march')
  expect(comparisons).toHaveLength(before.response_evaluations.length - emptied.length)
  // The run can go on.
  expect(await runs.grade(run)).toMatchObject({ state: 'graded' })
})

test('an answer to a message that is erased meanwhile is not stored', async () => {
  const run = await runs.start({ days: null })
  await world.enter(people.ann.workspaceId)
  await runs.call('POST', '/api/erasure', { author: 'Jana Novak' })
  await runs.work(run)
  expect(await runs.now(run.run_id)).toMatchObject({ state: 'answered', done: 0, all: 0, removed: 1 })
})

test('a deleted run is gone, with the scores that people gave in it', async () => {
  const run = await runs.start()
  await runs.work(run)
  await runs.grade(run)
  const score = {
    filename: 'workspace/march/words.json',
    page: 0,
    evaluator: 0,
    score: 0.5,
    reason: 'Too long',
    automatic: 1,
  }
  expect((await world.test.call('PUT', '/eval/scores', { as: people.ann, payload: score })).statusCode).toBe(200)
  expect(await runs.call('DELETE', `/api/evaluation-runs/${run.run_id}`)).toEqual({ deleted: true })
  expect((await runs.stored()).trim()).toBe('')
  await world.enter(people.ann.workspaceId)
  const { rows } = await world.owner.query('select 1 from eval_score where workspace_id = $1', [people.ann.workspaceId])
  expect(rows).toEqual([])
  expect(await runs.statusOf('DELETE', `/api/evaluation-runs/${run.run_id}`, people.ann)).toBe(404)
})

// Last: from here on a worker takes the jobs of all runs.
test('a run is estimated, answered in the background, shown in Comparisons, graded and shown in Eval', async () => {
  expect(await runs.call('GET', '/api/evaluation-runs/options')).toMatchObject({
    first_day: '2026-03-01',
    last_day: '2026-03-13',
  })
  expect(await runs.call('GET', '/api/evaluation-runs/options', undefined, people.bo)).toMatchObject({
    first_day: null,
    last_day: null,
  })
  const estimate = await runs.call('POST', '/api/evaluation-runs/estimate', PLAN)
  expect(estimate).toEqual({ messages: 12, windows: 2, answers: 2, made: 0, calls: 0, tokens: 0, tokens_left: null })
  const run = await runs.start()
  expect(run).toMatchObject({
    state: 'answering',
    done: 0,
    all: 2,
    directory: 'workspace/march',
    started_by: people.ann.name,
  })
  for (const worker of evaluationJobs(world.test.services)) await world.test.services.queue.work(worker)
  await expect.poll(async () => (await runs.now(run.run_id)).state, { timeout: 30_000 }).toBe('answered')
  expect(await runs.now(run.run_id)).toMatchObject({ done: 2, all: 2, reason: null, sessions: [] })

  expect(await runs.call('GET', '/comparison/get_dir_options')).toContain('workspace/march')
  const { generators, comparisons } = await runs.compared('workspace/march')
  expect(generators).toEqual(['words'])
  expect(comparisons).toHaveLength(2)
  expect(comparisons[0]?.formatted_user_input).toContain('Jana Novak: The export to CSV stops after 1000 rows')
  expect(comparisons[0]?.responses[0]?.length).toBeGreaterThan(0)
  expect(await runs.call('GET', '/comparison/pages?from=1&count=5')).toEqual({
    total: 2,
    generators,
    comparisons: comparisons.slice(1),
  })

  await runs.call('POST', `/api/evaluation-runs/${run.run_id}/grade`)
  await expect.poll(async () => (await runs.now(run.run_id)).state, { timeout: 30_000 }).toBe('graded')
  expect((await runs.now(run.run_id)).sessions).toEqual(['workspace/march/words.json'])
  expect(await runs.call('GET', '/eval/list_evals')).toEqual(['workspace/march/words.json'])
  const { evaluators, response_evaluations: pages } = await runs.session('workspace/march/words.json')
  expect(evaluators.map(({ unique_name }) => unique_name)).toContain('Stable over repeats')
  expect(pages).toHaveLength(2)
  expect(pages[0]?.rubrics_responses_evaluations[0]?.avg_score).toBe(1)
  const page = await runs.call<{ total: number }>(
    'GET',
    `/eval/pages?filename=${encodeURIComponent('workspace/march/words.json')}&from=1&count=1`,
  )
  expect(page).toMatchObject({ total: 2, response_evaluations: [pages[1]] })
})
