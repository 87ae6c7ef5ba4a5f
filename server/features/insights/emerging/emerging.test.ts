import type { CorrectionTaken } from '@groundswell/contract/corrections.ts'
import type { EmergingInsight } from '@groundswell/contract/insights/emerging.ts'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { z } from 'zod/mini'
import { fileConnection } from '../../connections/index.ts'
import { deleteItems } from '../../feedback/index.ts'
import { forgetGroups } from '../grouping/run.ts'
import { dropSnapshot } from '../grouping/stores/state-store.ts'
import { withWorld, world } from '../testing.ts'
import { MeantWorkspace } from './testing.ts'

const SUBJECTS = ['export', 'phone', 'login', 'invoice']

let meant: MeantWorkspace
withWorld()
/** Four insights, and two messages about a robot. */
beforeEach(async () => {
  meant = new MeantWorkspace(world, await world.workspace())
  await meant.tell(SUBJECTS, 5, 'm')
  await meant.tell(['robot'], 2, 'r')
  await meant.understand()
})

type Answer<T> = { status: number; etag: string; body: T }
function call<T>(method: 'GET' | 'POST' | 'DELETE', path: string, headers: Record<string, string> = {}) {
  return world.call(meant.workspace, method, path, headers) as Promise<Answer<T>>
}
const emerging = (path = '', method: 'GET' | 'POST' | 'DELETE' = 'GET') =>
  call<{ total: number; insights: EmergingInsight[] }>(method, `/api/insights/emerging${path}`)
const listed = async () => (await emerging()).body.insights
const only = async () => {
  const [one, ...more] = await listed()
  expect(more).toEqual([])
  return one as EmergingInsight
}
const keep = async (id: number) => {
  const { status, body } = await call<z.infer<typeof CorrectionTaken>>('POST', `/api/insights/emerging/${id}/keep`)
  expect([status, body.state]).toEqual([200, 'waiting'])
  await meant.group()
  return body.correction_id
}
const regular = async () =>
  (await call<{ issue_number: number; mention_count: number }[]>('GET', '/api/insights/get-all')).body.sort(
    (a, b) => a.issue_number - b.issue_number,
  )
/** Everything that a correction may change. */
const stored = async () => ({
  places: await meant.places(),
  emerging: (
    await world.inside(meant.workspace, (tx) =>
      sql`
    select number, mention_count, people_count, hidden, first_seen, last_seen, dismissed_at
    from emerging_insight order by number`.execute(tx),
    )
  ).rows,
  statements: (
    await world.inside(meant.workspace, (tx) =>
      sql`
    select item_id, number, score, reason, decided_at from statement order by 1, 2`.execute(tx),
    )
  ).rows,
})

test('two messages that mean the same are emerging, and in no insight', async () => {
  const { body, etag } = await emerging()
  expect(body).toMatchObject({
    total: 1,
    insights: [
      {
        mention_count: 2,
        people_count: 2,
        first_seen: '2026-02-01T00:00:00.000Z',
        last_seen: '2026-02-01T00:01:00.000Z',
      },
    ],
  })
  const places = await meant.places()
  expect(body.insights[0]?.evidence.map(({ id, author }) => ({ id, author }))).toEqual(
    ['r1', 'r0'].map((id) => ({ id: places.get(id)?.id, author: `person ${id}` })),
  )
  expect(await regular()).toHaveLength(4)
  const waiting = (await call<{ mentions: { id: string }[]; total: number }>('GET', '/api/ungrouped')).body
  expect(waiting.mentions.map(({ id }) => id)).toEqual(['r1', 'r0'].map((id) => places.get(id)?.id))
  const connect = vi.spyOn(world.services.db.pool, 'connect')
  expect((await call('GET', '/api/insights/emerging', { 'if-none-match': etag })).status).toBe(304)
  expect(connect).not.toHaveBeenCalled()
  connect.mockRestore()
  await meant.tell(['robot', 'robot hand'], 1, 's')
  await meant.understand('s')
  expect((await call('GET', '/api/insights/emerging', { 'if-none-match': etag })).status).toBe(200)
})

test('a third message makes it an insight', async () => {
  const before = await only()
  await meant.tell(['robot'], 1, 's')
  await meant.understand('s')
  expect(await listed()).toEqual([])
  const made = (await regular()).at(-1)
  expect(made).toMatchObject({ issue_number: 5, mention_count: 3 })
  await meant.tell(['unicorn'], 2, 'u')
  await meant.understand('u')
  expect((await only()).emerging_id).toBe(before.emerging_id + 1)
})

describe('a person keeps it', () => {
  test('and has an insight of all its mentions, which stays; undone, everything is as before', async () => {
    const before = await stored()
    const id = await keep((await only()).emerging_id)
    expect(await listed()).toEqual([])
    expect((await regular()).at(-1)).toMatchObject({ issue_number: 5, mention_count: 2 })
    await meant.tell(['robot'], 1, 's')
    await meant.understand('s')
    expect((await meant.places()).get('s0')).toMatchObject({ issue: 5, emerging: null })
    await world.inside(meant.workspace, async (tx) => {
      await deleteItems(tx, meant.workspace, (await fileConnection(tx, meant.workspace)).id, ['s0'])
    })
    await call('POST', `/api/corrections/${id}/undo`)
    await meant.group()
    expect(await stored()).toEqual(before)
    expect(await regular()).toHaveLength(4)
  })

  test('unless it is gone, was dismissed, or is of another workspace', async () => {
    const { emerging_id } = await only()
    const other = await world.workspace()
    for (const method of ['POST', 'DELETE'] as const) {
      const path = `/api/insights/emerging/${emerging_id}${method === 'POST' ? '/keep' : ''}`
      expect((await world.call(other, method, path)).status).toBe(404)
    }
    expect((await emerging('/999/keep', 'POST')).status).toBe(404)
    await emerging(`/${emerging_id}`, 'DELETE')
    expect((await emerging(`/${emerging_id}/keep`, 'POST')).status).toBe(404)
  })
})

test('a person dismisses it, then more mentions do not bring it back; restored, it has them', async () => {
  const { emerging_id } = await only()
  expect((await emerging(`/${emerging_id}/restore`, 'POST')).status).toBe(404)
  expect(await emerging(`/${emerging_id}`, 'DELETE')).toMatchObject({ status: 200, body: { emerging_id } })
  expect(await listed()).toEqual([])
  expect((await emerging(`/${emerging_id}`, 'DELETE')).status).toBe(404)
  expect(await world.waitsToBeGrouped(meant.workspace)).toBe(true)
  await meant.group()
  expect(await world.waitsToBeGrouped(meant.workspace)).toBe(false)
  await forgetGroups(world.services)
  await world.inside(meant.workspace, (tx) => dropSnapshot(tx, meant.workspace))
  await meant.tell(['robot'], 2, 's')
  await meant.understand('s')
  expect(await listed()).toEqual([])
  expect(await regular()).toHaveLength(4)
  await emerging(`/${emerging_id}/restore`, 'POST')
  await meant.group()
  expect(await only()).toMatchObject({ emerging_id, mention_count: 4 })
})

test('a mention of it is added to an insight, and back', async () => {
  const before = await stored()
  const places = await meant.places()
  const body = { kind: 'add', mentions: [places.get('r0')?.id] }
  const made = (await world.call(meant.workspace, 'POST', '/api/insights/1/corrections', {}, body)).body
  await meant.group()
  expect((await meant.places()).get('r0')).toMatchObject({ issue: 1, emerging: null })
  expect(await listed()).toEqual([])
  await call('POST', `/api/corrections/${(made as { correction_id: string }).correction_id}/undo`)
  await meant.group()
  expect(await stored()).toEqual(before)
})

test('deleted, edited and relabelled messages change its counts; without mentions it is gone', async () => {
  const drop = (id: string) =>
    world.inside(meant.workspace, async (tx) => {
      await deleteItems(tx, meant.workspace, (await fileConnection(tx, meant.workspace)).id, [id])
    })
  await meant.tell(['robot', 'robot'], 1, 'q')
  await drop('r0')
  await meant.group()
  expect(await listed()).toEqual([])
  expect((await stored()).emerging).toMatchObject([{ mention_count: 1, hidden: true }])
  await world.store(meant.workspace, [{ id: 'r1', text: 'A giraffe on the handbook' }])
  await meant.group()
  expect((await stored()).emerging).toEqual([])
})

test('a state that is rebuilt from the decisions has the same groups and uses no number again', async () => {
  const before = await meant.places()
  const { emerging_id } = await only()
  await keep(emerging_id)
  await forgetGroups(world.services)
  await world.inside(meant.workspace, (tx) => dropSnapshot(tx, meant.workspace))
  await meant.tell(['unicorn'], 2, 'u')
  await meant.understand('u')
  expect((await only()).emerging_id).toBe(emerging_id + 1)
  await forgetGroups(world.services)
  await world.inside(meant.workspace, (tx) => dropSnapshot(tx, meant.workspace))
  const kept = await meant.places()
  await meant.group(world.otherProcess())
  expect(await meant.places()).toEqual(kept)
  const inIssues = [...before].filter(([, { issue }]) => issue !== null)
  expect(inIssues.map(([id]) => kept.get(id)?.issue)).toEqual(inIssues.map(([, { issue }]) => issue))
})
