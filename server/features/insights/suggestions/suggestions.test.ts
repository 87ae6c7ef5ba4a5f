import type { MergeSuggestion, SuggestedMention } from '@groundswell/contract/insights/suggestions.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { MeantWorkspace } from '../emerging/testing.ts'
import { groupNow } from '../grouping/run.ts'
import type { VectorSource } from '../grouping/vector-source.ts'
import { withWorld, world } from '../testing.ts'

const SUBJECTS = ['export', 'phone', 'login', 'invoice', 'calendar', 'search']
const PARTLY = ['export', 'weather', 'traffic', 'lunch', 'garden']
const partly = (id: string, about = PARTLY) => ({ id, text: `${id} ${id}`, about })

let meant: MeantWorkspace
withWorld()
/** Six insights, and two messages that are partly about the first subject. */
beforeEach(async () => {
  meant = new MeantWorkspace(world, await world.workspace())
  await meant.tell(SUBJECTS, 4, 'm')
  await meant.say([partly('qqvv'), partly('wwzz', ['export', 'football', 'holidays', 'cinema'])])
  await meant.understand()
})

async function call<T>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
): Promise<{ status: number; body: T }> {
  const answer = await world.call(meant.workspace, method, `/api${path}`, {}, body)
  return { status: answer.status, body: answer.body as T }
}
const suggested = async (issue = 1) =>
  (await call<{ total: number; mentions: SuggestedMention[] }>('GET', `/insights/${issue}/suggestions`)).body
const idOf = async (message: string) => (await meant.places()).get(message)?.id ?? ''
const answer = async (kind: 'add' | 'decline', mention: string, issue = 1) =>
  (await call<{ correction_id: string }>('POST', `/insights/${issue}/corrections`, { kind, mentions: [mention] })).body
    .correction_id
const undo = async (id: string) => {
  await call('POST', `/corrections/${id}/undo`)
  await meant.group()
}

test('mentions that may belong to an insight are listed, the most certain first', async () => {
  const { total, mentions } = await suggested()
  expect(total).toBe(2)
  expect(mentions.map(({ id }) => id)).toEqual([await idOf('qqvv'), await idOf('wwzz')])
  expect(mentions[0]).toMatchObject({ text: 'qqvv qqvv', author: 'person qqvv', source: 'file', message: 'qqvv qqvv' })
  const [first = 0, second = 0] = mentions.map(({ score }) => score)
  expect(first).toBeGreaterThan(second)
  expect(await suggested(2)).toEqual({ total: 0, mentions: [] })
  expect((await call('GET', '/insights/99/suggestions')).status).toBe(404)
})

test('an accepted one is in the insight, and suggested again when that is undone', async () => {
  const id = await answer('add', await idOf('qqvv'))
  expect((await suggested()).mentions.map(({ text }) => text)).toEqual(['wwzz wwzz'])
  await meant.group()
  expect((await meant.places()).get('qqvv')?.issue).toBe(1)
  await undo(id)
  expect((await meant.places()).get('qqvv')?.issue).toBeNull()
  expect((await suggested()).total).toBe(2)
})

test('a declined one stays where it is, joins another insight, and is not suggested again, nor what is like it', async () => {
  const places = await meant.places()
  const id = await answer('decline', await idOf('qqvv'))
  await meant.group()
  expect(await meant.places()).toEqual(places)
  const { body } = await call<{ kind: string; state: string; can_undo: boolean }>('GET', `/corrections/${id}`)
  expect(body).toMatchObject({ kind: 'decline', state: 'applied', can_undo: true })
  await meant.say([partly('kkpp')])
  await meant.tell(SUBJECTS, 5, 'n')
  await meant.understand()
  expect((await suggested()).mentions.map(({ text }) => text)).toEqual(['wwzz wwzz'])
  await call('POST', '/insights/2/corrections', { kind: 'add', mentions: [await idOf('qqvv')] })
  await meant.group()
  expect((await meant.places()).get('qqvv')?.issue).toBe(2)
})

test('undoing a decline leaves the mention where it is by then', async () => {
  const id = await answer('decline', await idOf('qqvv'))
  await meant.group()
  await meant.say([partly('kkpp', [...PARTLY, 'kites'])])
  await meant.tell(SUBJECTS, 5, 'n')
  await meant.understand()
  const placed = (await meant.places()).get('qqvv')
  expect(placed?.emerging).not.toBeNull()
  await undo(id)
  expect((await meant.places()).get('qqvv')).toEqual(placed)
  await meant.tell(SUBJECTS, 5, 'k')
  await meant.understand()
  expect((await suggested()).mentions.map(({ text }) => text)).toContain('qqvv qqvv')
})

test('only a mention in no insight can be declined', async () => {
  const inside = await idOf('m0')
  const { status } = await call('POST', '/insights/1/corrections', { kind: 'decline', mentions: [inside] })
  expect(status).toBe(409)
})

test('where people accept few, only what is as certain as accepted ones is suggested', async () => {
  const { mentions } = await suggested()
  const [first = 0, second = 0] = mentions.map(({ score }) => score)
  const answers = (kind: string, count: number, score: number) =>
    world.inside(meant.workspace, (tx) =>
      sql`
        insert into correction (workspace_id, issue_number, kind, request, state, person, touched, suggestion_score)
        select ${meant.workspace}, 1, ${kind}, '{}', 'applied', 'A', '{1}', ${score} from generate_series(1, ${count})`.execute(
        tx,
      ),
    )
  await answers('decline', 19, 0.1)
  expect((await suggested()).total).toBe(2)
  await answers('decline', 1, 0.1)
  expect((await suggested()).total).toBe(0)
  await answers('add', 1, (first + second) / 2)
  expect((await suggested()).mentions.map(({ text }) => text)).toEqual(['qqvv qqvv'])
  await answers('add', 20, 0.1)
  expect((await suggested()).total).toBe(2)
})

test('words alone suggest nothing', async () => {
  expect((await suggested()).total).toBe(2)
  await meant.tell(SUBJECTS, 5, 'n')
  const vectors: VectorSource = {
    model: async () => ({ space: '', languages: null, late: false }),
    stored: async () => new Map(),
    withVectors: async () => [],
    fresh: async () => new Map(),
  }
  await groupNow(world.services, meant.workspace, { changed: async () => undefined, vectors })
  const { rows } = await world.inside(meant.workspace, (tx) => sql`select from member_suggestion`.execute(tx))
  expect(rows).toEqual([])
})

test('edited and deleted messages are not suggested', async () => {
  await world.store(meant.workspace, [{ id: 'qqvv', text: 'something else' }])
  await meant.group()
  expect((await suggested()).mentions.map(({ text }) => text)).toEqual(['wwzz wwzz'])
})

const groups = async () =>
  (await call<{ groups: MergeSuggestion[] }>('GET', '/insights/merge-suggestions')).body.groups.map(({ insights }) =>
    insights.map(({ issue_number }) => issue_number),
  )

test('the first 20 groups of insights that look like one subject are listed, and all are counted', async () => {
  await world.inside(meant.workspace, async (tx) => {
    await sql`
      insert into insight (workspace_id, issue_number, name, summary, mention_count)
      select ${meant.workspace}::uuid, 100 + n, 'Insight ' || n, '', 2 from generate_series(1, 50) n`.execute(tx)
    await sql`delete from merge_suggestion`.execute(tx)
    await sql`
      insert into merge_suggestion (workspace_id, issue_numbers, score)
      select ${meant.workspace}::uuid, array[99 + 2 * n, 100 + 2 * n]::int[], 0.9 from generate_series(1, 25) n`.execute(
      tx,
    )
  })
  const { body } = await call<{ total: number; groups: MergeSuggestion[] }>('GET', '/insights/merge-suggestions')
  expect([body.total, body.groups.length]).toEqual([25, 20])
})

test('insights that look like one subject are suggested to be merged, until a person says that they are not', async () => {
  await meant.tell(['prices'], 6, 'p')
  await meant.group()
  const pairs = [
    ['p0', 'p1'],
    ['p2', 'p3'],
    ['p4', 'p5'],
  ]
  for (const pair of pairs) {
    await call('POST', '/insights', { mentions: await Promise.all(pair.map(idOf)) })
    await meant.group()
  }
  await meant.understand('p')
  await meant.tell(SUBJECTS, 5, 'n')
  await meant.understand()
  const [three, ...more] = await groups()
  expect([three?.length, more]).toEqual([3, []])
  const [a, b, c] = three as [number, number, number]
  const { body } = await call<{ groups: MergeSuggestion[] }>('GET', '/insights/merge-suggestions')
  expect(body.groups[0]?.insights[0]).toMatchObject({
    name: expect.any(String),
    mention_count: 2,
    people_count: 2,
    evidence: [{ author: expect.any(String) }, {}],
  })
  const decline = async (issue_numbers: number[]) =>
    call<{ decline_id: string }>('POST', '/insights/merge-suggestions/declines', { issue_numbers })
  const declined = await decline([a, b])
  expect(await groups()).toEqual([[a, c]])
  await meant.tell(SUBJECTS, 5, 'k')
  await meant.understand()
  expect(await groups()).toEqual([[a, c]])
  const path = `/insights/merge-suggestions/declines/${declined.body.decline_id}`
  expect((await call('DELETE', path)).status).toBe(200)
  expect((await call('DELETE', path)).status).toBe(404)
  expect(await groups()).toEqual([[a, b, c]])
  expect((await decline([a, 999])).status).toBe(404)
  const merge = async (from: number, into: number) => {
    const made = await call<{ correction_id: string }>('POST', `/insights/${from}/corrections`, { kind: 'merge', into })
    await meant.group()
    return made.body.correction_id
  }
  const merged = await merge(c, a)
  expect(await groups()).toEqual([[a, b]])
  await undo(merged)
  expect(await groups()).toEqual([[a, b]])
  // A revision may withdraw a suggestion while a person looks at it: the answer counts all the same.
  await world.inside(meant.workspace, (tx) => sql`delete from merge_suggestion`.execute(tx))
  expect((await decline([a, b])).status).toBe(200)
  await meant.tell(SUBJECTS, 5, 'q')
  await meant.understand()
  expect((await groups()).filter((group) => group.includes(a) && group.includes(b))).toEqual([])
  expect((await suggested()).total).toBeGreaterThan(0)
})
