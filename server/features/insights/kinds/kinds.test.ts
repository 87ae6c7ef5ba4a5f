import { AsyncLocalStorage } from 'node:async_hooks'
import { FeedbackKind } from '@groundswell/contract/feedback/feedback-kind.ts'
import { KINDS } from '@groundswell/engine/index.ts'
import { type KyselyPlugin, sql } from 'kysely'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { fileConnection } from '../../connections/index.ts'
import { storeItems } from '../../feedback/index.ts'
import { GroupingClient } from '../grouping/client.ts'
import { readKindWork } from '../grouping/kind-work.ts'
import { noLateWork } from '../grouping/late-vectors.ts'
import { forgetGroups, groupNow } from '../grouping/run.ts'
import { type Message, withWorld, world } from '../testing.ts'

let workspace: string
withWorld()
beforeEach(async () => {
  workspace = await world.workspace()
})

type Row = { id: string; text: string; kind: string | null; by: string | null; issue: number | null; place: string }
async function statements(id = workspace): Promise<Row[]> {
  const { rows } = await world.inside(id, (tx) =>
    sql<Row>`
      select item.external_id as id, item.text, s.feedback_kind as kind, s.kind_by as by, s.issue_number as issue,
        item.id || ':' || s.number as place
      from statement s join feedback_item item on item.id = s.item_id order by item.external_id, s.number`.execute(tx),
  )
  return rows
}
const of = async (id: string) => (await statements()).find((row) => row.id === id) as Row

const said = (id: string, ...texts: string[]): Message[] =>
  texts.map((text, n) => ({ id: `${id}${n}`, text, author: `${id} ${n}` }))

const FAULTS = said(
  'fault',
  'The CSV export fails after a thousand rows',
  'CSV export fails after the first thousand rows!',
  'Bug: the CSV export fails after a thousand rows',
  'The CSV export fails after one thousand rows again',
)
const PRAISE = said(
  'praise',
  'Great app, I love it!',
  'Great app, love it',
  'I love this great app!',
  'Great app. Love it!!',
)
/** Long enough that a message of two is read as two statements. */
const LONG = {
  export: `The CSV export fails after a thousand rows. We tried it with several reports, in two browsers, with and without filters, and every
    time the downloaded file simply ends in the middle of a line, so that our accountants cannot use it for the report that is due. Please look into this as soon as you can, we are waiting.`,
  dark: `Please add a dark mode for the calendar view. Our team works in shifts, half of them at night, and the white background of the
    calendar is so bright in a dark room that people turn the brightness of the whole screen down. A simple switch would do for now, on the web page or in the app on our phones.`,
  invoice: `The invoice shows a wrong tax number. It is the number of our former company, which we have changed in the settings long ago, and
    support told us twice that the next invoice would be right, which it never was, so that our accountants refuse to pay any of those that came since the first of March.`,
}
const TALK = said('talk', 'thx a lot!', 'Thank you, have a nice day')
const ASKED = said('ask', 'How do I change my password?')

/** Sets the kind of a mention, and groups what that calls for. */
async function correct(mention: string, kind: string | null) {
  const reply = await world.call(workspace, 'PUT', '/api/feedback-kind', {}, { mention, kind })
  if (reply.status === 200) await groupNow(world.services, workspace)
  return reply
}

/** The stored counts of kinds are those of the statements. */
async function expectCountsToAgree(): Promise<void> {
  const { rows } = await world.inside(workspace, (tx) =>
    sql`
      with counted as (
        select kind_group(kind, issue_number) as number, counted_kind(feedback_kind, issue_number, reason) as kind, count(*)::int as n
        from statement where feedback_kind is not null group by 1, 2
      ), kept as (
        select issue_number as number, kind, sum(mentions)::int as n from (
          select issue_number, kind, mentions from kind_count union all select issue_number, kind, mentions from kind_change
        ) noted group by 1, 2 having sum(mentions) <> 0
      )
      select * from counted full join kept using (number, kind) where counted.n is distinct from kept.n`.execute(tx),
  )
  expect(rows).toEqual([])
}

test('the contract has the kinds of the engine', () => {
  expect(FeedbackKind.options).toEqual(KINDS)
})

test('every statement gets its kind, and praise and small talk form no insight', async () => {
  await world.store(workspace, [
    ...FAULTS,
    ...PRAISE,
    ...TALK,
    ...ASKED,
    { id: 'other', text: 'Приложение не открывается' },
  ])
  await groupNow(world.services, workspace)
  const rows = await statements()
  const kinds = (start: string) => [...new Set(rows.filter(({ id }) => id.startsWith(start)).map(({ kind }) => kind))]
  expect(kinds('fault')).toEqual(['problem'])
  expect(kinds('praise')).toEqual(['praise'])
  expect(kinds('talk')).toEqual(['small talk'])
  expect(kinds('ask')).toEqual(['question'])
  expect(await of('other')).toMatchObject({ kind: null, by: 'language' })
  expect(new Set(rows.filter(({ id }) => id.startsWith('fault')).map(({ issue }) => issue))).toEqual(new Set([1]))
  expect(
    rows.filter(({ id }) => id.startsWith('praise') || id.startsWith('talk')).every(({ issue }) => issue === null),
  ).toBe(true)
  await expectCountsToAgree()
})

test('mentions tell their kind, insights the kind of most of their mentions, and both their counts', async () => {
  await world.store(workspace, [...FAULTS, ...PRAISE, ...TALK, ...ASKED])
  await groupNow(world.services, workspace)
  const { body: list } = await world.call(workspace, 'GET', '/api/insights/get-all')
  expect(list).toMatchObject([{ main_kind: 'problem', evidence: [{ kind: 'problem' }, {}, {}, {}] }])
  const { body: detail } = await world.call(workspace, 'GET', '/api/insights/1/detail')
  expect(detail).toMatchObject({ kinds: [{ kind: 'problem', count: 4 }] })
  const { body: rest } = await world.call(workspace, 'GET', '/api/ungrouped')
  expect(rest).toMatchObject({
    total: 5,
    kinds: [
      { kind: 'question', count: 1 },
      { kind: 'praise', count: 4 },
    ],
  })
  const { body: all } = await world.call(workspace, 'GET', '/api/ungrouped?courtesies=true')
  expect(all).toMatchObject({ kinds: [{}, {}, { kind: 'small talk', count: 2 }] })
  const { body: praise } = await world.call(workspace, 'GET', '/api/ungrouped?kind=praise&limit=3')
  expect(praise).toMatchObject({ total: 4, mentions: [{ kind: 'praise' }, { kind: 'praise' }, { kind: 'praise' }] })
  const { next_cursor } = praise as { next_cursor: string }
  const { body: last } = await world.call(workspace, 'GET', `/api/ungrouped?kind=praise&cursor=${next_cursor}`)
  expect(last).toMatchObject({ mentions: [{ kind: 'praise' }], next_cursor: null })
  expect(last).not.toHaveProperty('kinds')
})

describe('a person who sets a kind', () => {
  test('takes a mention out of its insight, and puts it back by undoing that', async () => {
    await world.store(workspace, FAULTS)
    await groupNow(world.services, workspace)
    const { place } = await of('fault3')
    const reply = await correct(place, 'small talk')
    expect(reply.body).toEqual({ mention: place, kind: 'small talk', before: { kind: 'problem', set_by: 'engine' } })
    expect(await of('fault3')).toMatchObject({ kind: 'small talk', by: 'person', issue: null })
    expect((await statements()).map(({ issue }) => issue)).toEqual([1, 1, 1, null])
    await expectCountsToAgree()
    expect((await correct(place, null)).body).toMatchObject({
      kind: 'problem',
      before: { kind: 'small talk', set_by: 'person' },
    })
    expect((await statements()).map(({ issue, by }) => [issue, by])).toEqual(Array(4).fill([1, 'model']))
    await expectCountsToAgree()
  })

  test('has what was left out grouped after all', async () => {
    await world.store(workspace, PRAISE)
    await groupNow(world.services, workspace)
    for (const { place } of await statements()) await correct(place, 'request')
    const rows = await statements()
    expect(rows.map(({ kind, by }) => [kind, by])).toEqual(Array(4).fill(['request', 'person']))
    expect(new Set(rows.map(({ issue }) => issue))).toEqual(new Set([1]))
    const { body } = await world.call(workspace, 'GET', '/api/insights/get-all')
    expect(body).toMatchObject([{ main_kind: 'request' }])
  })

  test('teaches the engine what later messages of nearly the same words are', async () => {
    await world.store(workspace, FAULTS)
    await groupNow(world.services, workspace)
    await correct((await of('fault0')).place, 'small talk')
    await world.store(workspace, [{ id: 'later', text: 'the CSV export fails after a thousand rows!' }])
    await groupNow(world.services, workspace)
    expect(await of('later')).toMatchObject({ kind: 'small talk', by: 'teaching', issue: null })
    expect(await of('fault1')).toMatchObject({ kind: 'problem', issue: 1 })
  })

  test('is obeyed however the groups are lost and rebuilt, and when other words of the message change', async () => {
    const two = `${LONG.export}\n\n${LONG.dark}`
    await world.store(workspace, [...FAULTS, { id: 'two', text: two }])
    await groupNow(world.services, workspace)
    const [first] = (await statements()).filter(({ id }) => id === 'two') as [Row]
    await correct(first.place, 'praise')
    const before = (await statements()).map(({ id, kind, by, issue }) => ({ id, kind, by, issue }))
    await forgetGroups(world.services)
    await world.inside(workspace, (tx) => sql`update engine_state set state = null, grouped_seq = 0`.execute(tx))
    await world.store(workspace, ASKED)
    await groupNow(world.services, workspace)
    expect(
      (await statements())
        .filter(({ id }) => !id.startsWith('ask'))
        .map(({ id, kind, by, issue }) => ({ id, kind, by, issue })),
    ).toEqual(before)
    const edited = `${LONG.invoice}\n\n${LONG.export}`
    await world.inside(workspace, async (tx) => {
      const { id } = await fileConnection(tx, workspace)
      const item = {
        externalId: 'two',
        text: edited,
        author: null,
        at: world.now,
        link: null,
        thread: null,
        place: null,
      }
      await storeItems(tx, workspace, id, [item])
    })
    await groupNow(world.services, workspace)
    const kept = (await statements()).filter(({ id }) => id === 'two')
    expect(kept.filter(({ by }) => by === 'person').map(({ kind, issue }) => [kind, issue])).toEqual([['praise', null]])
    expect(kept.length).toBeGreaterThan(1)
    await expectCountsToAgree()
  })

  test('no longer teaches once the message is gone or has other words', async () => {
    await world.store(workspace, FAULTS)
    await groupNow(world.services, workspace)
    await correct((await of('fault0')).place, 'small talk')
    await world.store(workspace, [{ id: 'fault0', text: 'The invoice shows a wrong tax number' }])
    await groupNow(world.services, workspace)
    const { rows } = await world.inside(workspace, (tx) => sql`select from kind_correction`.execute(tx))
    expect(rows).toEqual([])
    expect(await of('fault0')).toMatchObject({ kind: 'problem', by: 'model' })
  })

  test('is obeyed when a step that runs meanwhile has read something else', async () => {
    await world.store(workspace, FAULTS)
    await groupNow(world.services, workspace)
    const { place } = await of('fault3')
    const set = (kind: string | null) =>
      world.call(workspace, 'PUT', '/api/feedback-kind', {}, { mention: place, kind })
    const step = Reflect.get(GroupingClient.prototype, 'step') as GroupingClient['step']
    const interrupted = vi.spyOn(GroupingClient.prototype, 'step')
    interrupted.mockImplementationOnce(async function (this: GroupingClient, ...args) {
      const result = await step.apply(this, args)
      await set(null)
      return result
    })
    await set('praise')
    const again: unknown[] = []
    // The first step was stored, and the next is about to run.
    interrupted.mockImplementation(async function (this: GroupingClient, ...args) {
      if (args[1].taught !== '1 ' && again.length === 0) again.push((await set('praise')).body)
      return step.apply(this, args)
    })
    try {
      await groupNow(world.services, workspace)
    } finally {
      interrupted.mockRestore()
    }
    expect(again).toEqual([{ mention: place, kind: 'praise', before: { kind: 'problem', set_by: 'engine' } }])
    expect(await of('fault3')).toMatchObject({ kind: 'praise', by: 'person', issue: null })
    await expectCountsToAgree()
  })

  test('is never read as taken back together with what it taught', async () => {
    await world.store(workspace, FAULTS)
    await groupNow(world.services, workspace)
    const mention = (await of('fault3')).place
    await world.call(workspace, 'PUT', '/api/feedback-kind', {}, { mention, kind: 'praise' })
    // In its own transaction, not in the one that reads.
    const outside = AsyncLocalStorage.snapshot()
    const takeBack = () =>
      outside(() => world.call(workspace, 'PUT', '/api/feedback-kind', {}, { mention, kind: null }))
    let results = 0
    const takingBackAfterTheFirstResult: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if (++results === 1) await takeBack()
        return result
      },
    }
    const work = await world.inside(workspace, (tx) =>
      readKindWork(
        tx.withPlugin(takingBackAfterTheFirstResult),
        workspace,
        { late: noLateWork, items: [] },
        { model: null, vectors: undefined },
      ),
    )
    expect(work.requests).toMatchObject([{ set: 'praise' }])
    expect(work.taught).toBe('2 ')
  })

  test('is told when there is no such mention', async () => {
    expect(await correct('999:0', 'praise')).toMatchObject({ status: 404 })
    expect(await correct('999:0', 'rant')).toMatchObject({ status: 400 })
  })
})

test('agreements stay with what they reply to, and do not count as small talk there', async () => {
  await world.inside(workspace, async (tx) => {
    const { id } = await fileConnection(tx, workspace)
    const item = (externalId: string, text: string, thread: string | null) => ({
      externalId,
      text,
      author: externalId,
      at: world.now,
      link: null,
      thread,
      place: null,
    })
    await storeItems(tx, workspace, id, [
      item('q', 'The CSV export fails after a thousand rows', 'q'),
      item('r', 'CSV export fails after the first thousand rows!', null),
      item('s', '+1', 'q'),
      item('t', 'same here', 'q'),
      item('u', '+1', 'q'),
    ])
  })
  await groupNow(world.services, workspace)
  const rows = await statements()
  expect(rows.map(({ issue }) => issue)).toEqual([1, 1, 1, 1, 1])
  expect(rows.filter(({ kind }) => kind === 'small talk')).toHaveLength(3)
  const { rows: insights } = await world.inside(workspace, (tx) =>
    sql`select main_kind, chatter_count, mention_count from insight`.execute(tx),
  )
  expect(insights).toEqual([{ main_kind: 'problem', chatter_count: 0, mention_count: 5 }])
  await expectCountsToAgree()
})

test('statements from before kinds were known get theirs by the next grouping', async () => {
  await world.store(workspace, [...FAULTS, ...PRAISE])
  await groupNow(world.services, workspace)
  const expected = (await statements()).map(({ id, kind, issue }) => ({ id, kind, issue }))
  await world.inside(workspace, async (tx) => {
    await sql`update statement set feedback_kind = null, kind_by = null, subjectless = false`.execute(tx)
    await sql`update engine_state set kinds_after = 0`.execute(tx)
  })
  expect(await world.waitsToBeGrouped(workspace)).toBe(true)
  await groupNow(world.services, workspace)
  await groupNow(world.services, workspace)
  expect(await world.waitsToBeGrouped(workspace)).toBe(false)
  expect((await statements()).map(({ id, kind, issue }) => ({ id, kind, issue }))).toEqual(expected)
  await expectCountsToAgree()
})

test('counts follow when messages are deleted', async () => {
  await world.store(workspace, [...FAULTS, ...PRAISE])
  await groupNow(world.services, workspace)
  await world.inside(workspace, (tx) => sql`delete from feedback_item where external_id like 'praise%'`.execute(tx))
  await expectCountsToAgree()
  const { body } = await world.call(workspace, 'GET', '/api/ungrouped')
  expect(body).toMatchObject({ total: 0, kinds: [] })
  await groupNow(world.services, workspace)
  await expectCountsToAgree()
})
