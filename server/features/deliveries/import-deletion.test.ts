import { randomUUID } from 'node:crypto'
import { zstdDecompressSync } from 'node:zlib'
import { deserialize, issues } from '@groundswell/engine/index.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inWorkspace, type Tx } from '../../platform/db/tenant.ts'
import { testWorkspace } from '../../platform/db/testing.ts'
import { testServer } from '../../platform/http/testing.ts'
import { duringTests } from '../../platform/testing.ts'
import { countComments } from '../comments/index.ts'
import { connectionRoutes } from '../connections/index.ts'
import { createImport, feedbackRoutes, runImport, storeItems } from '../feedback/index.ts'
import { groupNow, insightRoutes, recountRelabelled } from '../insights/index.ts'
import { keptFeedbackRoutes, syncsView } from '../syncs/index.ts'
import { considerPush } from './ask.ts'
import { forgetContents } from './forget-store.ts'
import { deliveryRoutes } from './routes.ts'
import { deliver } from './send.ts'
import { Receiver } from './testing.ts'

let receiver: Receiver
let ahead = 0

const server = duringTests(() =>
  testServer(
    (services) => [
      ...connectionRoutes(services, { syncs: syncsView }),
      ...feedbackRoutes(services, hooks()),
      ...insightRoutes(services, undefined, { assigned: async () => undefined, countComments }),
      ...keptFeedbackRoutes(services, hooks()),
      ...deliveryRoutes(services),
    ],
    { allowPrivateAddresses: ['127.0.0.1'] },
  ),
)

beforeAll(async () => {
  server.services.now = () => new Date(Date.now() + ahead)
  receiver = await Receiver.start()
})
afterAll(() => receiver.stop())

const hooks = () => ({
  stored: async () => undefined,
  erasing: forgetContents,
  relabelled: recountRelabelled,
})
const inside = <T>(workspaceId: string, work: (tx: Tx) => Promise<T>) =>
  inWorkspace(server.services.db, workspaceId, work)
const bytesOf = async function* (text: string) {
  yield Buffer.from(text)
}

async function importText(workspaceId: string, name: string, text: string, more: object = {}) {
  const options = { name, onConflict: 'replace' as const, ...more }
  const { id } = await createImport(server.services, workspaceId, options, bytesOf(text), { background: false })
  return runImport(server.services, workspaceId, id, hooks())
}

const group = (workspaceId: string) =>
  groupNow(server.services, workspaceId, { changed: considerPush(server.services) })

async function call(workspaceId: string, method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) {
  const headers = { authorization: `Bearer ${workspaceId}` }
  const answer = await server.app.inject({ method, url, headers, ...(payload ? { payload } : {}) })
  if (answer.statusCode !== 200) throw new Error(`${method} ${url}: ${answer.statusCode} ${answer.body}`)
  return answer.json()
}

type Shown = { issue_number: number; issue_name: string; mention_count: number }
const shown = async (workspaceId: string): Promise<Shown[]> =>
  (await call(workspaceId, 'GET', '/api/insights/get-all')).sort(
    (one: Shown, other: Shown) => one.issue_number - other.issue_number,
  )
const counts = async (workspaceId: string) =>
  new Map((await shown(workspaceId)).map((one) => [one.issue_number, one.mention_count]))

/** One attempt at each delivery that is due. */
async function work(workspaceId: string): Promise<void> {
  const { deliveries } = await call(workspaceId, 'GET', '/api/deliveries')
  for (const { id, state, attempts } of deliveries) {
    if (state !== 'waiting') continue
    await deliver(server.services, { workspaceId, deliveryId: id, attempts }, AbortSignal.timeout(30_000))
  }
}

const about = {
  export: [
    'The CSV export fails for large reports',
    'CSV export fails as soon as the report is large',
    'Our CSV export of a large report fails every time',
    'Large reports: the CSV export fails with an error',
  ],
  login: [
    'I cannot log in since the update on Monday',
    'Since the update on Monday I cannot log in any more',
    'Cannot log in after the update on Monday',
  ],
  dark: ['Please add a dark mode to the app', 'A dark mode in the app would be great'],
}
const ascending = (one: number, other: number) => one - other
const csv = (texts: readonly string[]) => ['id,text', ...texts.map((text, at) => `${at + 1},"${text}"`)].join('\n')

it('an insight that lost as many mentions since the import began as it got did not grow', async () => {
  const workspaceId = await testWorkspace(server.services.db)
  await importText(workspaceId, 'first.csv', csv(about.export.slice(0, 3)))
  await group(workspaceId)
  const second = await importText(workspaceId, 'second.csv', csv(about.export.slice(3, 4)))
  await group(workspaceId)
  const effect = () => call(workspaceId, 'GET', `/api/imports/${second.id}/insights`)
  expect(await effect()).toMatchObject({ created: 0, grew: 1, others: 0 })
  await inside(workspaceId, (tx) => sql`delete from feedback_item where text = ${about.export[0]}`.execute(tx))
  await group(workspaceId)
  expect(await effect()).toMatchObject({ created: 0, grew: 0, others: 1, grown_insights: [] })
})

describe('deleting an import', () => {
  it('does what its preview shows: insights shrink and disappear, the engine forgets, destinations get an update', async () => {
    const workspaceId = await testWorkspace(server.services.db)
    await call(workspaceId, 'POST', '/api/webhook/add', { webhook: receiver.url })
    await importText(workspaceId, 'first.csv', csv([...about.export.slice(0, 3), ...about.dark]))
    await group(workspaceId)
    const second = await importText(workspaceId, 'second.csv', csv([about.export[3] as string, ...about.login]))
    await group(workspaceId)
    await work(workspaceId)
    const before = await counts(workspaceId)
    const numberOf = async (word: RegExp) =>
      (await shown(workspaceId)).find((one) => word.test(one.issue_name))?.issue_number ?? 0
    const [exports, login] = [await numberOf(/export/i), await numberOf(/log in/i)]
    expect([before.get(exports), before.get(login)]).toEqual([4, 3])

    const effect = await call(workspaceId, 'GET', `/api/imports/${second.id}/insights`)
    expect(effect).toMatchObject({ created: 1, grew: 1 })
    expect(effect.created_insights).toMatchObject([{ issue_number: login, mentions: 3 }])
    expect(effect.grown_insights).toMatchObject([
      { issue_number: exports, mentions: 4, change: { count: 1, new: 1, came: 0, left: 0 } },
    ])

    const preview = await call(workspaceId, 'GET', `/api/imports/${second.id}/deletion`)
    expect(preview).toMatchObject({ removed: 4, restored: 0, shrink: 1, disappear: 1 })
    const receivedBefore = receiver.received.length
    const outcome = await call(workspaceId, 'DELETE', `/api/imports/${second.id}`)
    expect(outcome).toEqual({ removed: preview.removed, restored: preview.restored })
    ahead += 2 * 3_600_000
    await group(workspaceId)
    const after = await counts(workspaceId)
    const lost = preview.insights.map((one: { issue_number: number; mentions_after: number; disappears: boolean }) => [
      one.issue_number,
      one.disappears ? undefined : one.mentions_after,
    ])
    expect(lost.map(([number]: [number]) => [number, after.get(number)])).toEqual(lost)
    expect([after.get(exports), after.get(login)]).toEqual([3, undefined])
    expect(after.size).toBe(before.size - preview.disappear)

    const { rows } = await inside(workspaceId, (tx) =>
      sql<{ state: Buffer }>`select state from engine_state`.execute(tx),
    )
    const state = deserialize(zstdDecompressSync(rows[0]?.state as Buffer))
    const items = await inside(workspaceId, (tx) => sql<{ id: number }>`select id from feedback_item`.execute(tx))
    const known = new Set(items.rows.map((row) => String(row.id)))
    expect(known.size).toBe(5)
    const held = [...state.statementIndex.keys()].map((id) => id.split(':')[0] ?? '')
    expect(held.filter((id) => !known.has(id))).toEqual([])
    expect(issues(state).map((issue) => issue.issueId)).not.toContain(login)

    await work(workspaceId)
    const updates = receiver.received.slice(receivedBefore).map(({ payload }) => payload)
    expect(updates.map(({ type, data }) => [type, data.insight.issue_number, data.insight.withdrawn ?? false])).toEqual(
      expect.arrayContaining([
        ['insight.updated', exports, false],
        ['insight.updated', login, true],
      ]),
    )
    expect(updates).toHaveLength(2)
    expect(
      updates
        .map(({ data }) => [data.insight.mention_count, data.new_mentions])
        .sort(([one], [other]) => (one ?? 0) - (other ?? 0)),
    ).toEqual([
      [0, 0],
      [3, 0],
    ])
    ahead += 2 * 3_600_000
    await inside(workspaceId, (tx) => considerPush(server.services)(tx, workspaceId))
    await work(workspaceId)
    expect(receiver.received.length).toBe(receivedBefore + 2)
  })
})

describe('what people did is lost with an import', () => {
  type On = { id: string; login: number; exports: number }
  const rename = (id: string, number: number) =>
    call(id, 'POST', `/api/insights/${number}/corrections`, { kind: 'rename', name: 'Renamed' }).then(() => group(id))
  const comments = (id: string, numbers: number[]) =>
    inside(id, (tx) =>
      sql`insert into insight_comment (workspace_id, issue_number, text, written_at)
        select ${id}, unnest(${numbers}::int[]), 'Ask them', now()`.execute(tx),
    )
  it.each<[string, object, (on: On) => Promise<unknown>]>([
    ['nothing', {}, async () => undefined],
    ['a name of an insight that disappears', { insights: 1 }, ({ id, login }) => rename(id, login)],
    ['nothing: the insight with another name stays', {}, ({ id, exports }) => rename(id, exports)],
    ['a deleted insight', { insights: 1 }, ({ id, login }) => call(id, 'DELETE', `/api/insights/${login}`)],
    [
      'a comment on an insight that disappears',
      { comments: 1 },
      ({ id, login, exports }) => comments(id, [login, exports]),
    ],
    [
      'the kind of a message',
      { messages: 1 },
      async ({ id, login }) => {
        const { mentions } = await call(id, 'GET', `/api/insights/${login}/evidence`)
        await call(id, 'PUT', '/api/feedback-kind', { mention: mentions[0].id, kind: 'question' })
      },
    ],
    [
      'a push',
      { pushed: 1 },
      async ({ id, login }) => {
        await call(id, 'POST', '/api/webhook/add', { webhook: receiver.url })
        await call(id, 'POST', `/api/insights/${login}/push`, {})
        await work(id)
      },
    ],
  ])('%s', async (_, lost, act) => {
    const id = await testWorkspace(server.services.db)
    await importText(id, 'first.csv', csv([...about.export.slice(0, 3), ...about.dark]))
    await group(id)
    const second = await importText(id, 'second.csv', csv([about.export[3] as string, ...about.login]))
    await group(id)
    const all = await shown(id)
    const numberOf = (word: RegExp) => all.find((one) => word.test(one.issue_name))?.issue_number ?? 0
    await act({ id, login: numberOf(/log in/i), exports: numberOf(/export/i) })
    const { work: told } = await call(id, 'GET', `/api/imports/${second.id}/deletion`)
    expect(told).toEqual({ messages: 0, insights: 0, comments: 0, pushed: 0, ...lost })
  })
})

describe('deleting the feedback of a disconnected source', () => {
  it('does what its preview shows: the insights lose its messages, agents’ included, and keep all others', async () => {
    const workspaceId = await testWorkspace(server.services.db)
    const id = randomUUID()
    const from = (texts: readonly string[], role: 'customer' | 'agent' = 'customer') =>
      texts.map((text) => {
        const ids = { externalId: text, thread: text }
        return { ...ids, text, role, author: null, at: new Date(), link: null, place: null }
      })
    await inside(workspaceId, async (tx) => {
      await sql`
        insert into connection (workspace_id, id, connector, settings, disconnected_at)
        values (${workspaceId}, ${id}, 'slack', '{"team": "Acme"}', now())`.execute(tx)
      await storeItems(tx, workspaceId, id, from([...about.export.slice(2), ...about.login]))
      await storeItems(tx, workspaceId, id, from(['We are looking into it'], 'agent'))
    })
    await importText(workspaceId, 'first.csv', csv([...about.export.slice(0, 2), ...about.dark]))
    await group(workspaceId)
    const before = await counts(workspaceId)
    const url = '/api/kept-feedback'
    expect((await call(workspaceId, 'GET', url)).sources).toMatchObject([{ id, name: 'Acme', messages: 6 }])
    const preview = await call(workspaceId, 'GET', `${url}/${id}/deletion`)
    expect(preview).toMatchObject({ removed: 6, shrink: 1, disappear: 1 })
    expect(await call(workspaceId, 'DELETE', `${url}/${id}`)).toEqual({ removed: 6 })
    await group(workspaceId)
    const after = await counts(workspaceId)
    for (const { issue_number, mentions_after, disappears } of preview.insights) {
      expect(after.get(issue_number)).toBe(disappears ? undefined : mentions_after)
    }
    expect([...before.values()].toSorted(ascending)).toEqual([2, 3, 4])
    expect([...after.values()].toSorted(ascending)).toEqual([2, 2])
    expect((await call(workspaceId, 'GET', url)).sources).toEqual([])
  })
})

describe('the preview of deleting an import', () => {
  it('counts what stays: messages that another import has too, and those of them whose earlier text comes back', async () => {
    const workspaceId = await testWorkspace(server.services.db)
    const first = await importText(workspaceId, 'first.csv', csv(about.export))
    await group(workspaceId)
    const before = await shown(workspaceId)
    const [one = '', two = ''] = about.login
    const second = await importText(workspaceId, 'second.csv', csv([...about.export.slice(0, 3), one, two]), {
      source: first.source?.id,
      onConflict: 'replace',
    })
    await group(workspaceId)
    const url = `/api/imports/${second.id}`
    const preview = await call(workspaceId, 'GET', `${url}/deletion`)
    expect(preview).toMatchObject({ removed: 1, kept: 4, restored: 1 })
    expect(await call(workspaceId, 'DELETE', url)).toEqual({ removed: 1, restored: 1 })
    await group(workspaceId)
    const numbers = (all: Shown[]) => all.map(({ issue_number, mention_count }) => [issue_number, mention_count])
    expect(numbers(await shown(workspaceId))).toEqual(numbers(before))
  })
})

describe('correcting a mapping', () => {
  const rows = [...about.export, ...about.login, ...about.dark]
  const file = [
    'subject,body,who',
    ...rows.map((text, at) => `Ticket about something ${at},"${text}",Person ${at % 2}`),
  ].join('\n')

  it('updates the insights: none is left of the texts before, and none is there twice', async () => {
    const [corrected, fresh] = [await testWorkspace(server.services.db), await testWorkspace(server.services.db)]
    await importText(corrected, 'tickets.csv', file, { mapping: { text: 'subject' } })
    await group(corrected)
    await importText(corrected, 'tickets.csv', file, { mapping: { text: 'body' } })
    await group(corrected)
    await importText(fresh, 'tickets.csv', file, { mapping: { text: 'body' } })
    await group(fresh)
    const sizes = async (workspaceId: string) =>
      (await shown(workspaceId)).map((one) => one.mention_count).sort((one, other) => one - other)
    expect(await sizes(corrected)).toEqual(await sizes(fresh))
    expect(JSON.stringify(await shown(corrected))).not.toContain('Ticket about')
  })

  it('of the author counts people again and leaves every insight as it is', async () => {
    const workspaceId = await testWorkspace(server.services.db)
    await importText(workspaceId, 'tickets.csv', file, { mapping: { text: 'body' } })
    await group(workspaceId)
    const before = await counts(workspaceId)
    await importText(workspaceId, 'tickets.csv', file, { mapping: { text: 'body', author: 'who' } })
    await group(workspaceId)
    expect(await counts(workspaceId)).toEqual(before)
    const people = await inside(workspaceId, (tx) =>
      sql<{ most: number }>`select max(people_count) as most from insight`.execute(tx),
    )
    expect(people.rows[0]?.most).toBe(2)
  })
})

describe('erasing a person', () => {
  it('shows what it changes, forgets what was sent of them, and what is sent later does not name them', async () => {
    const workspaceId = await testWorkspace(server.services.db)
    await call(workspaceId, 'POST', '/api/webhook/add', { webhook: receiver.url })
    const row = (author: string) => (text: string, at: number) => `${author}${at},"${text}",${author}`
    const [own = '', ...others] = about.export
    await importText(
      workspaceId,
      'people.csv',
      ['id,text,author', row('Zelda')(own, 0), ...others.map(row('Max')), ...about.login.map(row('Kim'))].join('\n'),
    )
    await group(workspaceId)
    await work(workspaceId)
    type Kept = { payload: string | null; answer: string | null }
    const kept = async () =>
      (
        await inside(workspaceId, (tx) =>
          sql<Kept>`select payload, answer from delivery join attempt on delivery_id = id`.execute(tx),
        )
      ).rows
    expect((await kept()).filter(({ payload }) => payload?.includes('Zelda'))).toHaveLength(1)
    // As after an attempt that failed: the same text would be sent again.
    await inside(workspaceId, (tx) =>
      sql`update delivery set state = 'waiting', delivered_at = null, next_attempt_at = now() where payload like '%Zelda%'`.execute(
        tx,
      ),
    )

    const preview = await call(workspaceId, 'POST', '/api/erasure/preview', { author: 'zelda' })
    expect(preview).toMatchObject({
      removed: 1,
      shrink: 1,
      disappear: 0,
      insights: [{ mentions_before: 4, mentions_after: 3 }],
    })
    expect(await call(workspaceId, 'POST', '/api/erasure', { author: 'zelda' })).toEqual({ removed: 1 })
    const after = await kept()
    expect(JSON.stringify(after)).not.toContain('Zelda')
    expect(after.filter(({ payload }) => payload !== null)).toHaveLength(after.length - 1)

    const from = receiver.received.length
    ahead += 2 * 3_600_000
    await group(workspaceId)
    const { deliveries } = await call(workspaceId, 'GET', '/api/deliveries')
    expect(deliveries.filter(({ state }: { state: string }) => state === 'waiting')).not.toEqual([])
    await work(workspaceId)
    const bodies = receiver.received.slice(from).map(({ body }) => body)
    expect(bodies.length).toBeGreaterThan(0)
    expect(bodies.join()).not.toContain('Zelda')
    expect(bodies.join()).toContain('Max')
  })
})
