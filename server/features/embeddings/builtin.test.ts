import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openEncoder } from '@groundswell/encoder/index.ts'
import { findModel } from '@groundswell/encoder/model-folder.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { duringTests } from '../../platform/testing.ts'
import { fileConnection } from '../connections/index.ts'
import { deleteItems } from '../feedback/index.ts'
import { encodeItems, encodeWorkspace } from './encode.ts'
import {
  checkEmbeddings,
  checkEncoder,
  embeddingJobs,
  readEncoderProgress,
  readEncoderVectorPage,
  readEncoderVectors,
} from './index.ts'
import { encoderProvider } from './models/provider.ts'
import { sweepEmbeddings } from './sweep.ts'
import { encodeAll, messages, World } from './testing.ts'

const SPACE = 'builtin/all-MiniLM-L6-v2-feedback'
const options = { signal: new AbortController().signal, lastAttempt: true }

let workspace: string
const world = duringTests(() => World.start(undefined, { encoder: {} }))
beforeEach(async () => {
  workspace = await world.workspace()
})

const inside = <T>(work: Parameters<typeof world.inside<T>>[1]) => world.inside(workspace, work)
const progress = () => inside((tx) => readEncoderProgress(world.services, tx, workspace))

/** The jobs of this kind that wait, as their data. */
async function waiting(name: string): Promise<{ workspaceId: string; itemIds?: number[] }[]> {
  const { rows } = await inside((tx) =>
    sql<{ data: { workspaceId: string } }>`
      select data from queue.job where name = ${name} and state = 'created' and data ->> 'workspaceId' = ${workspace}`.execute(
      tx,
    ),
  )
  return rows.map(({ data }) => data)
}

async function itemIds(): Promise<number[]> {
  const { rows } = await inside((tx) => sql<{ id: number }>`select id from feedback_item order by id`.execute(tx))
  return rows.map(({ id }) => id)
}

test('a small step of grouping requests its vectors, an import those of the workspace, once', async () => {
  await world.store(workspace, messages(3))
  await world.group(workspace)
  expect(await waiting('encode-items')).toEqual([{ workspaceId: workspace, itemIds: await itemIds() }])
  expect(await waiting('encode-workspace')).toEqual([])
  await world.store(workspace, messages(60, 100))
  await world.group(workspace)
  await world.store(workspace, messages(60, 200))
  await world.group(workspace)
  expect(await waiting('encode-items')).toHaveLength(1)
  expect(await waiting('encode-workspace')).toEqual([{ workspaceId: workspace }])
})

test('the vectors of all statements are stored, can be read, and are those of the model', async () => {
  await world.store(workspace, [...messages(70), { id: 'thanks', text: 'Thanks!' }])
  await world.group(workspace)
  const heard: number[] = []
  const stored = async (_: unknown, id: string, items: number[]) => {
    expect(id).toBe(workspace)
    heard.push(...items)
  }
  await encodeAll(world.services, workspace, stored)
  expect(await encodeWorkspace(world.services, workspace, options)).toEqual({ more: false })
  const { done, total } = (await progress()) ?? { done: 0, total: 0 }
  expect([done, total]).toEqual([total, total])
  expect(total).toBeGreaterThanOrEqual(70)
  expect(new Set(heard).size).toBe(70)
  expect((await world.stored(workspace)).filter(({ space, bytes }) => space !== SPACE || bytes !== 388)).toEqual([])
  const pages = []
  for (let after: string | null = null; ; ) {
    const page = await inside((tx) => readEncoderVectorPage(world.services, tx, workspace, { after, limit: 32 }))
    pages.push(...page)
    if (page.length < 32) break
    after = page.at(-1)?.statementId ?? null
  }
  expect(new Set(pages.map(({ statementId }) => statementId)).size).toBe(total)
  const first = pages[0] ?? { statementId: '', vector: new Float32Array() }
  const some = await inside((tx) => readEncoderVectors(world.services, tx, workspace, [first.statementId, '999:0']))
  expect(some).toEqual(new Map([[first.statementId, first.vector]]))
  const [expected] = (await openEncoder()).encode([messages(1)[0]?.text ?? ''])
  const cosine = first.vector.reduce((sum, value, at) => sum + value * (expected?.[at] ?? 0), 0)
  expect(cosine).toBeGreaterThan(0.999)
})

test('vectors follow edits, deletions and messages that are divided differently', async () => {
  await world.store(workspace, [
    { id: 'a', text: 'The export stops after a thousand rows' },
    { id: 'b', text: 'Dark mode, please' },
    { id: 'c', text: 'The invoice shows the wrong tax number' },
  ])
  await world.group(workspace)
  const [a = 0, b = 0, c = 0] = await itemIds()
  const vectorOf = async (item: number) =>
    (await inside((tx) => readEncoderVectors(world.services, tx, workspace, [`${item}:0`]))).get(`${item}:0`)
  await encodeItems(world.services, workspace, [a, b, c], options)
  const before = await vectorOf(a)
  const unchanged = await vectorOf(c)
  expect([before?.length, unchanged?.length]).toEqual([384, 384])
  await world.store(workspace, [{ id: 'a', text: 'Please add a calendar' }])
  expect(await vectorOf(a)).toBeUndefined()
  await inside(async (tx) => deleteItems(tx, workspace, (await fileConnection(tx, workspace)).id, ['b']))
  expect(await vectorOf(b)).toBeUndefined()
  await world.group(workspace)
  await inside((tx) => sql`update statement set end_offset = 11 where item_id = ${c}`.execute(tx))
  await encodeItems(world.services, workspace, [a, b, c], options)
  expect(await vectorOf(a)).not.toEqual(before)
  expect(await vectorOf(c)).not.toEqual(unchanged)
})

test('the jobs compute what grouping requested, and a sweep finds what was lost', async () => {
  const stored: string[] = []
  const other = await World.start(undefined, { encoder: {} })
  try {
    const id = await other.workspace()
    const lost = await other.workspace()
    const hooks = { changed: async () => undefined }
    const vectorsStored = async (_: unknown, workspaceId: string) => void stored.push(workspaceId)
    for (const worker of embeddingJobs(other.services, hooks, { vectorsStored }))
      await worker.start(other.services.queue)
    for (const one of [id, lost]) await other.store(one, messages(2))
    await other.group(id)
    await expect.poll(() => stored).toEqual([id])
    await other.group(lost, { ...other.services, queue: { ...other.services.queue, send: async () => null } })
    other.now = new Date(`${other.now.toISOString().slice(0, 14)}20:00Z`)
    await sweepEmbeddings(other.services)
    await expect.poll(() => stored).toEqual([id, lost])
  } finally {
    await other.stop()
  }
})

test('vectors of earlier versions of the encoder are deleted once those of this one are complete', async () => {
  await world.store(workspace, messages(4))
  await world.group(workspace)
  await encodeAll(world.services, workspace)
  for (const space of ['builtin#7/all-MiniLM-L6-v2-feedback', 'builtin/former', 'openai-compatible/small']) {
    await inside((tx) =>
      sql`
        insert into statement_vector (workspace_id, space, item_id, number, text_hash, vector)
        select workspace_id, ${space}, item_id, number, text_hash, vector from statement_vector
        where workspace_id = ${workspace} and space = ${SPACE} limit 1`.execute(tx),
    )
  }
  await encodeAll(world.services, workspace)
  const spaces = new Set((await world.stored(workspace)).map(({ space }) => space))
  expect(spaces).toEqual(new Set([SPACE, 'openai-compatible/small']))
})

test('the encoder is the default; its vectors outlast a switch to words and back, each with a preview', async () => {
  await world.store(workspace, messages(40))
  await world.group(workspace)
  expect(await world.state(workspace)).toMatchObject({
    builtin: { model: 'all-MiniLM-L6-v2-feedback', done: 0, problem: null },
    using: 'all-MiniLM-L6-v2-feedback',
    using_builtin: true,
  })
  await world.apply(workspace, await world.prepared(workspace, 'words'))
  expect(await world.state(workspace)).toMatchObject({ using: null, using_builtin: false })
  await world.store(workspace, [{ id: 'more', text: 'Dark mode, please' }])
  await world.group(workspace)
  expect(await world.state(workspace)).toMatchObject({ using: null })
  expect((await world.begin(workspace, 'words')).body.message).toContain('already in use')
  const id = await world.prepared(workspace, 'builtin')
  expect((await world.state(workspace)).switch).toMatchObject({
    state: 'ready',
    to: 'all-MiniLM-L6-v2-feedback',
    problem: null,
  })
  await world.apply(workspace, id)
  const { builtin, ...state } = await world.state(workspace)
  expect(state).toMatchObject({ using: 'all-MiniLM-L6-v2-feedback', using_builtin: true, ready: true })
  expect(builtin?.done).toBe(builtin?.total)
  await world.store(workspace, messages(5, 40))
  await world.group(workspace)
  expect(await progress()).toEqual({ done: 41, total: 46 })
  await encodeAll(world.services, workspace)
  expect(await progress()).toEqual({ done: 46, total: 46 })
  await world.apply(workspace, await world.prepared(workspace, 'words'))
  expect(await world.state(workspace)).toMatchObject({ using: null, builtin: { done: 46, total: 46 } })
})

describe('when it cannot be used', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'model-'))
    await writeFile(path.join(folder, 'tokenizer.json'), '{}')
    await writeFile(path.join(folder, 'model.safetensors'), 'not a model')
  })
  afterAll(() => rm(folder, { recursive: true }))

  test('grouping continues, Settings and doctor say why, and it is tried again later', async () => {
    const broken = await World.start(undefined, { encoder: { folder } })
    try {
      const id = await broken.workspace()
      await broken.store(id, messages(20))
      expect(await broken.group(id)).toBe(20)
      await encodeWorkspace(broken.services, id, options)
      expect(await broken.list(id)).not.toEqual([])
      const why = `the model ${(await findModel({ folder })).name} is not of the shape of all-MiniLM-L6-v2: its tokenizer is not WordPiece for lower-case text`
      const problem = { what: why, since: broken.now.toISOString() }
      expect(await broken.state(id)).toMatchObject({ builtin: { done: 0, total: 20, problem } })
      expect(await checkEncoder(broken.services)).toMatchObject([
        { state: 'notice', what: `The built-in sentence encoder cannot be used: ${why}.` },
      ])
      expect(await encoderProvider(broken.services).isPaused()).toBe(true)
      broken.later(601)
      expect(await encoderProvider(broken.services).isPaused()).toBe(false)
      const repaired = await broken.restarted(undefined, { encoder: {} })
      await encodeItems(repaired.services, id, [1, 2, 3], options)
      expect(await repaired.state(id)).toMatchObject({ builtin: { problem: null } })
      await repaired.stop()
    } finally {
      await broken.stop()
    }
  })

  test('a folder that is not there is a problem, an encoder that is switched off is none', async () => {
    const absent = await world.restarted(undefined, { encoder: { folder: path.join(folder, 'absent') } })
    expect(await absent.state(workspace)).toMatchObject({
      builtin: { model: 'absent', problem: { what: expect.stringContaining('has no tokenizer.json') } },
    })
    expect((await absent.begin(workspace, 'builtin')).body.message).toContain('switched off or cannot be found')
    await absent.stop()
    const off = await world.restarted(undefined, { encoder: undefined })
    await off.store(workspace, messages(2))
    await off.group(workspace)
    expect(await waiting('encode-items')).toEqual([])
    expect(await off.state(workspace)).toMatchObject({ builtin: null })
    expect(await checkEncoder(off.services)).toEqual([
      { state: 'ok', what: 'The built-in sentence encoder is switched off.' },
    ])
    await off.stop()
  })
})

test('doctor does not say that it is broken when it only takes too long', async () => {
  expect(await checkEncoder(world.services, { timeLimitMs: 1 })).toEqual([
    {
      state: 'notice',
      what: 'The built-in sentence encoder did not answer within 0.001 s.',
      advice: expect.stringContaining('lowest priority'),
    },
  ])
})

test('doctor reports its speed and how many vectors there are', async () => {
  await world.store(workspace, messages(3))
  await world.group(workspace)
  const [works, counted] = await checkEncoder(world.services, { timeLimitMs: 600_000 })
  expect(works?.what).toMatch(
    /^The built-in sentence encoder all-MiniLM-L6-v2-feedback works: about \d+ short texts per second/,
  )
  expect(counted?.what).toMatch(/^Statements with a vector of all-MiniLM-L6-v2-feedback: \d+ of \d+\.$/)
  expect((await checkEmbeddings(world.services)).map(({ what }) => what)).toEqual([
    'No embedding model is set up besides the built-in one.',
    expect.stringMatching(/^Workspaces that group with a model: \d+\./),
  ])
})
