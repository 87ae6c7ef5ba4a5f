import type { EmbeddingSwitch } from '@groundswell/contract/models/embeddings.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withCaches } from '../../platform/caches.ts'
import type { EmbeddingSettings } from '../../platform/config/model-settings.ts'
import { duringTests } from '../../platform/testing.ts'
import { answer, messages, ScriptedEmbeddings, vectorOf, World } from './testing.ts'

let workspace: string
const settings: EmbeddingSettings = { provider: 'openai-compatible', url: '', model: 'small' }
const usual: ScriptedEmbeddings['script'] = (heard, response) => answer(response, heard.input.map(vectorOf))

const model = duringTests(() => ScriptedEmbeddings.start())
const world = duringTests(() => World.start(Object.assign(settings, { url: model.url })))
beforeEach(async () => {
  workspace = await world.workspace()
  await world.store(workspace, messages(80))
  await world.group(workspace)
})
afterEach(async () => {
  model.script = usual
  model.heard.length = 0
  await world.endOutage()
})

type Shown = Map<string, number | null>

/** The insight of every mention, by its message. */
async function places(): Promise<Shown> {
  const { rows } = await world.inside(workspace, (tx) =>
    sql<{ id: string; issue: number | null }>`
      select item.external_id || ':' || s.number as id, case when i.hidden or i.ended_at is not null then null
        else s.issue_number end as issue
      from statement s join feedback_item item on item.workspace_id = s.workspace_id and item.id = s.item_id
      left join insight i on i.workspace_id = s.workspace_id and i.issue_number = s.issue_number
      order by 1`.execute(tx),
  )
  return new Map(rows.map((row) => [row.id, row.issue]))
}

const movedBetween = (before: Shown, after: Shown) =>
  [...before].filter(([id, issue]) => (after.get(id) ?? null) !== issue).map(([id]) => id)

/** Moves half of one insight's mentions into another and ungroups those of a third, as worse grouping would have done. */
async function muddle({ third = true } = {}): Promise<void> {
  await world.inside(workspace, async (tx) => {
    await sql`
      update statement set issue_number = (select min(issue_number) from insight where not hidden and deleted_at is null)
      where not exists (select from statement_rule r where r.item_id = statement.item_id) and issue_number = (select max(issue_number) from insight where not hidden and deleted_at is null) and item_id / 4 % 2 = 0`.execute(
      tx,
    )
    await sql`
      update statement set issue_number = null, kind = 'pending'
      where ${third} and not exists (select from statement_rule r where r.item_id = statement.item_id) and issue_number = (select min(issue_number) + 1 from insight where not hidden and deleted_at is null)`.execute(
      tx,
    )
    await sql`
      update insight set mention_count = (select count(*) from statement s where s.issue_number = insight.issue_number),
        hidden = (select count(distinct item_id) < 2 from statement s where s.issue_number = insight.issue_number),
        heard = 1000, revision = (select revision + 1 from workspace)`.execute(tx)
    await sql`update workspace set revision = revision + 1`.execute(tx)
    await sql`update engine_state set state = null, grouped_seq = 0, head = head + 1`.execute(tx)
  })
}

const current = async () => (await world.state(workspace)).switch as EmbeddingSwitch

test('prepared in the background, previewed, and applied at once: exactly what the preview showed', async () => {
  await muddle()
  const before = await places()
  const list = await world.list(workspace)
  const { status, body } = await world.begin(workspace)
  expect(status).toBe(200)
  expect(await current()).toMatchObject({ state: 'gathering', to: 'small', embedded: 0, statements: 80, preview: null })
  while ((await world.advance(workspace)).more);
  const ready = await current()
  expect(ready).toMatchObject({ state: 'ready', embedded: 80, statements: 80, problem: null, began_by: 'A' })
  expect(await world.list(workspace)).toEqual(list)
  expect(await places()).toEqual(before)
  expect((await world.state(workspace)).using).toBeNull()

  const preview = ready.preview as NonNullable<EmbeddingSwitch['preview']>
  expect(preview.insights_before).toBe(list.length)
  expect(preview.mentions_moved).toBeGreaterThan(0)
  expect(preview.same + preview.changed + preview.merged + preview.ended).toBe(preview.insights_before)
  expect(preview.same + preview.changed + preview.born + preview.split).toBe(preview.insights_after)

  await world.apply(workspace, body.switch_id)
  expect(await current()).toMatchObject({ state: 'applied', preview, ended_at: world.now.toISOString() })
  expect(await world.state(workspace)).toMatchObject({ using: 'small', ready: true, embedded: 80, statements: 80 })
  const after = await places()
  expect(movedBetween(before, after)).toHaveLength(preview.mentions_moved)
  const shown = await world.list(workspace)
  expect(shown).toHaveLength(preview.insights_after)
  const mentionsOf = (issue: number | null) => [...after.values()].filter((one) => one === issue).length
  const known = preview.examples.filter((one) => one.issue_number !== null)
  expect(known.map((one) => mentionsOf(one.issue_number))).toEqual(known.map((one) => one.mentions_after))
  const fresh = preview.examples.filter((one) => one.issue_number === null).map((one) => one.name)
  expect(fresh.filter((name) => !shown.some((one) => one.issue_name === name))).toEqual([])
  expect(known.length + fresh.length).toBeGreaterThan(1)
  // Grouping continues from there, in this process and in a new one.
  await world.store(workspace, messages(8, 80))
  expect(await world.group(workspace)).toBe(8)
  expect(await world.group(workspace, withCaches(world.services))).toBe(0)
  expect(await world.state(workspace)).toMatchObject({ embedded: 88, statements: 88 })
})

test('corrections by people hold: before the switch, in its preview, and after it', async () => {
  const [first, second, third, deleted] = (await world.list(workspace)).map((one) => one.issue_number) as number[] as [
    number,
    number,
    number,
    number,
  ]
  const say = (issue: number, correction: object) =>
    world.call(workspace, 'POST', `/api/insights/${issue}/corrections`, correction)
  const evidence = async (issue: number) => {
    const { rows } = await world.inside(workspace, (tx) =>
      sql<{ id: string }>`
        select item_id || ':' || number as id from statement where issue_number = ${issue} order by item_id`.execute(
        tx,
      ),
    )
    return rows.map((row) => row.id)
  }
  const [moved] = (await evidence(first)) as [string]
  const [rejected] = (await evidence(third)) as [string]
  await say(first, { kind: 'move', mentions: [moved], to: second })
  await say(third, { kind: 'reject', mentions: [rejected] })
  await say(second, { kind: 'rename', name: 'As Ann calls it' })
  await world.group(workspace)
  await world.call(workspace, 'DELETE', `/api/insights/${deleted}`)
  await world.group(workspace)
  await muddle({ third: false })
  const id = await world.prepared(workspace)
  expect((await current()).preview?.mentions_moved).toBeGreaterThan(0)
  await world.apply(workspace, id)
  expect((await current()).state).toBe('applied')
  expect(await evidence(second)).toContain(moved)
  expect(await evidence(third)).not.toContain(rejected)
  const shown = await world.list(workspace)
  expect(shown.find((one) => one.issue_number === second)?.issue_name).toBe('As Ann calls it')
  expect(shown.map((one) => one.issue_number)).not.toContain(deleted)
  await world.apply(workspace, await world.prepared(workspace, 'words'))
  expect(await evidence(second)).toContain(moved)
  expect(await evidence(third)).not.toContain(rejected)
  expect((await world.state(workspace)).using).toBeNull()
})

test('discarded, it changes nothing, and keeps the vectors for the next time', async () => {
  const before = await places()
  const id = await world.prepared(workspace)
  const asked = model.heard.length
  expect((await world.call(workspace, 'DELETE', `/api/embeddings/switches/${id}`)).status).toBe(200)
  expect(await current()).toMatchObject({ state: 'discarded' })
  expect(await places()).toEqual(before)
  for (const [method, path] of [
    ['POST', `/api/embeddings/switches/${id}/apply`],
    ['DELETE', `/api/embeddings/switches/${id}`],
  ] as const) {
    expect((await world.call(workspace, method, path)).status).toBe(409)
  }
  await world.prepared(workspace)
  expect(model.heard).toHaveLength(asked)
})

test('a workspace without feedback can switch too', async () => {
  const empty = await world.workspace()
  const id = await world.prepared(empty)
  expect((await world.state(empty)).switch).toMatchObject({
    state: 'ready',
    preview: { insights_before: 0, insights_after: 0, mentions: 0, mentions_moved: 0, examples: [] },
  })
  await world.apply(empty, id)
  expect(await world.state(empty)).toMatchObject({ using: 'small', embedded: 0, statements: 0 })
  await world.store(empty, messages(20))
  expect(await world.group(empty)).toBe(20)
  expect((await world.list(empty)).length).toBeGreaterThan(0)
})

test('one at a time, and only where there is something to switch to', async () => {
  expect(await world.begin(workspace, 'words')).toMatchObject({ status: 409 })
  const first = await world.begin(workspace)
  expect(await world.begin(workspace)).toMatchObject({ status: 409 })
  const nobodys = `/api/embeddings/switches/${crypto.randomUUID()}`
  expect((await world.call(workspace, 'POST', `${nobodys}/apply`)).status).toBe(404)
  const early = await world.call(workspace, 'POST', `/api/embeddings/switches/${first.body.switch_id}/apply`)
  expect(early.status).toBe(409)
})

test('feedback that arrives between preview and approval is included', async () => {
  const id = await world.prepared(workspace)
  await world.store(workspace, messages(12, 80))
  await world.group(workspace)
  await world.apply(workspace, id)
  expect(await current()).toMatchObject({ state: 'applied', embedded: 92, statements: 92 })
  expect([...(await places()).values()].filter((issue) => issue === null)).toEqual([])
})

test('an outdated preview is replaced by a new one instead of being applied', async () => {
  const id = await world.prepared(workspace)
  await world.inside(workspace, (tx) =>
    sql`update embedding_switch set preview = preview || '{"merged": 9}'`.execute(tx),
  )
  await muddle()
  const before = await places()
  await world.apply(workspace, id)
  expect(await current()).toMatchObject({
    state: 'ready',
    problem: 'Much has changed since this preview: here is what would change now.',
  })
  expect(await places()).toEqual(before)
  await world.apply(workspace, id)
  expect((await current()).state).toBe('applied')
})

test('a preview of the same groups that differs is not applied', async () => {
  const id = await world.prepared(workspace)
  await world.inside(workspace, (tx) => sql`update embedding_switch set plan_hash = 'other'`.execute(tx))
  await world.apply(workspace, id)
  expect((await current()).state).toBe('ready')
})

test('a switch waits while the model is unavailable and reports it; nothing is lost', async () => {
  model.script = (_heard, response) => void response.writeHead(429, { 'retry-after': '30' }).end()
  await world.begin(workspace)
  await expect(world.advance(workspace)).rejects.toMatchObject({ kind: 'rate-limited' })
  expect(await current()).toMatchObject({ state: 'gathering', problem: 'the rate limit is reached (429)', embedded: 0 })
  model.script = usual
  world.later(31)
  while ((await world.advance(workspace)).more);
  expect((await current()).state).toBe('ready')
})

test('a model that is no longer offered fails its switch; where it was in use, grouping continues by words', async () => {
  await world.apply(workspace, await world.prepared(workspace))
  await world.begin(workspace)
  const asked = model.heard.length
  const later = await world.restarted({ ...settings, model: 'large' })
  try {
    await later.advance(workspace)
    expect(await later.state(workspace)).toMatchObject({
      offered: { model: 'large' },
      using: 'small',
      ready: false,
      switch: { state: 'failed', problem: 'The server no longer offers small.' },
    })
    await later.store(workspace, messages(10, 80))
    expect(await later.group(workspace)).toBe(10)
    await later.advance(workspace)
    expect(model.heard).toHaveLength(asked)
    await later.apply(workspace, await later.prepared(workspace, 'words'))
    expect(await later.state(workspace)).toMatchObject({ using: null, ready: true, switch: { state: 'applied' } })
  } finally {
    await later.stop()
  }
})

test('two workers apply it once', async () => {
  await muddle()
  const id = await world.prepared(workspace)
  await world.call(workspace, 'POST', `/api/embeddings/switches/${id}/apply`)
  const { preview } = await current()
  const before = await places()
  await Promise.all([world.advance(workspace), world.advance(workspace)])
  expect((await current()).state).toBe('applied')
  expect(movedBetween(before, await places())).toHaveLength(preview?.mentions_moved as number)
})
