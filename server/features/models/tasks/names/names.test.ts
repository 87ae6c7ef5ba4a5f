import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sweepModels } from '../../sweep.ts'
import { EXPORTS, goodReply, type ReceivedRequest, respond, ScriptedModel, withWorld, world } from '../../testing.ts'

let model: ScriptedModel
let workspaceId: string

withWorld()
beforeEach(async () => {
  model = await ScriptedModel.start()
  workspaceId = await world.workspace()
})
afterEach(() => model.stop())

const GOOD = 'CSV export stops for large reports'

test('an insight is named by the model, and what was sent and used is stored', async () => {
  await world.insight(workspaceId, 1, EXPORTS)
  await world.run(workspaceId, world.settings(model))
  expect(await world.shown(workspaceId, 1)).toEqual({
    name: GOOD,
    summary: 'The CSV export of large reports stops.',
  })
  const [heard] = model.heard as [ReceivedRequest]
  expect(heard.url).toBe('/v1/chat/completions')
  expect(heard.headers.authorization).toBe('Bearer right')
  expect(heard.model).toBe('small')
  expect(heard.title).toBe("Engine's name 1")
  expect([...heard.messages].sort()).toEqual([...EXPORTS].sort())
  expect(JSON.stringify(heard)).not.toContain('Person')
  expect(await world.stored(workspaceId, 1)).toEqual({
    name: GOOD,
    refused: null,
    tokens: 500,
    failures: 0,
    model: 'small',
    prompt_version: 'describe-insight-1',
    mention_count: 6,
  })
  const { rows } = await world.inside(workspaceId, (tx) => sql`select event, detail from insight_event`.execute(tx))
  expect(rows).toEqual([{ event: 'renamed', detail: { from: "Engine's name 1", to: GOOD } }])
})

test('a name given by a person stays shown, and no rename is recorded', async () => {
  await world.insight(workspaceId, 1, EXPORTS)
  await world.inside(workspaceId, (tx) =>
    sql`update insight set name = 'Our own name', name_by_person = true`.execute(tx),
  )
  await world.run(workspaceId, world.settings(model))
  expect(await world.stored(workspaceId, 1)).toMatchObject({ name: GOOD })
  expect(await world.shown(workspaceId, 1)).toEqual({
    name: 'Our own name',
    summary: 'The CSV export of large reports stops.',
  })
  const { rows } = await world.inside(workspaceId, (tx) =>
    sql<{ to: string }>`select detail->>'to' as to from insight_event where event = 'renamed'`.execute(tx),
  )
  expect(rows.map(({ to }) => to)).not.toContain(GOOD)
  await world.inside(workspaceId, (tx) => sql`update insight set name_by_person = false`.execute(tx))
  expect(await world.shown(workspaceId, 1)).toMatchObject({ name: GOOD })
})

test('the revision rises with the new name, so that lists are refreshed', async () => {
  await world.insight(workspaceId, 1, EXPORTS)
  const read = async () =>
    (
      await world.inside(workspaceId, (tx) =>
        sql<{ of: number; is: number }>`
          select insight.revision as of, workspace.revision as is from insight join workspace using (workspace_id)`.execute(
          tx,
        ),
      )
    ).rows[0]
  const before = await read()
  await world.run(workspaceId, world.settings(model))
  const after = await read()
  expect(after?.is).toBe((before?.is ?? 0) + 1)
  expect(after?.of).toBe(after?.is)
})

test('an insight is asked about once, and again when it is described differently or has grown by a quarter', async () => {
  await world.insight(workspaceId, 1, EXPORTS)
  const settings = world.settings(model)
  await world.run(workspaceId, settings)
  await world.run(workspaceId, settings)
  expect(model.heard).toHaveLength(1)

  await world.insight(workspaceId, 1, ['CSV export of a large report stops again'])
  await world.run(workspaceId, settings)
  expect(model.heard).toHaveLength(1)

  await world.insight(workspaceId, 1, ['The export to CSV stops for every large report'])
  await world.run(workspaceId, settings)
  expect(model.heard).toHaveLength(2)
  expect((await world.shown(workspaceId, 1))?.name).toBe(GOOD)

  await world.insight(workspaceId, 1, [], { hash: 'h2', name: 'Engine says something else' })
  expect((await world.shown(workspaceId, 1))?.name).toBe('Engine says something else')
  model.script = (heard, response) => respond(response, goodReply(heard, 'Large CSV reports stop'))
  await world.run(workspaceId, settings)
  expect((await world.shown(workspaceId, 1))?.name).toBe('Large CSV reports stop')
})

test('the largest come first, ten at a time, and no call is made while feedback waits to be grouped', async () => {
  for (let number = 1; number <= 11; number++) {
    await world.insight(workspaceId, number, number === 7 ? EXPORTS : EXPORTS.slice(0, 3), {
      name: `Title ${number}`,
    })
  }
  const item = (seq: number | null) =>
    world.inside(workspaceId, (tx) =>
      sql`update feedback_item set grouped_seq = ${seq} where id = (select min(id) from feedback_item)`.execute(tx),
    )
  await item(null)
  expect(await world.run(workspaceId, world.settings(model))).toEqual({ calls: 0, more: false })
  await item(1)
  model.script = (heard, response) =>
    respond(response, goodReply(heard, `${GOOD} ${heard.title.replace('Title ', '')}`))
  expect(await world.run(workspaceId, world.settings(model))).toEqual({ calls: 10, more: true })
  expect(model.heard[0]?.title).toBe('Title 7')
  expect(await world.run(workspaceId, world.settings(model))).toEqual({ calls: 1, more: false })
})

test('no two insights have the same name: the model is asked again about the second, which then keeps the built-in one', async () => {
  await world.insight(workspaceId, 1, EXPORTS)
  await world.insight(workspaceId, 2, EXPORTS.slice(0, 4))
  await world.run(workspaceId, world.settings(model))
  expect((await world.shown(workspaceId, 1))?.name).toBe(GOOD)
  expect((await world.shown(workspaceId, 2))?.name).toBe("Engine's name 2")
  expect((await world.stored(workspaceId, 2))?.refused).toBe('taken')
  expect(model.heard[2]?.outside).toContain('Another title in the list is the same')
})

test('a second answer that fixes the first is accepted', async () => {
  await world.insight(workspaceId, 1, EXPORTS)
  model.script = (heard, response, count) => respond(response, count === 1 ? 'Sure! Here you go.' : goodReply(heard))
  await world.run(workspaceId, world.settings(model))
  expect((await world.shown(workspaceId, 1))?.name).toBe(GOOD)
  expect(model.heard[1]?.outside).toContain('It was not one JSON object')
  expect((await world.stored(workspaceId, 1))?.tokens).toBe(1000)
})

test('an insight whose description changed during the call is not named', async () => {
  await world.insight(workspaceId, 1, EXPORTS)
  model.script = (heard, response) => {
    void world
      .insight(workspaceId, 1, [], { hash: 'h2', name: 'Another name' })
      .then(() => respond(response, goodReply(heard)))
  }
  await world.run(workspaceId, world.settings(model))
  expect((await world.shown(workspaceId, 1))?.name).toBe('Another name')
  expect(await world.stored(workspaceId, 1)).toBeUndefined()
})

test('an insight by one person alone is not asked about, at no cost', async () => {
  await world.insight(workspaceId, 1, EXPORTS, { author: 'Kim' })
  await world.run(workspaceId, world.settings(model))
  expect(model.heard).toHaveLength(0)
  expect((await world.stored(workspaceId, 1))?.refused).toBe('people')
  await world.run(workspaceId, world.settings(model))
  expect(await world.used(workspaceId)).toMatchObject({ calls: 0, workspace: 0 })
})

test('where no answer was accepted another model is asked', async () => {
  await world.insight(workspaceId, 1, EXPORTS)
  model.script = (_heard, response) => respond(response, 'no')
  await world.run(workspaceId, world.settings(model))
  model.script = (heard, response) => respond(response, goodReply(heard))
  await world.run(workspaceId, world.settings(model))
  expect(model.heard).toHaveLength(2)
  await world.run(workspaceId, world.settings(model, { model: 'larger' }))
  expect((await world.shown(workspaceId, 1))?.name).toBe(GOOD)
})

test('the sweep finds what is due, and only that', async () => {
  await world.insight(workspaceId, 1, EXPORTS)
  const settings = world.settings(model)
  const due: string[] = []
  const sweep = () =>
    sweepModels(world.services, settings, async (task, id) => {
      if (task === 'names') due.push(id)
    })
  await sweep()
  expect(due).toContain(workspaceId)
  await world.run(workspaceId, settings)
  due.length = 0
  await sweep()
  expect(due).not.toContain(workspaceId)
})

test('workspaces neither see nor name each other’s insights', async () => {
  const other = await world.workspace()
  await world.insight(workspaceId, 1, EXPORTS)
  await world.insight(other, 1, EXPORTS)
  await world.run(workspaceId, world.settings(model))
  expect(model.heard).toHaveLength(1)
  expect((await world.shown(other, 1))?.name).toBe("Engine's name 1")
  expect(await world.stored(other, 1)).toBeUndefined()
})
