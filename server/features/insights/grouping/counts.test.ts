import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Tx } from '../../../platform/db/tenant.ts'
import { deleteItems, storeItems } from '../../feedback/index.ts'
import { RandomChanges } from '../changes/testing.ts'
import { corrected, csv, mail, useFreshWorkspaces, world } from '../corrections/fresh-workspace.ts'
import { messages } from '../corrections/testing.ts'
import { findCustomersOf } from '../customers/find-customers.ts'
import { raiseRevision } from '../revision.ts'
import { readWeeks } from '../weeks-store.ts'
import { checkCounts, checkInsight } from './check-counts.ts'
import { recountRelabelled } from './relabelled.ts'
import { readDifferences } from './stores/count-store.ts'

useFreshWorkspaces()

const rowsOf = async <T>(query: ReturnType<typeof sql<T>>): Promise<T[]> =>
  (await world.inside(corrected.workspace, (tx) => query.execute(tx))).rows

/** What insights show, and the same counted from all mentions. */
async function shown(): Promise<{ stored: unknown[]; counted: unknown[] }> {
  const stored = await rowsOf(sql`
    select issue_number, mention_count, people_count, customer_count, revenue, first_seen, last_seen, hidden, sources,
      coalesce(text_count, 0) as text_count, coalesce(author_count, 0) as author_count
    from insight order by 1`)
  const counted = await rowsOf(sql`
    select insight.issue_number, count(s.item_id)::int as mention_count,
      count(distinct coalesce(item.author, item.id::text))::int as people_count, count(distinct customer.key)::int as customer_count,
      (select sum(paid.revenue) from customer paid where paid.key = any(array_agg(customer.key))) as revenue, min(s.said_at) as first_seen,
      max(s.said_at) as last_seen, count(distinct s.item_id) < 2 as hidden,
      coalesce(array_agg(distinct connection.connector order by connection.connector) filter (where connection.connector is not null), '{}') as sources,
      count(distinct lower(substring(item.text from s.start_offset + 1 for s.end_offset - s.start_offset)))::int as text_count,
      count(distinct item.author)::int as author_count
    from insight
    left join statement s on s.issue_number = insight.issue_number
    left join feedback_item item on item.id = s.item_id
    left join lateral (
      select coalesce('name:' || lower(item.attributes ->> 'organisation'), substring(item.author from '@(.*)$')) as key
    ) customer on customer.key <> 'gmail.com'
    left join connection on connection.id = item.connection_id
    group by 1 order by 1`)
  return { stored, counted }
}

/** How many messages have which values of attributes: as they are counted, or as the messages say. */
async function valuesOf(table: 'feedback_attribute' | 'feedback_item'): Promise<unknown[]> {
  return table === 'feedback_item'
    ? rowsOf(
        sql`select key, value, count(*)::int as messages from feedback_item, jsonb_each_text(attributes) group by 1, 2 order by 1, 2`,
      )
    : rowsOf(sql`
        select value.name as key, value.value, total.messages from attribute_value value
        join attribute_total total on total.value_id = value.id and total.workspace_id = value.workspace_id
        where total.messages = (select count(*) from feedback_attribute where value.id = any(value_ids))
        order by 1, 2`)
}

async function numbers(): Promise<number[]> {
  const rows = await rowsOf(sql<{ number: number }>`
    select issue_number as number from statement where issue_number is not null union select issue_number from insight_total order by 1`)
  return rows.map((row) => row.number)
}

/** At any moment the stored counts and what waits to be added are exactly the mentions. */
async function expectNothingLost(): Promise<void> {
  for (const number of await numbers()) {
    const found = await world.inside(corrected.workspace, (tx) => readDifferences(tx, corrected.workspace, number))
    expect(found.filter((one) => one.of !== 'shown')).toEqual([])
  }
}

async function expectWeeksToAgree(until: Date): Promise<void> {
  const weeks = 5
  const wanted = (await numbers()).map((issueNumber) => ({ issueNumber, until }))
  const found = await world.inside(corrected.workspace, (tx) => readWeeks(tx, corrected.workspace, wanted, weeks))
  const counted = await rowsOf(sql`
    select issue_number as "issueNumber", ceil(extract(epoch from (${until}::timestamptz - said_at)) / 604800)::int - 1 as "weeksAgo",
      count(*)::int as mentions
    from statement
    where issue_number is not null and said_at < ${until}::timestamptz and said_at >= ${until}::timestamptz - ${weeks}::int * interval '7 days'
    group by 1, 2 order by 1, 2`)
  expect(found.toSorted((a, b) => a.issueNumber - b.issueNumber || a.weeksAgo - b.weeksAgo)).toEqual(counted)
}

test.each([1, 2, 3])(
  'after changes in any order the counts are those of a full count (sequence %i)',
  async (seed) => {
    const changes = new RandomChanges(seed)
    const did: string[] = []
    for (let at = 0; at < 40; at += 1) {
      did.push(await changes.next())
      await expectNothingLost()
    }
    await corrected.group()
    // Authors whose change nobody announced count once somebody does.
    const all = await rowsOf(sql<{ id: number }>`select id from feedback_item`)
    await world.inside(corrected.workspace, (tx) =>
      recountRelabelled(
        tx,
        corrected.workspace,
        all.map((row) => row.id),
      ),
    )
    await findCustomersOf(world.services, corrected.workspace, { changed: async () => undefined })
    const { stored, counted } = await shown()
    expect({ did, stored }).toEqual({ did, stored: counted })
    expect(stored).toContainEqual(
      expect.objectContaining({ customer_count: expect.not.closeTo(0), revenue: expect.any(Number) }),
    )
    expect(await valuesOf('feedback_attribute')).toEqual(await valuesOf('feedback_item'))
    await expectNothingLost()
    await expectWeeksToAgree(new Date('2026-02-23T00:00:00Z'))
    await expectWeeksToAgree(new Date('2026-02-23T07:31:12.345Z'))
    expect(await rowsOf(sql`select from mention_change`)).toEqual([])
    expect(
      await rowsOf(
        sql`select from customer_change union all select from customer_due union all select from attribute_change`,
      ),
    ).toEqual([])
    // Of a customer without messages nothing is left.
    expect(
      await rowsOf(
        sql`select key from customer where not exists (select from feedback_customer where customer_id = customer.id)`,
      ),
    ).toEqual([])
  },
  240_000,
)

/** A transaction that has done something and is not committed before `commit`. */
async function open(work: (tx: Tx) => Promise<unknown>): Promise<{ tx: Tx; commit: () => Promise<void> }> {
  const begun = Promise.withResolvers<Tx>()
  const committed = Promise.withResolvers<void>()
  const done = world.inside(corrected.workspace, async (tx) => {
    await work(tx)
    begun.resolve(tx)
    await committed.promise
  })
  done.catch(begun.reject)
  const commit = () => {
    committed.resolve()
    return done
  }
  return { tx: await begun.promise, commit }
}

const moveFirst = (tx: Tx, issueNumber: number) =>
  sql`update statement set issue_number = ${issueNumber}
    where item_id = (select id from feedback_item where external_id = 'm0')`.execute(tx)

test('an item that is deleted while its mentions move is taken from where they went', async () => {
  const moving = await open((tx) => moveFirst(tx, mail))
  const deleted = world.inside(corrected.workspace, async (tx) => {
    const { rows } = await sql<{ id: string }>`select id from connection limit 1`.execute(tx)
    await deleteItems(tx, corrected.workspace, String(rows[0]?.id), ['m0'])
  })
  const waiting = sql<{ waits: boolean }>`
    select exists (
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and wait_event in ('transactionid', 'tuple')
    ) as waits`
  await expect.poll(async () => (await rowsOf(waiting))[0]?.waits).toBe(true)
  await moving.commit()
  await deleted
  await expectNothingLost()
  expect(await rowsOf(sql`select issue_numbers from forgotten_item`)).toEqual([{ issue_numbers: [mail] }])
})

test('an author who is renamed while the mentions move counts once', async () => {
  const moving = await open((tx) => moveFirst(tx, mail))
  const renaming = await open((tx) =>
    sql`update feedback_item set author = 'someone else' where external_id = 'm0'`.execute(tx),
  )
  await renaming.commit()
  await moveFirst(moving.tx, csv)
  await moveFirst(moving.tx, mail)
  await moving.commit()
  await expectNothingLost()
  const [item] = await rowsOf(sql<{ id: number }>`select id from feedback_item where external_id = 'm0'`)
  await world.inside(corrected.workspace, (tx) => recountRelabelled(tx, corrected.workspace, [Number(item?.id)]))
  await expectNothingLost()
  await world.store(corrected.workspace, messages(8, 80))
  await corrected.group()
  const { stored, counted } = await shown()
  expect(stored).toEqual(counted)
})

test('a count passes over an author whose change is not committed yet', async () => {
  const renaming = await open((tx) =>
    sql`update feedback_item set author = 'first' where external_id = 'm0'`.execute(tx),
  )
  await renaming.commit()
  const again = await open((tx) => sql`update feedback_item set author = 'second' where external_id = 'm0'`.execute(tx))
  await world.store(corrected.workspace, messages(8, 80))
  await corrected.group()
  await again.commit()
  await expectNothingLost()
  await world.store(corrected.workspace, messages(8, 88))
  await corrected.group()
  const { stored, counted } = await shown()
  expect(stored).toEqual(counted)
})

test('the slow check corrects counts that differ, logs them, and looks at each insight once a week', async () => {
  await rowsOf(sql`update insight_total set mentions = mentions + 5 where issue_number = ${csv}`)
  await rowsOf(sql`update insight set mention_count = 1 where issue_number = ${mail}`)
  await rowsOf(sql`delete from insight_person where issue_number = ${mail} and person = person_of('person 1', 0)`)
  const lines: object[] = []
  const log = { ...world.services.log, error: (fields: object) => void lines.push(fields) }
  const services = { ...world.services, log } as unknown as typeof world.services
  const of = (workspace: unknown) => lines.filter((line) => 'workspace' in line && line.workspace === workspace).length
  await checkCounts(services)
  expect(of(corrected.workspace)).toBe(0)
  world.now = new Date(Date.now() + 8 * 24 * 3_600_000)
  await checkCounts(services)
  expect(of(corrected.workspace)).toBe(2)
  const { stored, counted } = await shown()
  expect(stored).toEqual(counted)
  expect(await checkInsight(services, corrected.workspace, csv)).toEqual([])
  await checkCounts(services)
  expect(of(corrected.workspace)).toBe(2)
})

test('a message deleted between two steps is not counted by the next, and its insight gets a new revision', async () => {
  await world.inside(corrected.workspace, async (tx) => {
    await raiseRevision(tx, corrected.workspace)
    const connection = await sql<{ id: string }>`select id from connection limit 1`.execute(tx)
    await storeItems(tx, corrected.workspace, String(connection.rows[0]?.id), [])
    await deleteItems(tx, corrected.workspace, String(connection.rows[0]?.id), ['m0', 'm4'])
  })
  const before = await rowsOf(sql<{ revision: number }>`select revision from insight where issue_number = ${csv}`)
  await corrected.group()
  const after = await rowsOf(sql<{ revision: number }>`select revision from insight where issue_number = ${csv}`)
  expect(after[0]?.revision).toBeGreaterThan(Number(before[0]?.revision))
  const { stored, counted } = await shown()
  expect(stored).toEqual(counted)
})
