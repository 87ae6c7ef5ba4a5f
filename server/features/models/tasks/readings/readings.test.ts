import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Tx } from '../../../../platform/db/tenant.ts'
import { requestReading } from '../../../insights/index.ts'
import { deleteChoice } from '../../reading-choice-store.ts'
import { world } from '../../testing.ts'
import { splits } from '../splits/task.ts'
import { readings } from './task.ts'
import {
  BOTH,
  company,
  EXPORT,
  EXPORT_READ,
  messagesOf,
  model,
  pointsIn,
  reading,
  replying,
  TAX,
  TAX_READ,
  THANKS,
  withReadings,
} from './testing.ts'

withReadings()

/** A person's correction of a message: it belongs to no insight. */
async function moveOut(tx: Tx, id: string): Promise<void> {
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
}

describe('consent', () => {
  test('nothing is sent until an owner switches reading on, and then only what arrives', async () => {
    expect(await reading.due()).toBe(false)
    expect(await reading.run()).toBe(0)
    await reading.choose()
    expect(await reading.run()).toBe(0)
    await company.store([{ id: 'later', text: BOTH }])
    await company.group()
    expect(await reading.due()).toBe(true)
    expect(await reading.run()).toBe(1)
    expect(messagesOf(model.heard[0]).map(({ text }) => text)).toContain(BOTH)
    await company.group()
    expect(await reading.mentionsOf('later')).toEqual([EXPORT_READ, TAX_READ])
    expect((await reading.mentionsOf('both')).every(({ point }) => point === null)).toBe(true)
    await reading.run()
    expect(await reading.due()).toBe(false)
    expect(model.heard).toHaveLength(1)
  })

  test('stored messages are read when they are chosen, not while it is paused, and what was read stays when it is switched off', async () => {
    await reading.choose({ scope: 'all', paused: true })
    expect(await reading.due()).toBe(false)
    expect(await reading.run()).toBe(0)
    await reading.choose({ scope: 'all' })
    expect(await reading.due()).toBe(true)
    expect(await reading.run()).toBe(1)
    await company.group()
    expect(await reading.mentionsOf('both')).toEqual([EXPORT_READ, TAX_READ])
    await world.inside(company.workspaceId, (tx) => deleteChoice(tx, company.workspaceId))
    expect(await reading.due()).toBe(false)
    await world.inside(company.workspaceId, (tx) => sql`update feedback_item set grouped_seq = null`.execute(tx))
    await company.group()
    expect(await reading.mentionsOf('both')).toEqual([EXPORT_READ, TAX_READ])
  })

  test('the newest messages are read first, and the others when the budget allows', async () => {
    await company.store(
      Array.from({ length: 70 }, (_, at) => ({ id: `n${String(at).padStart(2, '0')}`, text: `${TAX} (${at})` })),
    )
    await company.group()
    await reading.choose({ scope: 'all' })
    // Half of the budget is for reading: enough for two calls.
    model.script = replying(pointsIn, 15_000)
    const settings = world.settings(model, { tokensPerDay: 60_000 })
    await world.run(company.workspaceId, settings, { task: readings })
    const messages = messagesOf(model.heard[0])
    expect(messages.filter(({ text }) => /\(69\)|\(40\)/.test(text))).toHaveLength(2)
    expect(messages.some(({ text }) => text === BOTH)).toBe(false)
    const first = (await reading.stored()).length
    expect(first).toBe(60)
    await company.group()
    expect(await reading.due()).toBe(false)
    world.later(24 * 60)
    expect(await reading.due()).toBe(true)
    await reading.run()
    expect(await reading.stored()).toHaveLength(73)
  })
})

describe('a reading', () => {
  test('holds when the groups are rebuilt and goes when the message is edited or deleted', async () => {
    await reading.choose({ scope: 'all' })
    await reading.run()
    await company.group()
    await world.inside(company.workspaceId, (tx) =>
      sql`update engine_state set state = null, grouped_seq = 0`.execute(tx),
    )
    await world.inside(company.workspaceId, (tx) => sql`update feedback_item set grouped_seq = null`.execute(tx))
    await company.group(world.otherProcess())
    expect(await reading.mentionsOf('both')).toEqual([EXPORT_READ, TAX_READ])
    await company.store([{ id: 'both', text: `${BOTH} And one more thing.` }])
    expect((await reading.stored()).map(({ id }) => id)).toEqual(['tax', 'thanks'])
    await company.group()
    expect((await reading.mentionsOf('both')).some(({ point }) => point !== null)).toBe(false)
    await world.inside(company.workspaceId, (tx) =>
      sql`delete from feedback_item where external_id = 'tax'`.execute(tx),
    )
    expect((await reading.stored()).map(({ id }) => id)).toEqual(['thanks'])
  })

  test('without a point leaves the message visible as small talk, and can be asked for again', async () => {
    await reading.choose({ scope: 'all' })
    await reading.run()
    await company.group()
    expect(await reading.mentionsOf('thanks')).toEqual([
      { text: THANKS, point: null, kind: 'small talk', by: 'reading' },
    ])
    model.script = replying(({ text }) =>
      text === THANKS ? [{ kind: 'praise', point: 'Having a nice day', quote: THANKS }] : [],
    )
    const again = async () => {
      const { rows } = await world.inside(company.workspaceId, (tx) =>
        sql<{ id: number }>`select id from feedback_item where external_id = 'thanks'`.execute(tx),
      )
      return world.inside(company.workspaceId, (tx) =>
        requestReading(tx, company.workspaceId, rows[0]?.id ?? 0, world.now),
      )
    }
    expect(await again()).toBe('requested')
    expect(await reading.due()).toBe(true)
    expect(await reading.run()).toBe(1)
    await company.group()
    expect(await reading.mentionsOf('thanks')).toEqual([
      { text: THANKS, point: 'Having a nice day', kind: 'praise', by: 'reading' },
    ])
  })

  test('without a quote is of the whole message', async () => {
    model.script = replying(({ text }) =>
      text === TAX ? [{ kind: 'problem', point: 'Wrong tax number on invoices' }] : pointsIn({ text }),
    )
    await reading.choose({ scope: 'all' })
    await reading.run()
    await company.group()
    expect(await reading.mentionsOf('tax')).toEqual([TAX_READ])
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
        await world.inside(company.workspaceId, (tx) =>
          sql<{ heard: number }>`select sum(heard)::int as heard from insight`.execute(tx),
        )
      ).rows[0]?.heard
    const before = await heard()
    model.script = replying(({ text }) =>
      text.includes('tax')
        ? [{ kind: 'problem', point: 'Wrong tax number on invoices', quote: text.slice(text.indexOf('Our')) }]
        : [],
    )
    await reading.choose({ scope: 'all' })
    await reading.run()
    await company.group()
    expect(
      (await company.placed()).filter(({ text, issue }) => text.includes('tax') && issue !== null).length,
    ).toBeGreaterThan(3)
    expect(await heard()).toBe(before)
  })

  test('does not touch a message that a person corrected, also when that happens during the call', async () => {
    const correct = (id: string) => world.inside(company.workspaceId, (tx) => moveOut(tx, id))
    const before = [await reading.mentionsOf('both'), await reading.mentionsOf('tax')]
    await correct('both')
    await reading.choose({ scope: 'all' })
    await reading.run()
    expect((await reading.stored()).map(({ id }) => id)).toEqual(['tax', 'thanks'])
    await correct('tax')
    await company.group()
    expect([await reading.mentionsOf('both'), await reading.mentionsOf('tax')]).toEqual(before)
  })

  test('that arrives while the step of a correction is stored does not touch the corrected message', async () => {
    await reading.choose({ scope: 'all' })
    await reading.runDuringStep((tx) => moveOut(tx, 'both'))
    expect(await reading.stored()).toMatchObject([
      { id: 'both', state: null },
      { id: 'tax', state: 'waiting' },
      { id: 'thanks', state: 'waiting' },
    ])
  })

  test('that arrives while the message is edited is forgotten', async () => {
    await reading.choose({ scope: 'all' })
    await reading.run()
    await world.inside(company.workspaceId, (tx) => sql`update model_reading set again = true`.execute(tx))
    await reading.runDuringStep((tx) =>
      sql`update feedback_item set text = text || ' And more.' where external_id = 'both'`.execute(tx),
    )
    expect((await reading.stored()).map(({ id }) => id)).toEqual(['tax', 'thanks'])
  })

  test('does not touch the mentions of an insight that a person locked', async () => {
    const more = ['now', 'again', 'today', 'since Monday'].map((end) => ({
      id: `t ${end}`,
      text: `${TAX.slice(0, -1)} ${end}.`,
    }))
    await company.store(more)
    await company.group()
    await world.inside(company.workspaceId, (tx) =>
      sql`update insight set locked = true where ended_at is null`.execute(tx),
    )
    const before = await company.placed()
    const locked = before.filter(({ issue }) => issue !== null).length
    expect(locked).toBeGreaterThan(3)
    await reading.choose({ scope: 'all' })
    await reading.run()
    await company.group()
    expect((await company.placed()).filter(({ issue }) => issue !== null)).toEqual(
      before.filter(({ issue }) => issue !== null),
    )
    expect(await reading.stored()).toHaveLength(before.length - locked)
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
    await reading.choose({ scope: 'all' })
    await reading.run()
    await company.group()
    expect(await reading.mentionsOf('reply')).toMatchObject([{ point: 'CSV export stops before it is complete' }])
  })

  test('divides long messages, so that they are not divided a second time', async () => {
    await company.store([
      { id: 'long', text: `${'We have tried everything that we could think of. '.repeat(16)}${BOTH}` },
    ])
    await company.group()
    await reading.choose({ scope: 'all' })
    const settings = world.settings(model)
    expect(
      await world.inside(company.workspaceId, (tx) => splits.isDue(tx, company.workspaceId, settings, world.now)),
    ).toBe(false)
    await reading.run()
    await company.group()
    expect(await reading.mentionsOf('long')).toEqual([EXPORT_READ, TAX_READ])
    await world.inside(company.workspaceId, (tx) => deleteChoice(tx, company.workspaceId))
    await world.run(company.workspaceId, settings, { task: splits })
    expect(model.heard).toHaveLength(1)
  })
})
