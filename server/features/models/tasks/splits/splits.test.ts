import type { ServerResponse } from 'node:http'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { INJECTIONS } from '../../injection-messages.ts'
import { type ReceivedRequest, respond, ScriptedModel, withWorld, world } from '../../testing.ts'
import { Company } from '../joins/testing.ts'
import { splits } from './task.ts'

let model: ScriptedModel
let company: Company

const EXPORT = `The CSV export of our yearly report stops after a few thousand rows. We have tried it on three machines and with
two browsers, at night and in the morning, and it always breaks off at about the same place. The file that we get has no
last line and our accountant cannot use it at all. Nobody here knows what else to try before the end of the year.`
const TAX = `The invoices show the wrong tax number since the update of last week. It is the one of our old company, which we
have not used for two years, and we have looked in all the settings without finding where it comes from. Our customers
have begun to send the invoices back to us, and two of them have not paid since.`
const LETTER = `Hello,\n\n${EXPORT}\n\n${TAX}\n\nBest regards\nAnn`

withWorld()
beforeEach(async () => {
  await world.reset()
  model = await ScriptedModel.start()
  model.script = taking(EXPORT, TAX)
  company = new Company(world, await world.workspace())
  await company.store([
    { id: 'letter', text: LETTER },
    { id: 'short', text: 'The CSV export of our yearly report stops' },
  ])
  await company.group()
})
afterEach(() => model.stop())

const taking =
  (...pieces: string[]) =>
  (_heard: ReceivedRequest, response: ServerResponse) =>
    respond(response, { pieces })
const split = (more: { lastAttempt?: boolean; tokensPerDay?: number } = {}) =>
  world.run(company.workspaceId, world.settings(model, { tokensPerDay: more.tokensPerDay ?? 10_000_000 }), {
    task: splits,
    lastAttempt: more.lastAttempt ?? false,
  })
const due = () =>
  world.inside(company.workspaceId, (tx) => splits.isDue(tx, company.workspaceId, world.settings(model), world.now))

/** The mentions of the letter, as pieces of its text. */
async function said(of = 'letter'): Promise<string[]> {
  const { rows } = await world.inside(company.workspaceId, (tx) =>
    sql<{ text: string; start: number; end: number }>`
      select item.text, s.start_offset as start, s.end_offset as "end" from statement s
      join feedback_item item on item.id = s.item_id where item.external_id = ${of} order by s.number`.execute(tx),
  )
  return rows.map(({ text, start, end }) => text.slice(start, end))
}
const states = async () => {
  const { rows } = await world.inside(company.workspaceId, (tx) =>
    sql<{ state: string | null }>`select state from model_split`.execute(tx),
  )
  return rows.map((row) => row.state)
}

test('a long message is divided into its points, and is sent once', async () => {
  const before = await said()
  expect(before).not.toEqual([EXPORT, TAX])
  expect(await due()).toBe(true)
  expect(await split()).toEqual({ calls: 1, more: false })
  expect(await said()).toEqual(before)
  await company.group()
  expect(await said()).toEqual([EXPORT, TAX])
  expect(await states()).toEqual(['applied'])
  expect(model.heard[0]?.data).toEqual({ message: `${EXPORT}\n${TAX}` })
  await split()
  expect(await due()).toBe(false)
  expect(model.heard).toHaveLength(1)
  expect(await world.used(company.workspaceId)).toEqual({ installation: 500, workspace: 500, calls: 1 })
})

test('it stays divided when it is read again and when the groups are rebuilt, until it is edited', async () => {
  await split()
  await company.group()
  const again = () =>
    world.inside(company.workspaceId, (tx) => sql`update feedback_item set grouped_seq = null`.execute(tx))
  await again()
  await company.group()
  expect(await said()).toEqual([EXPORT, TAX])
  await world.inside(company.workspaceId, (tx) =>
    sql`update engine_state set state = null, grouped_seq = 0`.execute(tx),
  )
  await again()
  await company.group(world.otherProcess())
  expect(await said()).toEqual([EXPORT, TAX])
  await company.store([{ id: 'letter', text: `${LETTER}\n\nPS: and one more thing.` }])
  await company.group()
  expect(await said()).not.toContain(EXPORT)
  expect(await due()).toBe(true)
})

test('a message with a corrected mention stays as it is, also when the correction comes during the call', async () => {
  const before = await said()
  const [letter] = (await company.placed()).filter((one) => one.text === LETTER)
  const speak = () =>
    world.inside(company.workspaceId, async (tx) => {
      const [itemId, number] = (letter?.id ?? '').split(':')
      await sql`insert into insight (workspace_id, issue_number, name, summary) values (${company.workspaceId}, 900, 'a', 'b')
        on conflict do nothing`.execute(tx)
      await sql`
        with made as (
          insert into correction (workspace_id, issue_number, kind, request, state, person, touched)
          values (${company.workspaceId}, 900, 'move', '{}', 'applied', 'Ann', '{}') returning id
        )
        insert into statement_rule (workspace_id, item_id, number, pin, correction_id)
        select ${company.workspaceId}::uuid, ${itemId}::bigint, ${number}::smallint, 0, id from made`.execute(tx)
    })
  await split()
  await speak()
  await company.group()
  expect(await said()).toEqual(before)
  expect(await states()).toEqual([null])
  await split()
  expect(model.heard).toHaveLength(1)
  await world.inside(company.workspaceId, (tx) => sql`delete from model_split`.execute(tx))
  await world.inside(company.workspaceId, (tx) => sql`delete from model_look`.execute(tx))
  await split()
  expect(model.heard).toHaveLength(1)
})

test.each<[string, (heard: ReceivedRequest, response: ServerResponse) => void]>([
  ['pieces of its own', taking(EXPORT, 'The invoices show the right tax number.')],
  ['pieces that overlap', taking(`${EXPORT}\n${TAX.slice(0, 40)}`, TAX)],
  ['one half of it', taking(EXPORT)],
  ['a refusal', (_heard, response) => respond(response, 'I cannot help with that.')],
  ['HTML', (_heard, response) => respond(response, '<html></html>')],
  ['an endless reply', (_heard, response) => respond(response, 'x'.repeat(400_000))],
])('the message stays as it is when the model replies with %s', async (_what, script) => {
  const before = await said()
  model.script = script
  await split()
  await company.group()
  expect(await said()).toEqual(before)
  const asked = model.heard.length
  expect(asked).toBeGreaterThan(0)
  await split()
  expect(model.heard.length).toBeLessThanOrEqual(asked + 1)
})

test('the message stays as it is when the model is unavailable, refuses the key or exceeds the budget', async () => {
  const before = await said()
  model.script = (_heard, response) => response.writeHead(503).end()
  await expect(split()).rejects.toMatchObject({ kind: 'unavailable' })
  await split({ lastAttempt: true })
  expect(await world.outage()).toMatchObject({ what: 'it returned 503' })
  await world.reset()
  model.script = (_heard, response) => response.writeHead(401).end()
  await split()
  expect(await world.outage()).toMatchObject({ what: 'the key was refused (401)' })
  await world.reset()
  const asked = model.heard.length
  expect(await split({ tokensPerDay: 5_000 })).toEqual({ calls: 0, more: false })
  expect(model.heard).toHaveLength(asked)
  expect(await due()).toBe(false)
  expect(await said()).toEqual(before)
  world.later(61)
  expect(await due()).toBe(true)
  model.script = taking(EXPORT, TAX)
  await split()
  await company.group()
  expect(await said()).toEqual([EXPORT, TAX])
})

/** More messages about the first point of the letter, so that an insight contains it. */
const others = ['stops half way', 'stops again', 'stops in the middle', 'stops after some rows'].map((end, at) => ({
  id: `more ${at}`,
  text: `The CSV export of our yearly report ${end}`,
}))

test('a waiting correction goes first, and the message stays as it is', async () => {
  await company.store(others)
  await company.group()
  const before = await said()
  const [letter] = (await company.placed()).filter((one) => one.text === LETTER)
  expect(letter?.issue).toBe(1)
  await split()
  const request = { kind: 'move', mentions: [letter?.id], to: null }
  await world.inside(company.workspaceId, async (tx) => {
    await sql`insert into correction (workspace_id, issue_number, kind, request, person, touched)
      values (${company.workspaceId}, 1, 'move', ${JSON.stringify(request)}::jsonb, 'Ann', '{1}')`.execute(tx)
  })
  expect(await states()).toEqual(['waiting'])
  await company.group()
  expect(await said()).toEqual(before)
  expect(await states()).toEqual([null])
  expect((await company.placed()).find((one) => one.id === letter?.id)?.issue).toBeNull()
})

test('the pieces are not new feedback for the insight that the message was in', async () => {
  const heard = async () =>
    (
      await world.inside(company.workspaceId, (tx) =>
        sql<{ heard: number; status: string }>`
          select heard, status from insight where issue_number = 1`.execute(tx),
      )
    ).rows[0]
  await company.store(others)
  await company.group()
  expect((await company.placed()).find((one) => one.text === LETTER)?.issue).toBe(1)
  await world.inside(company.workspaceId, (tx) => sql`update insight set status = 'resolved'`.execute(tx))
  const before = await heard()
  await split()
  await company.group()
  expect(await said()).toEqual([EXPORT, TAX])
  expect((await company.placed()).find((one) => one.text === LETTER)?.issue).toBe(1)
  expect(await heard()).toEqual(before)
})

test('a hundred messages that speak to models: a reply about one changes that one alone', async () => {
  await company.store(INJECTIONS.map((injection, at) => ({ id: `x${at}`, text: `${EXPORT} ${injection}\n\n${TAX}` })))
  await company.group()
  const others = async () =>
    (await company.placed()).filter((one) => !INJECTIONS.some((text) => one.text.includes(text)))
  const before = await others()
  model.script = (heard, response) => {
    const { message } = heard.data as { message: string }
    respond(response, /hac.?ked|evil/i.test(message) ? { pieces: ['HACKED', message] } : { pieces: [message] })
  }
  while ((await split()).more) expect(model.heard.length).toBeLessThan(100)
  expect(model.heard.length).toBeLessThan(15)
  await company.group()
  const ids = new Set(before.map((one) => one.id))
  expect((await others()).filter((one) => ids.has(one.id) && one.text !== LETTER).map((one) => one.text)).toEqual(
    before.filter((one) => one.text !== LETTER).map((one) => one.text),
  )
  const { rows } = await world.inside(company.workspaceId, (tx) =>
    sql<{ pieces: number[] | null }>`
      select pieces from model_split p join feedback_item item on item.id = p.item_id
      where item.external_id like 'x%'`.execute(tx),
  )
  expect(rows).toHaveLength(100)
  expect(rows.every((row) => row.pieces === null)).toBe(true)
})
