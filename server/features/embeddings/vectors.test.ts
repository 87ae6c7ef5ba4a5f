import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EmbeddingSettings } from '../../platform/config/model-settings.ts'
import { duringTests } from '../../platform/testing.ts'
import { fileConnection } from '../connections/index.ts'
import { deleteItems } from '../feedback/index.ts'
import { raiseRevision } from '../insights/index.ts'
import { vectorSource } from './source.ts'
import { writeChoice } from './store.ts'
import { sweepEmbeddings } from './sweep.ts'
import { answer, messages, ScriptedEmbeddings, vectorOf, World } from './testing.ts'

const SPACE = 'openai-compatible/small'
let workspace: string
const settings: EmbeddingSettings = { provider: 'openai-compatible', url: '', key: 'right', model: 'small' }
const usual: ScriptedEmbeddings['script'] = (heard, response) => answer(response, heard.input.map(vectorOf))

const model = duringTests(() => ScriptedEmbeddings.start())
const world = duringTests(() => World.start(Object.assign(settings, { url: model.url })))
beforeEach(async () => {
  workspace = await world.workspace()
})
afterEach(async () => {
  model.script = usual
  model.heard.length = 0
  await world.endOutage()
  world.logged.length = 0
})

const choose = (id = workspace) =>
  world.inside(id, async (tx) => {
    await writeChoice(tx, id, SPACE, world.now)
    await raiseRevision(tx, id)
  })
const statuses = async () => {
  const { embedded, statements } = await world.state(workspace)
  return { embedded, statements }
}

/** Services whose queue runs nothing, and the jobs that were sent to it. */
function listening() {
  const sent: { workspaceId: string; startAfter: unknown }[] = []
  const send = async (_job: unknown, data: { workspaceId: string }, options: { startAfter?: unknown }) => {
    if (data.workspaceId === workspace) sent.push({ ...data, startAfter: options.startAfter })
    return null
  }
  const queue = { ...world.services.queue, send } as typeof world.services.queue
  return { services: { ...world.services, queue }, sent }
}

test('nothing is sent before a workspace has chosen the model', async () => {
  await world.store(workspace, messages(40))
  await world.group(workspace)
  await world.advance(workspace)
  expect(model.heard).toEqual([])
  expect(await world.state(workspace)).toMatchObject({
    offered: { provider: 'openai-compatible', model: 'small', where: new URL(model.url).host },
    using: null,
    ready: true,
    switch: null,
  })
})

test('new feedback gets its vectors before it is placed, each text once', async () => {
  await choose()
  const said = messages(70)
  await world.store(workspace, [...said, { id: 'again', text: (said[0] as { text: string }).text }])
  expect(await world.group(workspace)).toBe(71)
  expect(new Set(model.texts).size).toBe(model.texts.length)
  expect(model.heard.every((one) => one.input.length <= 64 && one.headers.authorization === 'Bearer right')).toBe(true)
  const asked = model.texts.length
  const { embedded, statements } = await statuses()
  expect([embedded, statements]).toEqual([statements, statements])
  expect((await world.stored(workspace)).filter((one) => one.bytes !== 12)).toEqual([])
  await world.store(workspace, [{ id: 'third', text: (said[1] as { text: string }).text }])
  await world.group(workspace)
  expect(model.texts).toHaveLength(asked)
  expect((await world.stored(workspace)).map((one) => one.id)).toContain('third:0')
})

test('texts of similar length are sent together', async () => {
  await world.store(
    workspace,
    messages(150).map((one, at) => ({ ...one, text: one.text + ' again'.repeat(at % 7) })),
  )
  await world.group(workspace)
  await choose()
  await world.advance(workspace)
  const lengths = model.heard.map(({ input }) => input.slice(0, -1).map((text) => text.length))
  const bounds = lengths.map((some) => [Math.min(...some), Math.max(...some)]).sort(([a = 0], [b = 0]) => a - b)
  expect(bounds).toHaveLength(3)
  expect(bounds.flat()).toEqual(bounds.flat().sort((a, b) => a - b))
})

test('an unavailable model does not block grouping: words decide, calls pause, and its vectors come later', async () => {
  await choose()
  model.script = (_heard, response) => void response.writeHead(503).end()
  await world.store(workspace, messages(30))
  await world.group(workspace)
  expect(await world.list(workspace)).not.toEqual([])
  expect(model.heard.length).toBeLessThanOrEqual(2)
  const asked = model.heard.length
  await world.store(workspace, messages(30, 30))
  await world.group(workspace)
  expect(model.heard).toHaveLength(asked)
  expect(await world.state(workspace)).toMatchObject({
    embedded: 0,
    problem: { what: 'it returned 503', paused_until: new Date(world.now.getTime() + 60_000).toISOString() },
  })
  model.script = usual
  world.later(61)
  await world.advance(workspace)
  const { embedded, statements } = await statuses()
  expect(embedded).toBe(statements)
  expect((await world.state(workspace)).problem).toBeNull()
  expect(world.logged.filter((line) => line.includes('"level":40'))).toHaveLength(1)
  expect(world.logged.join('\n')).not.toMatch(/right|export|thousand/i)
})

test('grouping waits no longer than its limit for a model that stalls', async () => {
  await choose()
  model.script = () => undefined
  await world.store(workspace, messages(3))
  const { services, sent } = listening()
  const source = vectorSource(services, 100)
  const wanted = [{ itemId: 1, number: 0, text: 'anything', version: '1' }]
  expect(await source.fresh(workspace, SPACE, wanted)).toEqual(new Map())
  expect(await world.outage()).toMatchObject({ what: 'it needs more than 0.1 s for new feedback' })
  expect(sent).toEqual([{ workspaceId: workspace, startAfter: 60 }])
})

test('a rate limit is thrown to the queue and pauses all calls', async () => {
  await world.store(workspace, messages(20))
  await world.group(workspace)
  await choose()
  model.script = (_heard, response) => void response.writeHead(429, { 'retry-after': '90' }).end()
  await expect(world.advance(workspace)).rejects.toMatchObject({ kind: 'rate-limited', retryAfter: 90 })
  expect((await world.outage())?.pausedUntil).toEqual(new Date(world.now.getTime() + 90_000))
  expect(await world.advance(workspace)).toEqual({ more: false })
  expect(model.heard).toHaveLength(1)
  model.script = usual
  world.later(91)
  await world.advance(workspace)
  expect((await statuses()).embedded).toBe(20)
})

test('the queue retries an unreachable server, and the last attempt pauses calls for ten minutes', async () => {
  await world.store(workspace, messages(5))
  await world.group(workspace)
  await choose()
  model.script = (_heard, response) => void response.destroy()
  await expect(world.advance(workspace)).rejects.toMatchObject({ kind: 'unavailable' })
  expect(await world.outage()).toBeNull()
  await world.advance(workspace, { lastAttempt: true })
  expect((await world.outage())?.pausedUntil).toEqual(new Date(world.now.getTime() + 600_000))
})

test('killed in the middle, it resumes where it was and sends nothing twice', async () => {
  await world.store(workspace, messages(300))
  await world.group(workspace)
  await choose()
  const stop = new AbortController()
  model.script = (heard, response, count) => {
    if (count === 3) stop.abort(new Error('killed'))
    else usual(heard, response, count)
  }
  await expect(world.advance(workspace, { signal: stop.signal })).rejects.toThrow('killed')
  const kept = await world.stored(workspace)
  expect(kept.length).toBeGreaterThanOrEqual(2 * 63)
  const before = model.texts.length
  model.script = usual
  await world.advance(workspace)
  expect(await statuses()).toEqual({ embedded: 300, statements: 300 })
  const later = model.texts.slice(before)
  const numberOf = (text: string) => /\((\d+)\)/.exec(text)?.[1]
  const stored = new Set(kept.map(({ id }) => id.slice(1, id.indexOf(':'))))
  expect(later.filter((text) => stored.has(numberOf(text) as string))).toEqual([])
  expect(kept.length + later.length).toBe(300)
  expect(new Set(model.texts).size).toBe(300)
})

test('a run gives way in time and reports that there is more', async () => {
  await world.store(workspace, messages(10))
  await world.group(workspace)
  await choose()
  expect(await world.advance(workspace, { runMs: -1 })).toEqual({ more: true })
  expect(model.heard).toEqual([])
})

test('one text that the model rejects does not hold up the others', async () => {
  await world.store(workspace, messages(20))
  await world.group(workspace)
  await choose()
  model.script = (heard, response, count) => {
    if (heard.input.some((text) => text.includes('(7)'))) response.writeHead(400).end()
    else usual(heard, response, count)
  }
  await world.advance(workspace)
  expect(await statuses()).toEqual({ embedded: 20, statements: 20 })
  expect((await world.stored(workspace)).filter((one) => one.bytes === null).map((one) => one.id)).toEqual(['m7:0'])
  expect(await world.outage()).toBeNull()
})

test('a model that rejects everything pauses all calls, and no text is marked', async () => {
  await world.store(workspace, messages(20))
  await world.group(workspace)
  await choose()
  model.script = (_heard, response) => void response.writeHead(404).end()
  await world.advance(workspace)
  expect(await world.stored(workspace)).toEqual([])
  expect((await world.outage())?.what).toBe('it rejected the request (404)')
  expect(model.heard).toHaveLength(2 * 1)
})

test('vectors of another dimension than those of an older release are not mixed in, and it is reported', async () => {
  await choose()
  await world.store(workspace, messages(10))
  await world.group(workspace)
  model.script = (heard, response) =>
    answer(
      response,
      heard.input.map(() => [1, 2, 3]),
    )
  const forgetModels = () => world.inside(workspace, (tx) => sql`delete from embedding_model`.execute(tx))
  await forgetModels()
  await world.store(workspace, messages(10, 10))
  await world.group(workspace)
  await forgetModels()
  expect((await world.outage())?.what).toBe(
    'it returned vectors of 3 numbers, but earlier ones of small have 8: it is a different model',
  )
  expect(await world.stored(workspace)).toHaveLength(10)
  expect((await statuses()).statements).toBe(20)
})

test('vectors are deleted with their message, and when it is edited', async () => {
  await choose()
  await world.store(workspace, messages(6))
  await world.group(workspace)
  await world.inside(workspace, async (tx) => {
    const { id } = await fileConnection(tx, workspace)
    await deleteItems(tx, workspace, id, ['m1'])
  })
  expect((await world.stored(workspace)).map((one) => one.id)).not.toContain('m1:0')
  await world.store(workspace, [{ id: 'm2', text: 'Invoice PDF shows something else entirely now' }])
  expect((await world.stored(workspace)).map((one) => one.id)).not.toContain('m2:0')
  await world.group(workspace)
  expect((await world.stored(workspace)).map((one) => one.id)).toContain('m2:0')
  expect(model.texts.at(-1)).toBe('Invoice PDF shows something else entirely now')
})

test('a vector is used only for the text it was made from', async () => {
  await choose()
  await world.store(workspace, messages(4))
  await world.group(workspace)
  const source = vectorSource(world.services)
  const said = await world.inside(workspace, (tx) =>
    sql<{ itemId: string; number: number; text: string }>`
      select item_id::text as "itemId", number, text from statement s join feedback_item i on i.id = s.item_id
      order by item_id`.execute(tx),
  )
  const [first, ...others] = said.rows as [(typeof said.rows)[number], ...typeof said.rows]
  const read = (statements: typeof said.rows) =>
    world.inside(workspace, (tx) => source.stored(tx, workspace, SPACE, statements))
  expect((await read(said.rows)).size).toBe(4)
  const after = await read([{ ...first, text: 'a piece of it' }, ...others])
  expect([...after.keys()]).toEqual(others.map((one) => `${one.itemId}:0`))
  expect(await statuses()).toEqual({ embedded: 3, statements: 4 })
  await world.advance(workspace)
  expect(await statuses()).toEqual({ embedded: 4, statements: 4 })
})

test('the sweep requests missing vectors, and nothing while the model is paused', async () => {
  await world.store(workspace, messages(5))
  await world.group(workspace)
  const { services, sent } = listening()
  world.now = new Date('2026-03-02T11:00:00Z')
  await sweepEmbeddings(services)
  expect(sent).toEqual([])
  await choose()
  await sweepEmbeddings(services)
  expect(sent).toEqual([{ workspaceId: workspace, startAfter: undefined }])
  sent.length = 0
  world.later(60)
  await sweepEmbeddings(services)
  expect(sent).toEqual([])
  world.later(540)
  model.script = (_heard, response) => void response.writeHead(401).end()
  await world.advance(workspace)
  await sweepEmbeddings(services)
  expect(sent).toEqual([])
})

test('the sweep continues a switch, also to end one whose model is gone; not while that model is paused', async () => {
  const { services, sent } = listening()
  world.now = new Date('2026-03-02T11:01:00Z')
  await world.begin(workspace)
  await sweepEmbeddings(services)
  await sweepEmbeddings({ ...services, config: { ...services.config, embeddings: undefined } })
  expect(sent).toHaveLength(2)
  await world.store(workspace, messages(3))
  await world.group(workspace)
  model.script = (_heard, response) => void response.writeHead(401).end()
  await world.advance(workspace)
  await sweepEmbeddings(services)
  expect(sent).toHaveLength(2)
})
