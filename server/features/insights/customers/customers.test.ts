import type { Customer, uploadCustomers } from '@groundswell/contract/customers.ts'
import type { InsightDetail } from '@groundswell/contract/insights/insight-detail.ts'
import type { Mention } from '@groundswell/contract/insights.ts'
import type { ReplyOf } from '@groundswell/contract/route.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inWorkspace } from '../../../platform/db/tenant.ts'
import { customerRoutes } from '../../customers/index.ts'
import { deleteItems } from '../../feedback/index.ts'
import { CorrectedWorkspace, messages } from '../corrections/testing.ts'
import { type Message, World } from '../testing.ts'
import { findCustomers, findCustomersOf } from './find-customers.ts'

let world: World
let workspace: string
let corrected: CorrectedWorkspace
let requested = 0

beforeAll(async () => {
  const changed = async () => {
    requested += 1
  }
  world = await World.start((services) => customerRoutes(services, { changed }))
})
afterAll(() => world.stop())
beforeEach(async () => {
  corrected = await CorrectedWorkspace.create(world, 0)
  workspace = corrected.workspace
  requested = 0
})

const nothing = { changed: async () => undefined }
const find = (batch = 500) => findCustomersOf(world.services, workspace, nothing, { batch })

/** Groups messages about four subjects in turn, said by the people given, in turn. */
async function say(people: readonly Partial<Message>[], count = people.length * 4): Promise<void> {
  const said = messages(count).map((message, at) => ({
    ...message,
    author: undefined,
    ...people[Math.floor(at / 4) % people.length],
  }))
  await world.store(workspace, said as Message[])
  await corrected.group()
}

async function get<T>(url: string): Promise<T> {
  const { status, body } = await world.call(workspace, 'GET', url)
  expect({ url, status, body }).toMatchObject({ status: 200 })
  return body as T
}

const list = async (query = '') =>
  await get<{ customers: Customer[]; total: number; complete: boolean }>(`/api/customers${query}`)
const counted = async (query?: string) =>
  (await list(query)).customers.map(({ name, messages: said, insights, revenue }) => [name, said, insights, revenue])

async function upload(text: string, more: object = {}): Promise<ReplyOf<typeof uploadCustomers>> {
  const { status, body } = await world.call(workspace, 'POST', '/api/customers/list', {}, { text, ...more })
  expect({ status, body }).toMatchObject({ status: 200 })
  return body as ReplyOf<typeof uploadCustomers>
}

const shown = async () => {
  const insights =
    await get<{ issue_number: number; customer_count?: number; revenue?: number }[]>('/api/insights/get-all')
  return insights.map(({ customer_count, revenue }) => ({ customer_count, revenue }))
}

const acme = { author: 'Ann <ann@acme.com>' }
const globex = { author: 'bo', attributes: { organisation: 'Globex', plan: 'Pro', revenue: '$40k', region: 'EMEA' } }
const nobody = { author: 'cy@gmail.com' }

test('the customers of an insight are counted as it is grouped, with what messages tell about them', async () => {
  await say([acme, globex, nobody, acme, nobody, globex])
  expect(await shown()).toEqual(Array.from({ length: 4 }, () => ({ customer_count: 2, revenue: 40_000 })))
  expect(await counted()).toEqual([
    ['acme.com', 8, 4, null],
    ['Globex', 8, 4, 40_000],
  ])
  const { customers } = await get<InsightDetail>('/api/insights/1/detail')
  expect(customers).toEqual({
    total: 2,
    revenue: 40_000,
    largest: [
      { id: expect.any(String), name: 'Globex', plan: 'Pro', revenue: 40_000, mentions: 2 },
      { id: expect.any(String), name: 'acme.com', plan: null, revenue: null, mentions: 2 },
    ],
  })
})

test('an insight without a known customer says nothing about customers', async () => {
  await say([nobody, {}, { author: 'Dee' }])
  expect(await shown()).toEqual(Array.from({ length: 4 }, () => ({})))
  expect(await get('/api/insights/1/detail')).not.toHaveProperty('customers')
  expect(await list()).toEqual({ customers: [], total: 0, complete: true })
})

test('the domain of the workspace’s own people is no customer, unless it is listed', async () => {
  await inWorkspace(world.services.db.accounts, workspace, (tx) =>
    sql`
      with person as (insert into account (email, name, password_hash) values ('me@acme.com', 'Me', '') returning id)
      insert into member (workspace_id, account_id, role) select ${workspace}, id, 'owner' from person`.execute(tx),
  )
  await say([acme, globex])
  expect(await counted()).toEqual([['Globex', 4, 4, 40_000]])
  await upload('domain\nacme.com')
  await find()
  expect(await counted('?order=name')).toEqual([
    ['acme.com', 4, 4, null],
    ['Globex', 4, 4, 40_000],
  ])
})

test('messages from before an update get their customers in small pieces', async () => {
  await say([acme, globex])
  await world.inside(workspace, async (tx) => {
    for (const table of ['feedback_customer', 'customer', 'insight_customer', 'customer_change'])
      await sql`delete from ${sql.table(table)}`.execute(tx)
    await sql`update insight set customer_count = 0, revenue = null`.execute(tx)
    await sql`insert into customer_fill (workspace_id) values (${workspace})`.execute(tx)
  })
  expect((await list()).complete).toBe(false)
  const changed: number[] = []
  const hooks = { changed: async (_: unknown, __: string, numbers: number[]) => void changed.push(...numbers) }
  const { visited } = await findCustomers(world.services, hooks, { batch: 3 })
  expect(visited).toBe(1)
  expect((await list()).complete).toBe(true)
  expect(await counted()).toEqual([
    ['acme.com', 4, 4, null],
    ['Globex', 4, 4, 40_000],
  ])
  expect(await shown()).toEqual(Array.from({ length: 4 }, () => ({ customer_count: 2, revenue: 40_000 })))
  expect(new Set(changed).size).toBe(4)
  expect((await findCustomers(world.services, hooks)).visited).toBe(0)
})

test('a message whose author changes counts for the other customer', async () => {
  await say([acme, globex])
  await say([{ author: 'eve@initech.com' }, globex])
  await find()
  expect(await counted()).toEqual([
    ['Globex', 4, 4, 40_000],
    ['initech.com', 4, 4, null],
  ])
})

test('an uploaded list names customers, says what they pay, and brings a name and a domain together', async () => {
  await say([acme, { attributes: { organisation: 'ACME Inc.' } }, globex])
  const text =
    'Company;Domain;Plan;MRR;Region;CSM\nAcme Inc;acme.com;Enterprise;"12.500,50";US;Kim\nGlobex;;;;;\nUmbrella;umbrella.example;Free;0;EU;\n'
  expect(await upload(text, { dry_run: true })).toEqual({
    added: 1,
    known: 2,
    rejected: [],
    rejected_count: 0,
    columns: ['Company', 'Domain', 'Plan', 'MRR', 'Region', 'CSM'],
    mapping: { name: 'Company', domain: 'Domain', plan: 'Plan', revenue: 'MRR', region: 'Region' },
    sample: [
      { name: 'Acme Inc', domain: 'acme.com', plan: 'Enterprise', revenue: 12_500.5, region: 'US' },
      { name: 'Globex', domain: null, plan: null, revenue: null, region: null },
      { name: 'Umbrella', domain: 'umbrella.example', plan: 'Free', revenue: 0, region: 'EU' },
    ],
  })
  expect(requested).toBe(0)
  expect((await list()).total).toBe(3)
  expect(await upload(text)).toMatchObject({ added: 1, known: 2 })
  expect(requested).toBe(1)
  await find()
  expect(await counted('?order=revenue')).toEqual([
    // The list says nothing about what Globex pays: what messages told stays.
    ['Globex', 4, 4, 40_000],
    ['Acme Inc', 8, 4, 12_500.5],
    ['Umbrella', 0, 0, 0],
  ])
  expect(await shown()).toEqual(Array.from({ length: 4 }, () => ({ customer_count: 2, revenue: 52_500.5 })))
  expect((await list('?words=acme')).customers[0]).toMatchObject({
    domain: 'acme.com',
    plan: 'Enterprise',
    listed: true,
    attributes: [{ name: 'CSM', value: 'Kim' }],
  })
  expect((await list(`?words=${encodeURIComponent('ＡＣＭÉ INC')}`)).customers[0]).toMatchObject({ domain: 'acme.com' })
  // A later list replaces what this one said in its columns.
  expect(await upload('domain,revenue\nacme.com,1\n')).toMatchObject({ added: 0, known: 1 })
  await find()
  expect((await list('?words=acme')).customers[0]).toMatchObject({ name: 'Acme Inc', plan: 'Enterprise', revenue: 1 })
  expect(await shown()).toEqual(Array.from({ length: 4 }, () => ({ customer_count: 2, revenue: 40_001 })))
})

test('lines that are no customers are reported, and the others are stored', async () => {
  const text =
    'domain,name,revenue\nacme.com,Acme,lots\n,,5\nnot a domain,X,\ngmail.com,Y,\nok.example,Ok,1\nok.example,Again,2\n'
  expect(await upload(text)).toMatchObject({
    added: 1,
    rejected_count: 5,
    rejected: [
      { line: 2, reason: 'The revenue "lots" cannot be read' },
      { line: 3, reason: 'The line has neither a domain nor a name' },
      { line: 4, reason: '"not a domain" is not a domain' },
      { line: 5, reason: 'gmail.com is a public mail domain: anyone can have an address there' },
      { line: 7, reason: 'The same customer is in line 6' },
    ],
  })
  expect(await counted()).toEqual([['Ok', 0, 0, 1]])
})

test.each([
  ['without a column that says who it is', 'plan,revenue\nPro,5\n', {}],
  ['with a column that it has not', 'domain\nacme.com\n', { columns: { name: 'nope' } }],
  ['that is no text', '\u0000\u0001', {}],
])('a list is refused %s', async (_, text, more) => {
  const { status } = await world.call(workspace, 'POST', '/api/customers/list', {}, { text, ...more })
  expect(status).toBe(400)
})

test('mentions and all feedback are shown by customer', async () => {
  await say([acme, globex, nobody])
  const [first] = (await list('?words=acme.com')).customers
  const one = await get<{ customer: Customer; issue_numbers: number[] }>(`/api/customers/${first?.id}`)
  expect(one.customer).toEqual(first)
  expect(one.issue_numbers.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4])
  const mentions = async (url: string) => (await get<{ mentions: Mention[] }>(url)).mentions.map(({ author }) => author)
  expect(await mentions(`/api/insights/1/evidence?customer=${first?.id}`)).toEqual([acme.author])
  expect(await mentions(`/api/feedback/search?customer=${first?.id}`)).toEqual(Array(4).fill(acme.author))
  expect(await mentions(`/api/feedback/search?customer=${first?.id}&words=csv`)).toEqual([acme.author])
  expect(await mentions(`/api/feedback/search?customer=${crypto.randomUUID()}`)).toEqual([])
  const other = await world.workspace()
  const { status } = await world.call(other, 'GET', `/api/customers/${first?.id}`)
  expect(status).toBe(404)
})

test('a customer goes with its last message, unless it is listed', async () => {
  await say([acme, globex])
  await upload('name\nGlobex')
  await find()
  await world.inside(workspace, async (tx) => {
    const { rows } = await sql<{ id: string }>`select id from connection`.execute(tx)
    await deleteItems(
      tx,
      workspace,
      String(rows[0]?.id),
      messages(8).map(({ id }) => id),
    )
  })
  await find()
  expect(await counted()).toEqual([['Globex', 0, 0, 40_000]])
  const { rows } = await world.inside(workspace, (tx) =>
    sql`select workspace_id from feedback_customer union all select workspace_id from insight_customer`.execute(tx),
  )
  expect(rows).toEqual([])
  const [globexNow] = (await list()).customers
  const removed = await world.call(workspace, 'DELETE', `/api/customers/${globexNow?.id}`)
  expect(removed.status).toBe(200)
  expect((await list()).total).toBe(0)
})

test('a customer that is taken off the list is again what messages tell', async () => {
  await say([globex, acme])
  await upload('name,plan,revenue\nGlobex,Enterprise,99')
  await find()
  const [listed] = (await list('?words=globex')).customers
  expect(listed).toMatchObject({ plan: 'Enterprise', revenue: 99, listed: true })
  await world.call(workspace, 'DELETE', `/api/customers/${listed?.id}`)
  await find()
  expect((await list('?words=globex')).customers[0]).toMatchObject({ plan: 'Pro', revenue: 40_000, listed: false })
  expect(await shown()).toEqual(Array.from({ length: 4 }, () => ({ customer_count: 2, revenue: 40_000 })))
})
