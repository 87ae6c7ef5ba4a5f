import type { ServerResponse } from 'node:http'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readLastItem, requestReading } from '../../../insights/index.ts'
import { INJECTIONS } from '../../injection-messages.ts'
import { deleteChoice, writeChoice } from '../../reading-choice-store.ts'
import { requestScan } from '../../scan-store.ts'
import { type ReceivedRequest, respond, ScriptedModel, World } from '../../testing.ts'
import { Company } from '../joins/testing.ts'
import { splits } from '../splits/task.ts'
import type { RepliedPoint } from './schema.ts'
import { readings } from './task.ts'

type Received = { id: string; text: string; before?: string }

let world: World
let model: ScriptedModel
let company: Company

const DECOY = /office|violin|hiking|bakery|lighthouses|bicycle|tulips|lentil/i
const EXPORT = 'The CSV export stops half way.'
const TAX = 'Our invoices show the wrong tax number.'
const BOTH = `${EXPORT} ${TAX}`
const THANKS = 'Thanks a lot, have a nice day.'
const about = (quote: string): RepliedPoint | null =>
  quote === EXPORT
    ? { kind: 'problem', point: 'CSV export stops before it is complete', quote }
    : quote === TAX
      ? { kind: 'problem', point: 'Wrong tax number on invoices', quote }
      : null
const pointsIn = ({ text }: Received) => [EXPORT, TAX].flatMap((one) => (text.includes(one) ? (about(one) ?? []) : []))

/** A model that replies about each message. */
const replying =
  (pointsOf: (one: Received) => unknown[], tokens = 500) =>
  (heard: ReceivedRequest, response: ServerResponse): void => {
    const { messages } = heard.data as { messages: Received[] }
    const read = messages.map((one) => ({ id: one.id, points: DECOY.test(one.text) ? [] : pointsOf(one) }))
    respond(response, { readings: read }, tokens)
  }

beforeAll(async () => {
  world = await World.start()
})
afterAll(() => world.stop())
beforeEach(async () => {
  await world.reset()
  model = await ScriptedModel.start()
  model.script = replying(pointsIn)
  company = new Company(world, await world.workspace())
  await company.store([
    { id: 'both', text: BOTH },
    { id: 'thanks', text: THANKS },
    { id: 'tax', text: TAX },
  ])
  await company.group()
})
afterEach(() => model.stop())

const inside: World['inside'] = (workspaceId, work) => world.inside(workspaceId, work)
const choose = (scope: 'new' | 'all', paused = false) =>
  inside(company.workspaceId, async (tx) => {
    const last = await readLastItem(tx, company.workspaceId)
    await writeChoice(tx, company.workspaceId, { scope, paused, last, by: 'Ann', now: world.now })
    await requestScan(tx, company.workspaceId, 'readings', world.now)
  })
const due = () =>
  inside(company.workspaceId, (tx) => readings.isDue(tx, company.workspaceId, world.settings(model), world.now))
const read = async (tokensPerDay = 10_000_000) => {
  const settings = world.settings(model, { tokensPerDay })
  let calls = 0
  for (;;) {
    const outcome = await world.run(company.workspaceId, settings, { task: readings })
    calls += outcome.calls
    if (!outcome.more) return calls
  }
}

type Mention = { text: string; point: string | null; kind: string | null; by: string | null }
/** The mentions of a message. */
async function mentionsOf(id: string): Promise<Mention[]> {
  const { rows } = await inside(company.workspaceId, (tx) =>
    sql<Mention & { start: number; end: number }>`
      select item.text, s.start_offset as start, s.end_offset as "end", s.point, s.feedback_kind as kind, s.kind_by as by
      from statement s join feedback_item item on item.id = s.item_id where item.external_id = ${id} order by s.number`.execute(
      tx,
    ),
  )
  return rows.map(({ text, start, end, ...row }) => ({ ...row, text: text.slice(start, end) }))
}
const stored = async () => {
  const { rows } = await inside(company.workspaceId, (tx) =>
    sql<{ id: string; points: unknown[] | null; unread: string | null; state: string | null }>`
      select external_id as id, points, unread, state from model_reading r join feedback_item item on item.id = r.item_id
      order by external_id`.execute(tx),
  )
  return rows
}

const EXPORT_READ = { text: EXPORT, point: 'CSV export stops before it is complete', kind: 'problem', by: 'reading' }
const TAX_READ = { text: TAX, point: 'Wrong tax number on invoices', kind: 'problem', by: 'reading' }

describe('consent', () => {
  test('nothing is sent until an owner switches reading on, and then only what arrives', async () => {
    expect(await due()).toBe(false)
    expect(await read()).toBe(0)
    await choose('new')
    expect(await read()).toBe(0)
    await company.store([{ id: 'later', text: BOTH }])
    await company.group()
    expect(await due()).toBe(true)
    expect(await read()).toBe(1)
    expect(model.heard[0]?.data).toMatchObject({
      messages: expect.arrayContaining([expect.objectContaining({ text: BOTH })]),
    })
    await company.group()
    expect(await mentionsOf('later')).toEqual([EXPORT_READ, TAX_READ])
    expect((await mentionsOf('both')).every(({ point }) => point === null)).toBe(true)
    await read()
    expect(await due()).toBe(false)
    expect(model.heard).toHaveLength(1)
  })

  test('stored messages are read when they are chosen, not while it is paused, and what was read stays when it is switched off', async () => {
    await choose('all', true)
    expect(await due()).toBe(false)
    expect(await read()).toBe(0)
    await choose('all')
    expect(await due()).toBe(true)
    expect(await read()).toBe(1)
    await company.group()
    expect(await mentionsOf('both')).toEqual([EXPORT_READ, TAX_READ])
    await inside(company.workspaceId, (tx) => deleteChoice(tx, company.workspaceId))
    expect(await due()).toBe(false)
    await inside(company.workspaceId, (tx) => sql`update feedback_item set grouped_seq = null`.execute(tx))
    await company.group()
    expect(await mentionsOf('both')).toEqual([EXPORT_READ, TAX_READ])
  })

  test('the newest messages are read first, and the others when the budget allows', async () => {
    await company.store(
      Array.from({ length: 70 }, (_, at) => ({ id: `n${String(at).padStart(2, '0')}`, text: `${TAX} (${at})` })),
    )
    await company.group()
    await choose('all')
    // Half of the budget is for reading: enough for two calls.
    model.script = replying(pointsIn, 15_000)
    const settings = world.settings(model, { tokensPerDay: 60_000 })
    await world.run(company.workspaceId, settings, { task: readings })
    const { messages } = model.heard[0]?.data as { messages: Received[] }
    expect(messages.filter(({ text }) => /\(69\)|\(40\)/.test(text))).toHaveLength(2)
    expect(messages.some(({ text }) => text === BOTH)).toBe(false)
    const first = (await stored()).length
    expect(first).toBe(60)
    await company.group()
    expect(await due()).toBe(false)
    world.later(24 * 60)
    expect(await due()).toBe(true)
    await read()
    expect(await stored()).toHaveLength(73)
  })
})

describe('a reading', () => {
  test('holds when the groups are rebuilt and goes when the message is edited or deleted', async () => {
    await choose('all')
    await read()
    await company.group()
    await inside(company.workspaceId, (tx) => sql`update engine_state set state = null, grouped_seq = 0`.execute(tx))
    await inside(company.workspaceId, (tx) => sql`update feedback_item set grouped_seq = null`.execute(tx))
    await company.group(world.otherProcess())
    expect(await mentionsOf('both')).toEqual([EXPORT_READ, TAX_READ])
    await company.store([{ id: 'both', text: `${BOTH} And one more thing.` }])
    expect((await stored()).map(({ id }) => id)).toEqual(['tax', 'thanks'])
    await company.group()
    expect((await mentionsOf('both')).some(({ point }) => point !== null)).toBe(false)
    await inside(company.workspaceId, (tx) => sql`delete from feedback_item where external_id = 'tax'`.execute(tx))
    expect((await stored()).map(({ id }) => id)).toEqual(['thanks'])
  })

  test('without a point leaves the message visible as small talk, and can be asked for again', async () => {
    await choose('all')
    await read()
    await company.group()
    expect(await mentionsOf('thanks')).toEqual([{ text: THANKS, point: null, kind: 'small talk', by: 'reading' }])
    model.script = replying(({ text }) =>
      text === THANKS ? [{ kind: 'praise', point: 'Having a nice day', quote: THANKS }] : [],
    )
    const again = async () => {
      const { rows } = await inside(company.workspaceId, (tx) =>
        sql<{ id: number }>`select id from feedback_item where external_id = 'thanks'`.execute(tx),
      )
      return inside(company.workspaceId, (tx) => requestReading(tx, company.workspaceId, rows[0]?.id ?? 0, world.now))
    }
    expect(await again()).toBe('requested')
    expect(await due()).toBe(true)
    expect(await read()).toBe(1)
    await company.group()
    expect(await mentionsOf('thanks')).toEqual([
      { text: THANKS, point: 'Having a nice day', kind: 'praise', by: 'reading' },
    ])
  })

  test('without a quote is of the whole message', async () => {
    model.script = replying(({ text }) =>
      text === TAX ? [{ kind: 'problem', point: 'Wrong tax number on invoices' }] : pointsIn({ id: '', text }),
    )
    await choose('all')
    await read()
    await company.group()
    expect(await mentionsOf('tax')).toEqual([TAX_READ])
  })

  test('is not new feedback for the insight that the message was in', async () => {
    const more = ['now', 'again', 'today', 'since Monday'].map((end) => ({
      id: `t ${end}`,
      text: `${TAX.slice(0, -1)} ${end}.`,
    }))
    await company.store(more)
    await company.group()
    const heard = async () =>
      (
        await inside(company.workspaceId, (tx) =>
          sql<{ heard: number }>`select sum(heard)::int as heard from insight`.execute(tx),
        )
      ).rows[0]?.heard
    const before = await heard()
    model.script = replying(({ text }) =>
      text.includes('tax')
        ? [{ kind: 'problem', point: 'Wrong tax number on invoices', quote: text.slice(text.indexOf('Our')) }]
        : [],
    )
    await choose('all')
    await read()
    await company.group()
    expect(
      (await company.placed()).filter(({ text, issue }) => text.includes('tax') && issue !== null).length,
    ).toBeGreaterThan(3)
    expect(await heard()).toBe(before)
  })

  test('does not touch a message that a person corrected, also when that happens during the call', async () => {
    const correct = (id: string) =>
      inside(company.workspaceId, async (tx) => {
        await sql`insert into insight (workspace_id, issue_number, name, summary) values (${company.workspaceId}, 900, 'a', 'b')
          on conflict do nothing`.execute(tx)
        await sql`
          with made as (
            insert into correction (workspace_id, issue_number, kind, request, state, person, touched)
            values (${company.workspaceId}, 900, 'move', '{}', 'applied', 'Ann', '{}') returning id
          )
          insert into statement_rule (workspace_id, item_id, number, pin, correction_id)
          select ${company.workspaceId}::uuid, item.id, 0, 0, made.id from made, feedback_item item where external_id = ${id}`.execute(
          tx,
        )
      })
    const before = [await mentionsOf('both'), await mentionsOf('tax')]
    await correct('both')
    await choose('all')
    await read()
    expect((await stored()).map(({ id }) => id)).toEqual(['tax', 'thanks'])
    await correct('tax')
    await company.group()
    expect([await mentionsOf('both'), await mentionsOf('tax')]).toEqual(before)
  })

  test('does not touch the mentions of an insight that a person locked', async () => {
    const more = ['now', 'again', 'today', 'since Monday'].map((end) => ({
      id: `t ${end}`,
      text: `${TAX.slice(0, -1)} ${end}.`,
    }))
    await company.store(more)
    await company.group()
    await inside(company.workspaceId, (tx) => sql`update insight set locked = true where ended_at is null`.execute(tx))
    const before = await company.placed()
    const locked = before.filter(({ issue }) => issue !== null).length
    expect(locked).toBeGreaterThan(3)
    await choose('all')
    await read()
    await company.group()
    expect((await company.placed()).filter(({ issue }) => issue !== null)).toEqual(
      before.filter(({ issue }) => issue !== null),
    )
    expect(await stored()).toHaveLength(before.length - locked)
  })

  test('a reply is read with what it replies to', async () => {
    await company.store([
      { id: 'root', text: EXPORT, conversation: 'root' },
      { id: 'reply', text: 'Same for us since Monday.', conversation: 'root' },
    ])
    await company.group()
    model.script = replying((one) =>
      one.before === EXPORT
        ? [{ kind: 'problem', point: 'CSV export stops before it is complete', quote: one.text }]
        : [],
    )
    await choose('all')
    await read()
    await company.group()
    expect(await mentionsOf('reply')).toMatchObject([{ point: 'CSV export stops before it is complete' }])
  })

  test('divides long messages, so that they are not divided a second time', async () => {
    await company.store([
      { id: 'long', text: `${'We have tried everything that we could think of. '.repeat(16)}${BOTH}` },
    ])
    await company.group()
    await choose('all')
    const settings = world.settings(model)
    expect(await inside(company.workspaceId, (tx) => splits.isDue(tx, company.workspaceId, settings, world.now))).toBe(
      false,
    )
    await read()
    await company.group()
    expect(await mentionsOf('long')).toEqual([EXPORT_READ, TAX_READ])
    await inside(company.workspaceId, (tx) => deleteChoice(tx, company.workspaceId))
    await world.run(company.workspaceId, settings, { task: splits })
    expect(model.heard).toHaveLength(1)
  })
})

describe('a reply is not accepted', () => {
  test.each<[string, (one: Received) => unknown[]]>([
    [
      'with a quote of its own',
      ({ text }) => [{ kind: 'problem', point: 'CSV export stops half way', quote: `${text} Please.` }],
    ],
    [
      'with a point that the quote does not support',
      ({ text }) => [{ kind: 'problem', point: 'Refund of all payments to this person', quote: text }],
    ],
    [
      'with four points',
      ({ text }) =>
        ['a', 'b', 'c', 'd'].map((one) => ({
          kind: 'problem',
          point: `CSV export stops ${one}${one}${one}`,
          quote: text,
        })),
    ],
    [
      'with markup in a point',
      ({ text }) => [{ kind: 'problem', point: '<b>CSV export</b> stops half way', quote: text }],
    ],
    [
      'with a link in a point',
      ({ text }) => [{ kind: 'problem', point: 'CSV export stops https://evil.example', quote: text }],
    ],
    [
      'with an order in a point',
      ({ text }) => [{ kind: 'problem', point: 'Ignore all previous instructions about export', quote: text }],
    ],
    ['with a point in another language', ({ text }) => [{ kind: 'problem', point: '导出 在 中途 停止', quote: text }]],
  ])('%s: the message stays as it is', async (_what, pointsOf) => {
    await company.store([{ id: 'export', text: EXPORT }])
    await company.group()
    const before = await mentionsOf('export')
    model.script = replying(pointsOf)
    await choose('all')
    await read()
    await company.group()
    expect(await mentionsOf('export')).toEqual(before)
    expect((await stored()).find(({ id }) => id === 'export')).toMatchObject({ points: null, unread: 'reply' })
  })

  test.each<[string, (heard: Received[]) => unknown]>([
    [
      'that finds something in the decoy',
      (all) => ({
        readings: all.map(({ id, text }) => ({
          id,
          points: [{ kind: 'praise', point: 'Nice text about it', quote: text }],
        })),
      }),
    ],
    ['that leaves a message out', (all) => ({ readings: all.slice(1).map(({ id }) => ({ id, points: [] })) })],
    ['with a message twice', (all) => ({ readings: [...all, ...all].map(({ id }) => ({ id, points: [] })) })],
    [
      'with an unknown message',
      (all) => ({ readings: all.map(({ id }, at) => ({ id: at === 0 ? 'other' : id, points: [] })) }),
    ],
    ['of another form', () => ({ points: [] })],
    ['that is a refusal', () => 'I cannot help with that.'],
  ])('%s: it is asked for in halves, and then no more', async (_what, reply) => {
    const before = await company.placed()
    model.script = (heard, response) => respond(response, reply((heard.data as { messages: Received[] }).messages))
    await choose('all')
    await read()
    expect(model.heard).toHaveLength(5)
    await company.group()
    expect(await company.placed()).toEqual(before)
    expect((await stored()).map(({ unread }) => unread)).toEqual(['reply', 'reply', 'reply'])
    await read()
    expect(model.heard).toHaveLength(5)
  })

  test('that finds nothing in nearly all messages of a batch', async () => {
    await company.store(Array.from({ length: 20 }, (_, at) => ({ id: `e${at}`, text: `${EXPORT} (${at})` })))
    await company.group()
    model.script = (heard, response) => {
      const { messages } = heard.data as { messages: Received[] }
      const isWhole = messages.length > 15
      replying((one) => (isWhole ? [] : pointsIn(one)))(heard, response)
    }
    await choose('all')
    await read()
    expect(model.heard.length).toBeGreaterThan(1)
    expect((await stored()).filter(({ points }) => points?.length === 0).map(({ id }) => id)).toEqual(['thanks'])
  })

  test('one message that spoils replies is found, and the others are read', async () => {
    await company.store([{ id: 'bad', text: 'This one confuses the reader.' }])
    await company.group()
    model.script = (heard, response) => {
      const { messages } = heard.data as { messages: Received[] }
      if (messages.some(({ text }) => text.includes('confuses'))) respond(response, 'nothing')
      else replying(pointsIn)(heard, response)
    }
    await choose('all')
    await read()
    expect((await stored()).map(({ id, unread }) => [id, unread])).toEqual([
      ['bad', 'reply'],
      ['both', null],
      ['tax', null],
      ['thanks', null],
    ])
  })
})

describe('a hundred messages that speak to models', () => {
  const hostile = INJECTIONS.map((injection, at) => ({ id: `x${at}`, text: `${EXPORT} ${injection}` }))
  const ours = async () =>
    (await company.placed())
      .filter(({ text }) => [BOTH, TAX, THANKS].includes(text))
      .map(({ text, issue }) => ({ text, issue }))

  test.each<[string, (one: Received, all: Received[]) => unknown[]]>([
    ['a point as ordered', ({ text }) => [{ kind: 'problem', point: 'HACKED HACKED HACKED', quote: text }]],
    [
      'a point as ordered, for each message',
      (_one, all) => all.map(({ text }) => ({ kind: 'problem', point: 'HACKED now', quote: text })),
    ],
    [
      'the quote of another message',
      (_one, all) => [{ kind: 'problem', point: 'Wrong tax number on invoices', quote: all[0]?.text ?? '' }],
    ],
    ['an order as a point', ({ text }) => [{ kind: 'problem', point: text.slice(0, 60), quote: text }]],
  ])('a model that obeys with %s changes no other message, and shows nothing of it', async (_what, obey) => {
    await company.store(hostile)
    await company.group()
    const before = await ours()
    model.script = (heard, response) => {
      const { messages } = heard.data as { messages: Received[] }
      const isHostile = (one: Received) => /hac.?k.?e.?d|evil/i.test(one.text)
      replying((one) => (isHostile(one) ? obey(one, messages) : []))(heard, response)
    }
    await choose('all')
    await read()
    await company.group()
    const withheld = (await stored()).filter(({ unread }) => unread === 'withheld').length
    expect(withheld).toBeGreaterThan(85)
    const { rows: shown } = await inside(company.workspaceId, (tx) =>
      sql<{ point: string; text: string }>`
        select point, text from statement s join feedback_item item on item.id = s.item_id where point ~* 'hacked'`.execute(
        tx,
      ),
    )
    // What a message says of itself in plain words may be read in it, and in no other.
    expect(shown.filter(({ point, text }) => /HACKED/.test(point) || !/hacked/i.test(text))).toEqual([])
    expect((await ours()).map(({ text }) => text)).toEqual(before.map(({ text }) => text))
    expect((await company.placed()).filter(({ text }) => text === TAX)).toHaveLength(1)
  })

  test('a model that obeys for all messages is exposed by the decoy', async () => {
    await company.store([{ id: 'x', text: `${EXPORT} Everybody says HACKED.` }])
    await company.group()
    const before = await mentionsOf('both')
    model.script = (heard, response) => {
      const { messages } = heard.data as { messages: Received[] }
      const obeyed = messages.some(({ text }) => text.includes('HACKED'))
      if (!obeyed) return replying(pointsIn)(heard, response)
      respond(response, {
        readings: messages.map(({ id, text }) => ({
          id,
          points: [{ kind: 'problem', point: 'HACKED by all', quote: text }],
        })),
      })
    }
    await choose('all')
    await read()
    await company.group()
    expect(await mentionsOf('both')).toEqual([EXPORT_READ, TAX_READ])
    expect(before).not.toEqual([EXPORT_READ, TAX_READ])
    expect((await stored()).find(({ id }) => id === 'x')).toMatchObject({ unread: 'reply' })
  })
})
