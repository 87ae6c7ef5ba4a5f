import type { getComparisonUsage } from '@groundswell/contract/evaluation/comparisons.ts'
import type { ModelGenerator } from '@groundswell/contract/evaluation/runs.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { AskedModel, answerTo, gradesOf, respond } from '../testing.ts'
import { PLAN, RunsWorld } from './testing.ts'

const runs = new RunsWorld()
let model: AskedModel

const TOKENS_PER_DAY = 200_000
const asked: ModelGenerator = {
  label: 'prompted',
  method: 'single-prompt',
  llm_model_name: 'small-1',
  system_prompt: 'List the recurring issues.',
  temperature: 0.4,
  reasoning: 'low',
  verbosity: null,
  response_class: 'IssueWithQuotes',
}
const reading: ModelGenerator = { ...asked, label: 'read', method: 'read-group-review', system_prompt: null }
const plan = { generators: [], model_generators: [asked], send: true, repeats: 0 }
const directory = 'workspace/march'
const readData = (data: object): { messages: Record<string, unknown> } => data as never

beforeAll(async () => {
  model = await AskedModel.start()
  await runs.open({
    llm: { provider: 'openai-compatible', url: model.url, key: 'right', model: 'small', tokensPerDay: TOKENS_PER_DAY },
  })
})
afterAll(async () => {
  await runs.world.stop()
  await model.stop()
})
beforeEach(async () => {
  await runs.next()
  model.heard.length = 0
  model.script = ({ data }, response) => respond(response, answerTo(data))
})
afterEach(async () => {
  for (const table of ['model_trouble', 'model_budget']) await runs.world.owner.query(`delete from ${table}`)
})

const post = (url: string, payload: object) => runs.world.test.call('POST', url, { as: runs.people.ann, payload })
const usage = () => runs.call<ReplyOf<typeof getComparisonUsage>>('GET', '/comparison/usage')

test('where a model is set up it is offered, and what a run takes is said before anything is sent', async () => {
  expect(await runs.call('GET', '/api/evaluation-runs/options')).toMatchObject({
    model: { name: 'small', where: new URL(model.url).host },
    source_ids: ['letters'],
  })
  const estimate = await runs.call<Record<string, number>>('POST', '/api/evaluation-runs/estimate', {
    ...PLAN,
    ...plan,
    send: false,
    repeats: 1,
  })
  expect(estimate).toMatchObject({ messages: 12, windows: 2, answers: 2, made: 0, calls: 4 })
  expect(estimate['tokens']).toBeGreaterThan(4_000)
  expect(estimate['tokens_left']).toBe(TOKENS_PER_DAY / 2)
  expect(model.heard).toEqual([])
})

test('nothing is sent unless the person agrees', async () => {
  const refused = await post('/api/evaluation-runs', { ...PLAN, ...plan, send: false })
  expect([refused.statusCode, Object.keys(refused.json().fields)]).toEqual([400, ['send']])
  expect(await runs.call('GET', '/api/evaluation-runs')).toEqual({ runs: [] })
})

test('a single prompt answers each window with its settings, without authors, and says what it took', async () => {
  const run = await runs.start({ ...plan, generators: ['words'] })
  await runs.work(run)
  expect(await runs.now(run.run_id)).toMatchObject({ state: 'answered', done: 4, all: 4, tokens: 1_000, reason: null })
  expect(model.heard).toHaveLength(2)
  expect(model.heard[0]).toMatchObject({ model: 'small-1', temperature: 0.4, reasoning_effort: 'low' })
  expect(model.heard[0]?.system).toContain('List the recurring issues.')
  expect(JSON.stringify(model.heard)).not.toMatch(/Novak|Weber/)
  const { generators, comparisons } = await runs.compared(directory)
  expect(generators).toEqual(['prompted', 'words'])
  expect(comparisons[0]?.responses[0]).toEqual([
    { issue: 'Export stops', summary: 'It stops.', quotes: ['The export to CSV stops after 1000 rows'] },
  ])
  const [prompted, words] = (await usage()).generators
  expect(prompted).toMatchObject({ generator: 'prompted', answers: 2, calls: 2, tokens: 1_000 })
  expect(words).toMatchObject({ generator: 'words', answers: 2, calls: 0, tokens: 0 })
  expect(words?.seconds).toBeGreaterThan(0)
})

test('read, group, review reads each message, as the product does', async () => {
  model.script = ({ data }, response) => {
    if ('insights' in data) return respond(response, { reviews: [] })
    const readings = Object.entries(readData(data).messages).map(([id, text]) =>
      /invoice/i.test(JSON.stringify(text)) ? `${id} problem: Wrong address on invoice` : `${id} problem: Export stops`,
    )
    respond(response, { readings })
  }
  const run = await runs.start({ ...plan, model_generators: [reading] })
  await runs.work(run)
  expect(await runs.now(run.run_id)).toMatchObject({ state: 'answered', done: 2, reason: null })
  const { comparisons } = await runs.compared(directory)
  expect(comparisons[0]?.responses[0]?.length).toBeGreaterThan(0)
})

test('a run that was killed resumes: no answer is asked for twice, and a later run takes them from it', async () => {
  const run = await runs.start(plan)
  await runs.work(run, { steps: 1 })
  expect(model.heard).toHaveLength(1)
  const ended = new AbortController()
  model.script = () => ended.abort(new Error('killed'))
  await expect(runs.work(run, { signal: ended.signal })).rejects.toThrow('killed')
  model.script = ({ data }, response) => respond(response, answerTo(data))
  await runs.work(run)
  expect([model.heard.length, (await runs.now(run.run_id)).state]).toEqual([3, 'answered'])
  const again = await runs.start({ ...plan, name: 'again' })
  await runs.work(again)
  expect(await runs.now(again.run_id)).toMatchObject({ state: 'answered', done: 2, tokens: 0 })
  expect(model.heard).toHaveLength(3)
})

test('a cancelled run makes no further call, also within one window', async () => {
  const run = await runs.start({ ...plan, repeats: 3 })
  model.script = ({ data }, response) =>
    void runs.call('POST', `/api/evaluation-runs/${run.run_id}/cancel`).then(() => respond(response, answerTo(data)))
  await runs.work(run)
  expect([model.heard.length, await runs.now(run.run_id)]).toEqual([
    1,
    expect.objectContaining({ state: 'cancelled', done: 0 }),
  ])
})

test('a reply in another form is asked for again, then that answer fails, others are made, and resuming tries it again', async () => {
  let isBroken = true
  model.script = ({ data }, response) =>
    isBroken && model.heard.length <= 2 ? respond(response, 'no JSON') : respond(response, answerTo(data))
  const run = await runs.start(plan)
  await runs.work(run)
  const failed = await runs.now(run.run_id)
  expect(failed).toMatchObject({ state: 'failed', done: 1, all: 2, tokens: 1_500 })
  expect(failed.reason).toBe('1 answer failed. The last one: The reply is not in the requested form, twice.')
  expect((await runs.grade(run)).state).toBe('graded')
  const { response_evaluations: pages } = await runs.session('workspace/march/prompted.json')
  expect(pages[0]).toMatchObject({
    notes: 'Not answered. The reply is not in the requested form, twice.',
    responses: [],
  })
  await runs.world.owner.query(`update evaluation_run set state = 'failed' where id = $1`, [run.run_id])
  isBroken = false
  await runs.call('POST', `/api/evaluation-runs/${run.run_id}/resume`)
  await runs.work(run)
  expect(await runs.now(run.run_id)).toMatchObject({ state: 'answered', done: 2, reason: null })
  expect(model.heard).toHaveLength(4)
})

test('it ends before the day’s budget is exceeded, with the reason, and can be resumed', async () => {
  model.script = ({ data }, response) => respond(response, answerTo(data), TOKENS_PER_DAY / 2 - 5_000)
  const run = await runs.start(plan)
  await runs.work(run)
  const stopped = await runs.now(run.run_id)
  expect(stopped).toMatchObject({ state: 'failed', done: 1 })
  expect(stopped.reason).toContain('token budget for evaluation is used up')
  expect(model.heard).toHaveLength(1)
  const { rows } = await runs.world.owner.query(
    'select sum(tokens)::int as tokens from model_day where workspace_id = $1',
    [runs.people.ann.workspaceId],
  )
  expect(rows[0]).toEqual({ tokens: TOKENS_PER_DAY / 2 - 5_000 })
})

test('a model that cannot be reached is tried again by the queue, and at last ends the run with the reason', async () => {
  model.script = (_heard, response) => void response.writeHead(503).end()
  const run = await runs.start(plan)
  await expect(runs.work(run, { lastAttempt: false })).rejects.toMatchObject({ kind: 'unavailable' })
  expect((await runs.now(run.run_id)).state).toBe('answering')
  await runs.work(run)
  const { state, reason } = await runs.now(run.run_id)
  expect([state, reason]).toEqual(['failed', expect.stringContaining('503')])
})

test.each([
  ['no prompt', { ...asked, system_prompt: null }, 'model_generators'],
  ['a prompt of its own for the product’s way', { ...reading, system_prompt: 'x' }, 'model_generators'],
  ['an unknown class', { ...asked, response_class: 'Story' }, 'model_generators.0.response_class'],
  ['a temperature of 3', { ...asked, temperature: 3 }, 'model_generators.0.temperature'],
  ['another field', { ...asked, top_p: 1 }, 'model_generators.0'],
])('a generator with %s is refused', async (_what, one, field) => {
  const refused = await post('/api/evaluation-runs', { ...PLAN, ...plan, model_generators: [one] })
  expect([refused.statusCode, Object.keys(refused.json().fields)]).toEqual([400, [field]])
})

test('two judges grade with reasons and repeats, and the session has their agreement; a second grading pays again only for others', async () => {
  const run = await runs.start({ ...plan, model_generators: [], generators: ['words'] })
  await runs.work(run)
  model.script = ({ data, model: name }, response) =>
    respond(
      response,
      gradesOf(data, (_response, rubric) => (rubric === 0 ? 'yes' : name === 'strict' ? 'no' : 'partly')),
    )
  const grading = { judges: ['small', 'strict'], repeats: 2, send: true }
  const url = `/api/evaluation-runs/${run.run_id}/grade`
  const estimate = await runs.call<Record<string, number>>('POST', `${url}/estimate`, grading)
  expect(estimate).toMatchObject({ answers: 2, calls: 8, tokens_left: TOKENS_PER_DAY / 2 })
  expect(model.heard).toEqual([])
  expect((await post(url, { ...grading, send: false })).json().fields).toHaveProperty('send')
  expect((await post(url, { ...grading, judges: ['small', 'small'] })).json().fields).toHaveProperty('judges')

  expect(await runs.grade(run, grading)).toMatchObject({ state: 'graded', judges: ['small', 'strict'], tokens: 4_000 })
  expect(model.heard).toHaveLength(8)
  const session = await runs.session('workspace/march/words.json')
  expect(session.evaluators.map(({ unique_name }) => unique_name).slice(-2)).toEqual(['Judge: small', 'Judge: strict'])
  const judged = session.response_evaluations[0]?.rubrics_responses_evaluations.at(-1)
  expect(judged?.rubric_response_evaluations?.[0]?.graded_rubrics?.[1]).toMatchObject({
    score: 0,
    reason: 'It says so',
    grades: 'no, no',
    variance: 0,
  })
  expect(session['agreement']).toMatchObject({ judges: ['small', 'strict'], items: expect.any(Number) })

  // Interrupted: only what is missing is asked for.
  await runs.call('POST', url, { ...grading, repeats: 1 })
  await runs.work(run, { steps: 1 })
  await runs.call('POST', `/api/evaluation-runs/${run.run_id}/cancel`)
  const before = model.heard.length
  expect((await runs.grade(run, { ...grading, repeats: 1 })).state).toBe('graded')
  expect(model.heard.length - before).toBe(2)
})

test('replies of a judge that cannot be used are no score, and the page says so', async () => {
  const run = await runs.start({ ...plan, model_generators: [], generators: ['words'] })
  await runs.work(run)
  model.script = (_heard, response) => respond(response, 'no JSON')
  expect((await runs.grade(run, { judges: ['small'], send: true })).state).toBe('graded')
  const [page] = (await runs.session('workspace/march/words.json')).response_evaluations
  expect(page?.issues).toContain('1 of 1 replies of the judge could not be used')
  expect(page?.rubrics_responses_evaluations.at(-1)?.avg_score).toBeNull()
})
