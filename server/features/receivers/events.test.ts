import { EVENT_TYPES } from '@groundswell/contract/receivers/event-types.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Tx } from '../../platform/db/tenant.ts'
import { duringTests } from '../../platform/testing.ts'
import { ReceiverWorld, verified } from './testing.ts'

const receivers = duringTests(() => ReceiverWorld.start())

/** The transaction works for a person, as that of a correction does. */
const workFor = (tx: Tx, person: string) => sql`select set_config('groundswell.person', ${person}, true)`.execute(tx)

/** The events that a receiver of everything gets of changes, made one after the other. */
async function eventsOf(changes: readonly string[], person?: string) {
  const workspace = await receivers.workspace(2)
  const { server, secret } = await receivers.add(workspace)
  for (const fields of changes) {
    await receivers.inside(workspace, async (tx) => {
      if (person) await workFor(tx, person)
      await sql`update insight set ${sql.raw(fields)} where issue_number = 1`.execute(tx)
    })
  }
  await receivers.deliver(workspace)
  return verified(server, secret)
}

test.each([
  [`hidden = true`, 'insight.deleted', {}],
  [`deleted_at = now()`, 'insight.deleted', {}],
  [`ended_at = now()`, 'insight.deleted', {}],
  [`ended_at = now(), merged_into = 2`, 'insight.merged', { merged_into: { number: 2, name: 'issue 2' } }],
  [`status = 'pushed'`, 'insight.pushed', { changed: ['status'], previous: { status: 'created' } }],
  [`status = 'resolved'`, 'insight.resolved', { changed: ['status'], previous: { status: 'created' } }],
  [`status = 'regressed'`, 'insight.regressed', { changed: ['status'], previous: { status: 'created' } }],
  [`status = 'ignored'`, 'insight.updated', { changed: ['status'], previous: { status: 'created' } }],
  [
    `team_status = 'planned'`,
    'insight.team_status_changed',
    { changed: ['team_status'], previous: { team_status: null } },
  ],
])('%s is %s', async (fields, type, more) => {
  const [event, ...rest] = await eventsOf([fields])
  expect(rest).toEqual([])
  expect(event).toMatchObject({
    type,
    data: { insight: { number: 1, name: 'issue 1', summary: 'what they say' }, ...more },
  })
  expect(event?.data.insight?.url).toBe('https://feedback.example/insights?issue=1')
})

test('an insight that appears is new, and one that is back after it was deleted is restored', async () => {
  const events = await eventsOf([`hidden = true`, `hidden = false`, `deleted_at = now()`, `deleted_at = null`])
  expect(events.map(({ type }) => type)).toEqual([
    'insight.deleted',
    'insight.created',
    'insight.deleted',
    'insight.restored',
  ])
})

test('the counts of an insight, and a name that the engine finds, are no events', async () => {
  expect(await eventsOf([`mention_count = 9, people_count = 8, heard = 9`, `name = 'found'`, `revision = 99`])).toEqual(
    [],
  )
})

test('a name that a person gives is one, with the name before', async () => {
  expect(await eventsOf([`name = 'given'`], 'Ann')).toMatchObject([
    { type: 'insight.updated', data: { insight: { name: 'given' }, changed: ['name'], previous: { name: 'issue 1' } } },
  ])
})

test('what one transaction changes is one event of each type; nothing names a person or quotes a message', async () => {
  const workspace = await receivers.workspace()
  const { server, secret } = await receivers.add(workspace)
  await receivers.inside(workspace, async (tx) => {
    await workFor(tx, 'Ann Author')
    for (const tag of ['Area', 'Size', 'Area']) {
      await sql`
        insert into insight_event (workspace_id, issue_number, event, detail)
        values (${workspace}, 1, 'tagged', ${JSON.stringify({ tag })}::jsonb)`.execute(tx)
    }
    await sql`update insight set name = 'once'`.execute(tx)
    await sql`update insight set name = 'twice', status = 'ignored'`.execute(tx)
  })
  await receivers.deliver(workspace)
  const [event, ...rest] = verified(server, secret)
  expect(rest).toEqual([])
  expect(event?.data).toMatchObject({ insight: { name: 'twice' }, previous: { name: 'issue 1', status: 'created' } })
  expect(event?.data.changed?.toSorted()).toEqual(['name', 'status', 'tags'])
  expect(Object.keys(event?.data.insight ?? {})).toEqual([
    'id',
    'number',
    'name',
    'summary',
    'status',
    'team_status',
    'mention_count',
    'people_count',
    'customer_count',
    'url',
  ])
  expect(server.seen[0]?.body).not.toMatch(/Ann|It fails/)
})

test('a change that is rolled back is no event, and one that is committed is sent to each receiver that chose it', async () => {
  const workspace = await receivers.workspace()
  const [all, some, other] = [
    await receivers.add(workspace),
    await receivers.add(workspace, ['insight.pushed', 'insight.deleted']),
    await receivers.add(workspace, ['insight.created']),
  ]
  const failing = receivers.inside(workspace, async (tx) => {
    await sql`update insight set status = 'pushed'`.execute(tx)
    throw new Error('rolled back')
  })
  await expect(failing).rejects.toThrow('rolled back')
  expect(await receivers.countEvents(workspace)).toBe(0)

  await receivers.change(workspace, 1, `status = 'pushed'`)
  expect(await receivers.countEvents(workspace)).toBe(1)
  await receivers.deliver(workspace)
  const [one] = verified(all.server, all.secret)
  expect(verified(some.server, some.secret)).toEqual([one])
  expect(one?.type).toBe('insight.pushed')
  expect(other.server.connections()).toBe(0)
  expect(all.secret).not.toBe(some.secret)
})

test('without a receiver that wants it nothing is stored', async () => {
  const workspace = await receivers.workspace()
  await receivers.change(workspace, 1, `status = 'pushed'`)
  const { id } = await receivers.add(workspace, ['insight.created'])
  await receivers.change(workspace, 1, `status = 'resolved'`)
  await receivers.call(workspace, 'PATCH', `/api/receivers/${id}`, { events: null, enabled: false })
  await receivers.change(workspace, 1, `status = 'regressed'`)
  expect(await receivers.countEvents(workspace)).toBe(0)
})

test('the size of a body is bounded, however long the texts are', async () => {
  const long = '𝄞'.repeat(20_000)
  const [event] = await eventsOf([`name = '${long}', summary = '${long}', status = 'pushed'`])
  expect(event?.data.insight?.name.isWellFormed()).toBe(true)
  expect(JSON.stringify(event).length).toBeLessThan(8_000)
})

test('every event that can be chosen is one that the database writes', async () => {
  const { rows } = await receivers.inside(await receivers.workspace(), (tx) =>
    sql<{ source: string }>`
      select string_agg(prosrc, ' ') as source from pg_proc where proname in ('note_outgoing_change', 'note_outgoing_tag')`.execute(
      tx,
    ),
  )
  const source = rows[0]?.source ?? ''
  const named = EVENT_TYPES.filter((type) => source.includes(`'${type}'`))
  expect(EVENT_TYPES.filter((type) => !named.includes(type))).toEqual([
    'insight.pushed',
    'insight.resolved',
    'insight.regressed',
  ])
})
