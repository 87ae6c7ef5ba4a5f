import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { broughtByReview, insightsView } from '../../../insights/index.ts'
import { INJECTIONS } from '../../injection-messages.ts'
import { respond, world } from '../../testing.ts'
import { names } from '../names/task.ts'
import {
  EXPORTS,
  exports,
  LOGINS,
  logins,
  receivedAll,
  review,
  reviewing,
  SECOND_STRANGER,
  STRANGER,
  withReviews,
} from './testing.ts'

withReviews()

describe('reviewing', () => {
  test('sends nothing until an owner switches it on, and nothing while reading is paused', async () => {
    expect([await review.due(), await review.run()]).toEqual([false, 0])
    await review.choose()
    expect([await review.due(), await review.run()]).toEqual([false, 0])
    await review.choose({ reviews: true, paused: true })
    expect([await review.due(), await review.run()]).toEqual([false, 0])
    await review.choose({ reviews: true })
    expect([await review.due(), await review.run()]).toEqual([true, 1])
    const [first, second] = receivedAll(review.model.heard[0])
    expect(first?.others).toMatchObject([{ messages: LOGINS.slice(-1) }])
    expect(second?.others).toHaveLength(1)
  })

  test('takes a stranger out of the insight, keeps it out, and says so in the history', async () => {
    expect(await review.issueOf('stranger')).toBe(exports)
    await review.choose({ reviews: true })
    await review.run()
    expect(await review.moves()).toEqual([{ id: 'stranger', from: exports, to: 0, state: 'waiting' }])
    expect(await review.due()).toBe(false)
    await review.company.group()
    expect(await review.issueOf('stranger')).toBeNull()
    expect(await review.moves()).toMatchObject([{ state: 'held' }])
    expect(await review.events()).toEqual([{ issue: exports, event: 'reviewed_out', detail: { count: 1 } }])
    expect((await review.company.counts()).get(exports)).toBe(EXPORTS.length)
    expect((await review.company.byModel()).map(({ text }) => text)).toEqual([STRANGER])
    await review.company.store([{ id: 'more', text: 'CSV export of a large report fails with a timeout' }])
    await review.company.group()
    await world.inside(review.company.workspaceId, (tx) =>
      sql`update engine_state set state = null, grouped_seq = 0`.execute(tx),
    )
    await review.company.store([{ id: 'again', text: 'the CSV export fails again for large reports' }])
    await review.company.group(world.otherProcess())
    expect(await review.issueOf('again')).toBe(exports)
    expect(await review.issueOf('stranger')).toBeNull()
  })

  test('moves a stranger into the insight that it belongs to, which is no reason for a push and no regression', async () => {
    await world.inside(review.company.workspaceId, (tx) =>
      sql`update insight set status = 'resolved' where issue_number = ${logins}`.execute(tx),
    )
    review.model.script = reviewing((text) => text === STRANGER, { belongs: ({ others }) => others[0]?.id })
    await review.choose({ reviews: true })
    await review.run()
    await review.company.group()
    expect(await review.issueOf('stranger')).toBe(logins)
    expect(await review.events()).toEqual([
      { issue: exports, event: 'reviewed_out', detail: { count: 1, other: logins } },
      { issue: logins, event: 'reviewed_in', detail: { count: 1, other: exports } },
    ])
    const { rows } = await world.inside(review.company.workspaceId, (tx) =>
      sql`select mention_count as mentions, ${broughtByReview}::int as brought, status from ${insightsView} insight
        where workspace_id = ${review.company.workspaceId} and issue_number = ${logins}`.execute(tx),
    )
    expect(rows).toEqual([{ mentions: LOGINS.length + 1, brought: 1, status: 'resolved' }])
    await review.company.store([{ id: 'again', text: 'single sign-on: I cannot log in today' }])
    await review.company.group()
    expect(await review.issueOf('stranger')).toBe(logins)
  })

  test('does not repeat a review until the insight has grown by a quarter', async () => {
    await review.choose({ reviews: true })
    await review.run()
    await review.company.group()
    expect([await review.due(), await review.run()]).toEqual([false, 0])
    await review.company.store([{ id: 'one', text: 'the CSV export of large reports fails: error' }])
    await review.company.group()
    expect(await review.due()).toBe(false)
    const more = [
      'report is large and the CSV export fails',
      'CSV export fails, the report is large',
      'large CSV export fails',
    ]
    await review.company.store(more.map((text, at) => ({ id: `more${at}`, text })))
    await review.company.group()
    expect([await review.due(), await review.run()]).toEqual([true, 1])
  })

  test('later reviews move at most three mentions of a small workspace in a day', async () => {
    const more = Array.from({ length: 8 }, (_, at) => `the CSV export of large reports fails: error ${at}`)
    await review.choose({ reviews: true })
    await review.run()
    await review.company.group()
    await review.company.store(more.map((text, at) => ({ id: `more${at}`, text })))
    await review.company.group()
    review.model.script = reviewing((text) => more.slice(0, 5).includes(text))
    expect(await review.run()).toBe(1)
    expect((await review.moves()).filter(({ state }) => state === 'waiting')).toHaveLength(3)
  })

  test('a reply that is lost before it is stored is asked for again, and one that is stored is carried out once', async () => {
    await review.choose({ reviews: true })
    review.model.script = (_, response) => void response.writeHead(500).end()
    await expect(review.run()).rejects.toThrow('500')
    expect([await review.moves(), await review.reviewed()]).toEqual([[], []])
    review.model.script = reviewing((text) => text === STRANGER)
    await world.reset()
    await review.run()
    expect(await review.moves()).toHaveLength(1)
    await review.company.group(world.otherProcess())
    await review.company.group()
    expect(await review.events()).toHaveLength(1)
  })

  test('without budget calls nothing and is tried again later', async () => {
    await review.choose({ reviews: true })
    expect(await review.run({ tokensPerDay: 1_000 })).toBe(0)
    expect(await review.due()).toBe(false)
    world.later(61)
    expect([await review.due(), await review.run()]).toEqual([true, 1])
  })
})

describe('a part of an insight', () => {
  beforeEach(async () => {
    await review.company.store([{ id: 'second', text: SECOND_STRANGER }])
    await review.company.group()
    await review.choose({ reviews: true })
  })

  test('becomes an insight of its own, with a history, and no reason for a push', async () => {
    expect(await review.issueOf('second')).toBe(exports)
    review.model.script = reviewing((text) => [STRANGER, SECOND_STRANGER].includes(text), { part: 1 })
    await review.run()
    await review.company.group()
    const founded = (await review.issueOf('stranger')) as number
    expect([exports, logins, null]).not.toContain(founded)
    expect(await review.issueOf('second')).toBe(founded)
    expect(await review.moves()).toEqual(
      ['second', 'stranger'].map((id) => ({ id, from: exports, to: founded, state: 'held' })),
    )
    expect(await review.events()).toEqual([
      { issue: exports, event: 'reviewed_out', detail: { count: 2, other: founded } },
      { issue: founded, event: 'reviewed_in', detail: { count: 2, other: exports } },
    ])
    const { rows } = await world.inside(review.company.workspaceId, (tx) =>
      sql`select mention_count as mentions, ${broughtByReview}::int as brought from ${insightsView} insight
        where workspace_id = ${review.company.workspaceId} and issue_number = ${founded}`.execute(tx),
    )
    expect(rows).toEqual([{ mentions: 2, brought: 2 }])
    await review.company.store([{ id: 'again', text: 'the CSV export fails again for large reports' }])
    await review.company.group(world.otherProcess())
    await world.inside(review.company.workspaceId, (tx) =>
      sql`update engine_state set state = null, grouped_seq = 0`.execute(tx),
    )
    await review.company.store([{ id: 'more', text: 'CSV export of a large report fails with a timeout' }])
    await review.company.group(world.otherProcess())
    expect([await review.issueOf('stranger'), await review.issueOf('second')]).toEqual([founded, founded])
  })
})

test('a single message is no part: it is in no insight', async () => {
  review.model.script = reviewing((text) => text === STRANGER, { part: 1 })
  await review.choose({ reviews: true })
  await review.run()
  await review.company.group()
  expect(await review.moves()).toEqual([{ id: 'stranger', from: exports, to: 0, state: 'held' }])
  expect(await review.events()).toEqual([{ issue: exports, event: 'reviewed_out', detail: { count: 1 } }])
})

describe('two insights that are the same problem', () => {
  const ended = async () => {
    const { rows } = await world.inside(review.company.workspaceId, (tx) =>
      sql<{ number: number; into: number }>`select issue_number as number, merged_into as into from insight
        where workspace_id = ${review.company.workspaceId} and ended_at is not null`.execute(tx),
    )
    return rows
  }
  const same = reviewing(() => false, { same: ({ others }) => others.map(({ id }) => id) })
  const run = async (script = same) => {
    review.model.script = script
    await review.choose({ reviews: true })
    await review.run()
    await review.company.group()
  }

  test('are merged when the reviews of both say so: the smaller into the larger, which counts for no push', async () => {
    const theirs = (await review.company.counts()).get(logins) as number
    await run()
    expect(await ended()).toEqual([{ number: logins, into: exports }])
    expect(await review.issueOf(`m${EXPORTS.length}`)).toBe(exports)
    expect(await review.events()).toEqual([
      { issue: exports, event: 'reviewed_in', detail: { count: theirs, other: logins } },
    ])
    expect((await review.company.byModel()).map(({ text }) => text).sort()).toEqual(LOGINS.toSorted())
    const { rows } = await world.inside(review.company.workspaceId, (tx) =>
      sql`select ${broughtByReview}::int as brought from ${insightsView} insight
        where workspace_id = ${review.company.workspaceId} and issue_number = ${exports}`.execute(tx),
    )
    expect(rows).toEqual([{ brought: theirs }])
    await world.inside(review.company.workspaceId, (tx) =>
      sql`update engine_state set state = null, grouped_seq = 0`.execute(tx),
    )
    await review.company.store([{ id: 'again', text: 'single sign-on: I cannot log in today' }])
    await review.company.group(world.otherProcess())
    expect([await review.issueOf('again'), await review.issueOf(`m${EXPORTS.length}`)]).toEqual([exports, exports])
    expect(await review.due()).toBe(false)
  })

  test('stay two when only one review says so', async () => {
    await run(
      reviewing(() => false, { same: ({ name, others }) => (/export/i.test(name) ? others.map(({ id }) => id) : []) }),
    )
    expect([await ended(), await review.events()]).toEqual([[], []])
  })

  const touch = (issue: number) =>
    world.inside(review.company.workspaceId, (tx) =>
      sql`update insight set name_by_person = true where issue_number = ${issue}`.execute(tx),
    )

  test('become the one that people have touched', async () => {
    await touch(logins)
    await run()
    expect(await ended()).toEqual([{ number: exports, into: logins }])
  })

  test('stay two in later reviews when the smaller has more mentions than these may move in a day', async () => {
    await run(reviewing(() => false))
    await review.company.store([
      ...EXPORTS.map((text, at) => ({ id: `e${at}`, text: `${text} today` })),
      ...LOGINS.map((text, at) => ({ id: `l${at}`, text: `${text} today` })),
    ])
    await review.company.group()
    expect(await review.due()).toBe(true)
    await run()
    expect(await ended()).toEqual([])
  })

  test('stay two when people have touched both', async () => {
    await touch(logins)
    await touch(exports)
    await run()
    expect(await ended()).toEqual([])
  })
})

describe('a review changes nothing', () => {
  const unchanged = async (mentions = EXPORTS.length + LOGINS.length + 1) => {
    const before = await review.company.placed()
    await review.choose({ reviews: true })
    await review.run()
    await review.company.group()
    expect(await review.moves()).toEqual([])
    expect(await review.company.placed()).toEqual(before)
    expect(before).toHaveLength(mentions)
  }

  test.each([
    ['nonsense', 'HACKED'],
    ['an empty reply', { reviews: [] }],
    [
      'ids that were not sent',
      { reviews: [{ id: 'i1', strangers: ['a1b: export'], same: [], name: '', summary: '', said: [] }] },
    ],
  ])('when the model says %s, and it is not asked again', async (_, reply) => {
    review.model.script = (_heard, response) => respond(response, reply)
    await unchanged()
    expect((await review.reviewed()).map(({ refused }) => refused)).toEqual(['reply', 'reply'])
    expect(await review.due()).toBe(false)
    expect(await review.run({ name: 'another' })).toBe(3)
  })

  test('when the model takes everything for strangers', async () => {
    review.model.script = reviewing(() => true)
    await unchanged()
    expect(review.model.heard).toHaveLength(1)
    expect((await review.reviewed()).map(({ refused }) => refused)).toEqual(['reply', 'reply'])
  })

  test('about mentions that people have placed, and locked insights', async () => {
    await world.inside(review.company.workspaceId, async (tx) => {
      await sql`
        insert into correction (workspace_id, id, issue_number, kind, request, person, state, touched)
        values (${review.company.workspaceId}, gen_random_uuid(), ${exports}, 'add', '{}', 'Ann', 'applied', array[${exports}::int])`.execute(
        tx,
      )
      await sql`
        insert into statement_rule (workspace_id, item_id, number, pin, correction_id)
        select item.workspace_id, item.id, 0, ${exports}, correction.id from feedback_item item, correction
        where item.external_id = 'stranger'`.execute(tx)
      await sql`update insight set locked = true where issue_number = ${logins}`.execute(tx)
    })
    await unchanged()
    expect(review.model.heard).toHaveLength(1)
    const texts = receivedAll(review.model.heard[0]).flatMap(({ messages }) => messages.map(({ text }) => text))
    expect(texts).toContain(EXPORTS[0])
    expect(texts).not.toContain(STRANGER)
  })

  test('when messages tell the model what to move, and it obeys', async () => {
    const orders = INJECTIONS.map((text, at) => ({
      id: `order${at}`,
      text: `CSV export fails for large reports. ${text}`,
    }))
    await review.company.store(orders)
    await review.company.group()
    review.model.script = reviewing((text) => /csv/i.test(text))
    await unchanged(
      await world.inside(review.company.workspaceId, async (tx) => {
        const { rows } = await sql<{ count: number }>`select count(*)::int as count from statement`.execute(tx)
        return rows[0]?.count ?? 0
      }),
    )
    expect(review.model.heard.length).toBeGreaterThan(0)
  })
})

test('a reply that arrives while a step is stored is about the groups after it', async () => {
  await review.choose({ reviews: true })
  const { workspaceId } = review.company
  await review.runDuringStep((tx) =>
    sql`
      update statement set issue_number = null where workspace_id = ${workspaceId}
        and item_id = (select id from feedback_item where external_id = 'stranger')`.execute(tx),
  )
  expect(await review.reviewed()).toHaveLength(2)
  expect(await review.moves()).toEqual([])
})

test('an insight with fewer than four mentions is not reviewed, and named like the others', async () => {
  const texts = ['Please add a dark mode for the app', 'A dark mode for the app, please', 'dark mode for the app']
  await review.company.store(texts.map((text, at) => ({ id: `d${at}`, text })))
  await review.company.group()
  const dark = await review.issueOf('d0')
  expect(dark).not.toBeNull()
  await review.choose({ reviews: true })
  await review.run()
  expect((await review.reviewed()).map(({ issue }) => issue)).not.toContain(dark)
  await review.company.group()
  review.model.heard.length = 0
  await world.run(review.company.workspaceId, world.settings(review.model), { task: names })
  expect(review.model.heard.some(({ messages }) => messages.includes(texts[0] as string))).toBe(true)
})

test('an edited message loses what was decided about it', async () => {
  await review.choose({ reviews: true })
  await review.run()
  await review.company.group()
  await review.company.store([{ id: 'stranger', text: 'CSV export fails for large reports, always' }])
  await review.company.group()
  expect(await review.moves()).toEqual([])
  expect(await review.issueOf('stranger')).toBe(exports)
})
