import { beforeEach, expect, test } from 'vitest'
import { duringTests } from '../../../platform/testing.ts'
import { type People, TeamWorld } from '../../../testing.ts'
import { Case } from './case.ts'
import { workspaceCases } from './workspace-cases.ts'

let people: People

const SAID = [
  ['Jana Novak', 'The export stops, says jana.novak@example.com'],
  ['Max Weber', 'Jana told me that exports stop'],
  [null, 'The invoice is wrong, and Novak agrees'],
] as const

const world = duringTests(() => TeamWorld.start())
beforeEach(async () => {
  people = await world.people()
  const { workspaceId } = people.ann
  await world.owner.query(
    `insert into connection (workspace_id, id, connector) values ($1, gen_random_uuid(), 'file')`,
    [workspaceId],
  )
  for (const [at, [author, text]] of SAID.entries()) {
    await world.owner.query(
      `with item as (
        insert into feedback_item (workspace_id, connection_id, external_id, text, author, said_at)
        select workspace_id, id, $2::text, $3, $4, '2026-03-01' from connection where workspace_id = $1 returning workspace_id, id)
      insert into statement (workspace_id, item_id, number, start_offset, end_offset, kind, issue_number, score, reason, said_at)
      select workspace_id, id, 0, 0, length($3), 'joined', case when $2::text = '2' then null else 1 end, 1, 'test', '2026-03-01' from item`,
      [workspaceId, String(at), text, author],
    )
  }
  // As a person who said that the third is "not this".
  await world.owner.query(
    `with made as (
      insert into correction (workspace_id, issue_number, kind, request, person, touched, state)
      values ($1, 1, 'reject', '{"kind": "reject"}', 'Ann', '{1}', 'applied') returning workspace_id, id)
    insert into statement_rule (workspace_id, item_id, number, bans, correction_id)
    select made.workspace_id, item.id, 0, '{1}', made.id from made
    join feedback_item item on item.workspace_id = made.workspace_id and item.external_id = '2'`,
    [workspaceId],
  )
})

const consent = async (as = people.ann) => (await world.test.call('GET', '/api/case-consent', { as })).json()
const choose = (allowed: boolean, as = people.ann) =>
  world.test.call('PUT', '/api/case-consent', { as, payload: { allowed } })
const cases = () => workspaceCases(world.test.services, people.ann.workspaceId)

test('there are no cases until an owner allows it, and none after that is revoked', async () => {
  expect(await consent(people.vera)).toEqual({ allowed: false, given_by: null, given_at: null, corrections: 1 })
  expect(await cases()).toBeNull()
  expect((await choose(true, people.max)).statusCode).toBe(403)
  expect(await cases()).toBeNull()
  expect((await choose(true)).json()).toMatchObject({ allowed: true, given_by: people.ann.name, corrections: 1 })
  expect(await cases()).toHaveLength(1)
  expect(await consent(people.bo)).toMatchObject({ allowed: false, corrections: 0 })
  expect((await choose(false)).json()).toMatchObject({ allowed: false, given_by: null })
  expect(await cases()).toBeNull()
})

test('a case has the messages without names of people and addresses', async () => {
  await choose(true)
  const [one] = (await cases()) ?? []
  expect(Case.parse(one)).toEqual(one)
  expect(one).toMatchObject({ kind: 'reject', with: [], name: null })
  expect(one?.messages.map(({ text, author }) => [text, author])).toEqual([
    ['The export stops, says [e-mail]', 'person 1'],
    ['[name] told me that exports stop', 'person 2'],
    ['The invoice is wrong, and [name] agrees', 'person 3'],
  ])
  expect(one?.about).toEqual([one?.messages[2]?.id])
  expect(one?.apart).toEqual(one?.messages.slice(0, 2).map(({ id }) => id))
})

test('a message that is erased or edited is so in the cases', async () => {
  await choose(true)
  await world.owner.query(
    `update feedback_item set text = 'The exports stop' where external_id = '1' and workspace_id = $1`,
    [people.ann.workspaceId],
  )
  await world.owner.query(`update statement set end_offset = 16 where workspace_id = $1`, [people.ann.workspaceId])
  const erased = await world.test.call('POST', '/api/erasure', { as: people.ann, payload: { author: 'Jana Novak' } })
  expect(erased.statusCode).toBe(200)
  const [one] = (await cases()) ?? []
  expect(one?.messages.map(({ text }) => text)).toEqual(['The exports stop', 'The invoice is w'])
  await world.test.call('POST', '/api/erasure', { as: people.ann, payload: { author: 'Max Weber' } })
  expect(await cases()).toEqual([])
})
