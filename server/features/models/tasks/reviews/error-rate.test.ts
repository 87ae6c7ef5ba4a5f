import type { ServerResponse } from 'node:http'
import type { ReadingState } from '@groundswell/contract/feedback/reading.ts'
import type { LanguageModel } from '@groundswell/contract/models/language-model.ts'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { seeded } from '../../../../faults/random.ts'
import { believingServer } from '../../../../platform/http/testing.ts'
import { estimateRoutes, readingRoutes } from '../../index.ts'
import { type ReceivedRequest, respond, world } from '../../testing.ts'
import { EXPORTS, exports, LOGINS, logins, receivedAll, review, reviewing, STRANGER, withReviews } from './testing.ts'

type Script = (heard: ReceivedRequest, response: ServerResponse) => void
type Received = ReturnType<typeof receivedAll>[number]

withReviews()

/** Insights of exports that were not grouped; with one of the workspace, and one about signing on, that makes 32 to review. */
const MORE = 30
const ALL = MORE + 2
beforeEach(async () => {
  const { workspaceId } = review.company
  const signOns = [...LOGINS, ...LOGINS.map((text) => `${text} today`)]
  await world.insight(workspaceId, 999, signOns, { name: 'Sign-on' })
  for (let at = 0; at < MORE; at++) {
    const exported = EXPORTS.map((text) => `${text}, report ${at}`)
    await world.insight(workspaceId, 100 + at, exported, { name: `Export ${at}` })
  }
  await world.inside(workspaceId, (tx) =>
    sql`update insight set locked = true where issue_number = ${logins}`.execute(tx),
  )
  await review.choose({ reviews: true })
})

/** Has the model review until it is asked nothing more. Returns how many insights it was asked about; `moved`: mentions that it may move. */
async function play(script: Script, name = 'small'): Promise<{ asked: number; moved: number }> {
  review.model.script = script
  review.model.heard.length = 0
  let moved = 0
  // Reviews wait while the next grouping has moves to carry out; here there is none.
  while ((await review.run({ name })) > 0)
    moved += await world.inside(review.company.workspaceId, async (tx) => {
      const { rows } = await sql`delete from model_move where state = 'waiting' returning 1`.execute(tx)
      return rows.length
    })
  return { asked: review.model.heard.flatMap(receivedAll).length, moved }
}

/** What the API says, to a server with this model. */
async function say(name = 'small', put?: object): Promise<ReadingState> {
  const services = world.otherProcess()
  services.config = { ...services.config, llm: world.settings(review.model, { model: name }) }
  const app = await believingServer(services, readingRoutes(services))
  const headers = { authorization: `Bearer ${review.company.workspaceId}` }
  const how = put ? { method: 'PUT' as const, payload: put } : { method: 'GET' as const }
  const reply = await app.inject({ url: '/api/reading', headers, ...how })
  await app.close()
  return reply.json<ReadingState>()
}

/** A model that says this about each insight. */
const saying =
  (say: (one: Received, at: number) => { strangers?: string[]; same?: string[] }): Script =>
  (heard: ReceivedRequest, response: ServerResponse) =>
    respond(response, {
      reviews: receivedAll(heard).map((one, at) => {
        const { strangers = [], same = [] } = say(one, at)
        return { id: one.id, strangers, same, name: '', summary: '', said: [] }
      }),
    })
const line = ({ id, text }: { id: string; text: string }) => `${id}: ${text.slice(0, 20).trim()}`

const random = seeded(7)
const right = reviewing(() => false)
/** Controls are found as by a good model, and half of the others taken for strangers. */
const halfOfAll = reviewing(() => random() < 0.45)

describe('reviews stop, and nothing more is carried out, when the model', () => {
  test.each<[string, Script]>([
    ['answers at random', saying(({ messages }) => ({ strangers: messages.filter(() => random() < 0.4).map(line) }))],
    [
      'seldom finds a stranger',
      saying(({ messages }) => ({ strangers: messages.filter(() => random() < 0.1).map(line) })),
    ],
    ['obeys a message that calls everything else a stranger', reviewing((text) => !text.includes('fails every time'))],
    ['obeys a message that calls all exports strangers', reviewing((text) => /csv/i.test(text))],
    [
      'obeys a message that has all insights merged',
      reviewing(() => false, { same: ({ others }) => others.map(({ id }) => id) }),
    ],
    ['repeats what a message orders', (_heard, response) => respond(response, 'HACKED')],
    ['finds no strangers', saying(() => ({}))],
    ['finds the controls, and takes any other for a stranger', halfOfAll],
  ])('%s', async (_what, script) => {
    await play(script)
    expect(await review.moves()).toEqual([])
    expect([await review.due(), await review.run()]).toEqual([false, 0])
    const { reviews, reviews_stopped: stopped, review_errors: errors } = await say()
    expect([reviews, stopped, (errors?.rate ?? 0) >= 0.15]).toEqual([true, true, true])
    expect(errors?.asked).toBeLessThan(ALL)
  })
})

test('a model that is right is asked about all, and its errors are counted', async () => {
  expect(await play(right)).toEqual({ asked: ALL, moved: 0 })
  expect(await say()).toMatchObject({
    reviews_stopped: false,
    review_errors: { asked: ALL, wrong: 0, rate: 1 / (ALL + 20) },
  })
})

test('a model that errs now and then goes on', async () => {
  let count = 0
  const { asked } = await play((heard, response) => {
    const rest = receivedAll(heard)
    count += rest.length
    // One of each call, of five insights, in every second call.
    if (count % 10 === 0) saying((one, at) => (at === 0 ? {} : { strangers: goodOf(one) }))(heard, response)
    else right(heard, response)
  })
  expect(asked).toBe(ALL)
  expect(await say()).toMatchObject({ reviews_stopped: false, review_errors: { asked: ALL, wrong: 3 } })
})

/** The lines about the controls of an insight. */
function goodOf({ name, messages }: Received): string[] {
  const isExport = /export/i.test(name)
  return messages.filter(({ text }) => /export/i.test(text) !== isExport).map(line)
}

test('what waits for the next grouping is withdrawn', async () => {
  let calls = 0
  review.model.script = (heard, response) =>
    calls++ === 0 ? reviewing((text) => text === STRANGER)(heard, response) : saying(() => ({}))(heard, response)
  expect(await review.run()).toBe(2)
  expect(await say()).toMatchObject({ reviews_stopped: true, review_errors: { asked: 10, wrong: 5, rate: 0.2 } })
  await review.company.group()
  expect([await review.moves(), await review.events()]).toEqual([[], []])
  expect(await review.issueOf('stranger')).toBe(exports)
})

test('what one reply says about other insights is not carried out when it is wrong about too many', async () => {
  let calls = 0
  review.model.script = (heard, response) =>
    calls++ === 0
      ? saying((one) =>
          one.messages.some(({ text }) => text === STRANGER)
            ? {
                strangers: [
                  ...goodOf(one),
                  line({ id: one.messages.find(({ text }) => text === STRANGER)?.id ?? '', text: STRANGER }),
                ],
              }
            : {},
        )(heard, response)
      : right(heard, response)
  await review.run()
  expect(await say()).toMatchObject({ reviews_stopped: true, review_errors: { asked: 10, wrong: 4 } })
  expect(await review.moves()).toEqual([])
})

describe('reviews that have stopped', () => {
  beforeEach(() => play(saying(() => ({}))))

  test('go on with another model, whose errors are counted alone', async () => {
    expect(await say()).toMatchObject({ reviews_stopped: true })
    expect(await say('another')).toMatchObject({ reviews_stopped: false, review_errors: { asked: 0, wrong: 0 } })
    expect(await play(right, 'another')).toMatchObject({ asked: ALL })
    expect(await say('another')).toMatchObject({ reviews_stopped: false, review_errors: { asked: ALL, wrong: 0 } })
  })

  test('go on when an owner switches them on again, which measures the model from zero', async () => {
    expect(await say('small', { scope: 'new' })).toMatchObject({ reviews_stopped: true })
    expect(await say('small', { scope: 'new', reviews: true })).toMatchObject({
      reviews_stopped: false,
      review_errors: { asked: 0, wrong: 0 },
    })
    expect(await review.due()).toBe(true)
    const { asked } = await play(right)
    expect(asked).toBeGreaterThan(MORE / 2)
    expect(await say()).toMatchObject({ reviews_stopped: false, review_errors: { asked, wrong: 0 } })
  })

  test('are no concern of those that have switched reviews off, nor of another workspace', async () => {
    expect((await say('small', { scope: 'new', reviews: false })).reviews_stopped).toBe(false)
    const other = await world.workspace()
    await world.insight(other, 1, EXPORTS)
    const services = world.otherProcess()
    services.config = { ...services.config, llm: world.settings(review.model) }
    const app = await believingServer(services, [...readingRoutes(services), ...estimateRoutes(services)])
    const headers = { authorization: `Bearer ${other}` }
    const reading = await app.inject({ method: 'GET', url: '/api/reading', headers })
    expect(reading.json<ReadingState>()).toMatchObject({ review_errors: { asked: 0, wrong: 0, rate: 0.05 } })
    const model = await app.inject({ method: 'GET', url: '/api/language-model', headers })
    expect(model.json<LanguageModel>().judge_errors).toEqual({ asked: 0, wrong: 0, rate: 0.05 })
    await app.close()
  })
})
