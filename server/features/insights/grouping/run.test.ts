import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { ENGINE_VERSION } from '@groundswell/engine/index.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { deleteItems } from '../../feedback/index.ts'
import { idOf, type Message, withWorld, world } from '../testing.ts'
import { forgetGroups, groupNow, groupWorkspace } from './run.ts'
import { workspacesToGroup } from './stores/work-store.ts'

let workspace: string

withWorld()
beforeEach(async () => {
  workspace = await world.workspace()
})

const subjects = [
  ['CSV export', 'stops after the first thousand rows', 'of every report'],
  ['Password reset mail', 'never arrives in the inbox', 'of our colleagues'],
  ['Dark mode', 'makes the calendar text unreadable', 'on small phones'],
  ['Invoice PDF', 'shows the wrong tax number', 'for German customers'],
] as const
const ends = ['', '!', ' 🤯', ' ...', '?!', '.']

/** Messages about the subjects in turn, all worded differently; the same number gives the same message. */
function messages(count: number, from = 0): Message[] {
  return Array.from({ length: count }, (_, index) => {
    const n = from + index
    const [what, does, where] = subjects[n % subjects.length] as (typeof subjects)[number]
    const text = `${what} ${does} ${n % 3 === 0 ? where : ''}${ends[n % ends.length]} (${n})`
    return { id: `m${n}`, text, author: `person ${n % 11}`, at: new Date(Date.UTC(2026, 1, 1, 0, n)) }
  })
}

type Groups = {
  statements: { external_id: string; kind: string; issue_number: number | null }[]
  insights: {
    issue_number: number
    mention_count: number
    people_count: number
    hidden: boolean
    removed_in_engine: boolean
  }[]
}
const groups = async (id = workspace) => (await world.groups(id)) as Groups

/** The stored counts of the insights match their statements. */
async function expectCountsToAgree(): Promise<void> {
  const { statements, insights } = await groups()
  for (const insight of insights) {
    const own = statements.filter((one) => one.issue_number === insight.issue_number)
    expect(insight.mention_count).toBe(own.length)
    expect(insight.hidden).toBe(new Set(own.map((one) => one.external_id)).size < 2)
  }
}

test('messages become insights with counts, names and mentions', async () => {
  await world.store(workspace, messages(80))
  expect(await groupNow(world.services, workspace)).toBe(80)
  expect(await groupNow(world.services, workspace)).toBe(0)
  const { statements, insights } = await groups()
  expect(new Set(statements.map((one) => one.external_id)).size).toBe(80)
  const shown = insights.filter((one) => !one.hidden)
  expect(shown.length).toBeGreaterThanOrEqual(3)
  expect(shown.reduce((sum, one) => sum + one.mention_count, 0)).toBeGreaterThan(50)
  expect(Math.max(...shown.map((one) => one.people_count))).toBeLessThanOrEqual(11)
  await expectCountsToAgree()
  const { rows: unsure } = await world.inside(workspace, (tx) =>
    sql`select issue_number from insight where name_confident is null`.execute(tx),
  )
  expect(unsure).toEqual([])
  const list = (await world.call(workspace, 'GET', '/api/insights/get-all')).body as {
    issue_name: string
    evidence: { text: string }[]
  }[]
  expect(list).toHaveLength(shown.length)
  const texts = messages(80).map((one) => one.text)
  for (const { issue_name, evidence } of list) {
    expect(issue_name).not.toBe('')
    for (const mention of evidence) expect(texts.some((text) => text.includes(mention.text))).toBe(true)
  }
})

test('a process that loses its memory between any two steps ends with the same groups', async () => {
  const lossy = await world.workspace()
  for (let from = 0; from < 120; from += 30) {
    const part = messages(30, from)
    for (const id of [workspace, lossy]) await world.store(id, part)
    await groupNow(world.services, workspace)
    await forgetGroups(world.services)
    const process = world.otherProcess()
    await groupNow(process, lossy)
    await forgetGroups(process)
  }
  expect(await groups(lossy)).toEqual(await groups())
})

test('what was decided after the last snapshot is replayed and leads to the same groups', async () => {
  const lossy = await world.workspace()
  for (const id of [workspace, lossy]) {
    await world.store(id, messages(60))
    await groupNow(id === lossy ? world.otherProcess() : world.services, id)
  }
  let replayed = 0
  for (let from = 60; from < 70; from += 2) {
    for (const id of [workspace, lossy]) await world.store(id, messages(2, from))
    await groupNow(world.services, workspace)
    const { rows } = await world.inside(lossy, (tx) =>
      sql<{ late: number }>`
        select count(*)::int as late from feedback_item, engine_state
        where feedback_item.grouped_seq > engine_state.grouped_seq`.execute(tx),
    )
    replayed += rows[0]?.late ?? 0
    const process = world.otherProcess()
    await groupNow(process, lossy)
    await forgetGroups(process)
  }
  expect(replayed).toBeGreaterThan(0)
  expect(await groups(lossy)).toEqual(await groups())
})

test('a step whose transaction fails leaves nothing behind and is repeated', async () => {
  await world.store(workspace, messages(40))
  await groupNow(world.services, workspace)
  const before = await groups()
  await world.store(workspace, messages(30, 40))
  const failing = { changed: () => Promise.reject(new Error('no')) }
  await expect(groupWorkspace(world.services, workspace, failing, { settle: true })).rejects.toThrow('no')
  expect(await groups()).toEqual(before)
  expect(await groupNow(world.services, workspace)).toBe(30)
  const straight = await world.workspace()
  await world.store(straight, messages(40))
  await groupNow(world.services, straight)
  await world.store(straight, messages(30, 40))
  await groupNow(world.services, straight)
  expect(await groups()).toEqual(await groups(straight))
})

test('processes that group one workspace at the same time group each message once', async () => {
  await world.store(workspace, messages(300))
  const processes = [world.services, world.otherProcess(), world.otherProcess()]
  const counts = await Promise.all(processes.map((services) => groupNow(services, workspace)))
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(300)
  const places = await world.inside(workspace, (tx) =>
    sql<{ all: number; places: number }>`
      select count(*) as all, count(distinct grouped_seq) as places from feedback_item`.execute(tx),
  )
  expect(places.rows).toEqual([{ all: 300, places: 300 }])
  await expectCountsToAgree()
  for (const services of processes.slice(1)) await forgetGroups(services)
})

test('an edited message leaves its old issue and is grouped by its new words', async () => {
  await world.store(workspace, messages(40))
  await groupNow(world.services, workspace)
  const before = (await groups()).statements.find((one) => one.external_id === 'm0')
  const text = (messages(2)[1] as Message).text
  await world.store(workspace, [{ id: 'm0', text, author: 'person 0' }])
  expect(await world.waitsToBeGrouped(workspace)).toBe(true)
  await groupNow(world.services, workspace)
  const { statements } = await groups()
  const after = statements.filter((one) => one.external_id === 'm0')
  const other = statements.find((one) => one.external_id === 'm1')
  expect(after).toHaveLength(1)
  expect(after[0]?.issue_number).toBe(other?.issue_number)
  expect(after[0]?.issue_number).not.toBe(before?.issue_number)
  await expectCountsToAgree()
})

test('a message that its source deleted is forgotten, and its insight is recounted', async () => {
  await world.store(workspace, messages(40))
  await groupNow(world.services, workspace)
  const gone = messages(40).filter((_, n) => n % 4 === 0 && n > 4)
  await world.inside(workspace, async (tx) => {
    const { rows } = await sql<{ id: string }>`select id from connection`.execute(tx)
    await deleteItems(
      tx,
      workspace,
      String(rows[0]?.id),
      gone.map((one) => one.id),
    )
    expect(await workspacesToGroup(tx)).toContain(workspace)
  })
  await groupNow(world.services, workspace)
  expect(await world.waitsToBeGrouped(workspace)).toBe(false)
  expect(new Set((await groups()).statements.map((one) => one.external_id)).size).toBe(40 - gone.length)
  await expectCountsToAgree()
})

test('a deleted insight takes new mentions without being shown, and returns only when restored', async () => {
  await world.store(workspace, messages(40))
  await groupNow(world.services, workspace)
  const issue = (await groups()).statements.find((one) => one.external_id === 'm0')?.issue_number
  expect((await world.call(workspace, 'DELETE', `/api/insights/${issue}`)).status).toBe(200)
  await world.store(workspace, messages(40, 40))
  await groupNow(world.services, workspace)
  await forgetGroups(world.services)
  await world.store(workspace, messages(40, 80))
  await groupNow(world.services, workspace)
  const list = async () =>
    (await world.call(workspace, 'GET', '/api/insights/get-all')).body as { issue_name: string }[]
  expect(JSON.stringify(await list())).not.toContain('CSV export')
  const { insights, statements } = await groups()
  expect(insights.find((one) => one.issue_number === issue)).toMatchObject({ removed_in_engine: true })
  expect(statements.filter((one) => one.issue_number === issue).length).toBeGreaterThan(20)
  expect((await world.call(workspace, 'POST', `/api/insights/${issue}/restore`)).status).toBe(200)
  await groupNow(world.services, workspace)
  expect((await groups()).insights.find((one) => one.issue_number === issue)).toMatchObject({
    removed_in_engine: false,
  })
  await expect.poll(async () => JSON.stringify(await list())).toContain('CSV export')
})

test('without a readable snapshot the groups are rebuilt from the stored decisions', async () => {
  await world.store(workspace, messages(80))
  await groupNow(world.services, workspace)
  const issue = (await groups()).statements.find((one) => one.external_id === 'm1')?.issue_number
  await world.call(workspace, 'DELETE', `/api/insights/${issue}`)
  await groupNow(world.services, workspace)
  const before = await groups()
  await forgetGroups(world.services)
  await world.inside(workspace, (tx) => sql`update engine_state set state = null, grouped_seq = 0`.execute(tx))
  await world.store(workspace, messages(40, 80))
  await groupNow(world.services, workspace)
  const { statements, insights } = await groups()
  const kept = new Map(before.statements.map((one) => [one.external_id, one.issue_number]))
  const moved = statements.filter((one) => kept.has(one.external_id) && kept.get(one.external_id) !== one.issue_number)
  expect(moved.length).toBeLessThan(8)
  expect(insights.find((one) => one.issue_number === issue)).toMatchObject({ removed_in_engine: true })
  await expectCountsToAgree()
})

test.each([
  ['of an older version', (state: Uint8Array) => new DataView(state.buffer, state.byteOffset).setFloat64(8, 1, true)],
  ['that is cut off', (state: Uint8Array) => new Uint8Array(state.subarray(0, state.length / 2))],
  ['of other bytes', () => Buffer.from('no snapshot')],
])('a snapshot %s is discarded: the same groups are rebuilt and stored in this version', async (_, spoil) => {
  const version = (packed: Uint8Array) => Buffer.from(zstdDecompressSync(packed)).readDoubleLE(8)
  const stored = async () => {
    const read = await world.inside(workspace, (tx) =>
      sql<{ state: Buffer }>`select state from engine_state`.execute(tx),
    )
    return read.rows[0]?.state ?? Buffer.of()
  }
  await world.store(workspace, messages(80))
  await groupNow(world.services, workspace)
  const before = await groups()
  expect(version(await stored())).toBe(ENGINE_VERSION)
  const state = Buffer.from(zstdDecompressSync(await stored()))
  const spoilt = spoil(state)
  const bytes = Buffer.isBuffer(spoilt) ? spoilt : zstdCompressSync(spoilt ?? state)
  await forgetGroups(world.services)
  await world.inside(workspace, (tx) => sql`update engine_state set state = ${bytes}`.execute(tx))
  await world.store(workspace, messages(40, 80))
  await groupNow(world.services, workspace)
  expect(version(await stored())).toBe(ENGINE_VERSION)
  const kept = new Map(before.statements.map((one) => [one.external_id, one.issue_number]))
  const moved = (await groups()).statements.filter(
    (one) => kept.has(one.external_id) && kept.get(one.external_id) !== one.issue_number,
  )
  expect(moved.length).toBeLessThan(8)
  await expectCountsToAgree()
})

test('malformed texts do not block the others', async () => {
  const strange = [
    '',
    ' ',
    '\u202e',
    '🤯',
    '>'.repeat(70_000),
    'a '.repeat(40_000),
    '\ud800 half',
    'NUL \0 and \u2067 right to left \u2069',
    `${'x'.repeat(1_100_000)}`,
  ]
  await world.store(workspace, [...strange.map((text) => ({ id: idOf(text), text })), ...messages(40)])
  expect(await groupNow(world.services, workspace)).toBe(40 + strange.length)
  expect((await groups()).insights.length).toBeGreaterThan(0)
  await expectCountsToAgree()
})

test('the hook is called in the transaction that changed the issues', async () => {
  await world.store(workspace, messages(60))
  const seen: number[] = []
  await groupNow(world.services, workspace, {
    changed: async (tx, id, numbers) => {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from insight where issue_number = any(${numbers}::int[]) and mention_count > 0`.execute(
        tx,
      )
      expect(id).toBe(workspace)
      expect(rows[0]?.count).toBeGreaterThan(0)
      seen.push(...numbers)
    },
  })
  expect(new Set(seen)).toEqual(new Set((await groups()).insights.map((one) => one.issue_number)))
})
