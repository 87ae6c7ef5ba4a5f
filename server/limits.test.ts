import { MAX_COMMENTS } from '@groundswell/contract/comments.ts'
import { MAX_RECEIVERS } from '@groundswell/contract/receivers.ts'
import { MAX_VIEWS } from '@groundswell/contract/views.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestPerson } from './platform/http/testing.ts'
import { TeamWorld } from './testing.ts'

const CALLS = 24

let world: TeamWorld

beforeAll(async () => {
  world = await TeamWorld.start({ allowPrivateAddresses: ['127.0.0.1'] })
  // Otherwise the calls of the first test wait for their connections, and come one by one.
  const { ann } = await world.people()
  await Promise.all(Array.from({ length: CALLS }, () => world.test.call('GET', '/api/views', { as: ann })))
})
afterAll(() => world.stop())

/** Every limit on things that people add one by one. `fill`: SQL that adds `rows` rows for the workspace $1 and the account $2. */
const limits: {
  of: string
  max: number
  url: string
  payload: (n: number) => object
  fill: (rows: number) => string
}[] = [
  {
    of: 'saved views of a person',
    max: MAX_VIEWS,
    url: '/api/views',
    payload: (n) => ({ name: `View ${n}`, query: '', shared: false }),
    fill: (rows) =>
      `insert into saved_view (workspace_id, account_id, name, query, shared, updated_at)
       select $1, $2, 'full ' || n, '', false, now() from generate_series(1, ${rows}) n`,
  },
  {
    of: 'shared links',
    max: 500,
    url: '/api/shared-links',
    payload: () => ({ issue_number: 1, expires_in_days: 7, hide_names: false, hide_quotes: false }),
    fill: (rows) =>
      `insert into shared_link (workspace_id, account_id, token_hash, issue_number, hide_names, hide_quotes, created_at, expires_at)
       select $1, $2, sha256(n::text::bytea), 1, false, false, now(), now() + interval '1 day' from generate_series(1, ${rows}) n`,
  },
  {
    of: 'API keys',
    max: 100,
    url: '/api/keys',
    payload: (n) => ({ name: `Key ${n}`, scopes: ['read'], expires_in_days: 30 }),
    fill: (rows) =>
      `insert into api_key (workspace_id, account_id, name, scopes, token_hash, token_start, created_at)
       select $1, $2, 'full', '{read}', sha256(n::text::bytea), 'gsk', now() from generate_series(1, ${rows}) n`,
  },
  {
    of: 'open invitations',
    max: 100,
    url: '/api/team/invitations',
    payload: () => ({ role: 'viewer' }),
    fill: (rows) =>
      `insert into invitation (workspace_id, role, invited_by, token_hash, created_at, expires_at)
       select $1, 'viewer', $2, sha256(n::text::bytea), now(), now() + interval '1 day' from generate_series(1, ${rows}) n`,
  },
  {
    of: 'event receivers',
    max: MAX_RECEIVERS,
    url: '/api/receivers',
    payload: () => ({ url: 'http://127.0.0.1:9/hook', description: '', events: null }),
    fill: (rows) =>
      `insert into receiver (workspace_id, id, sealed, description, created_at)
       select $1, gen_random_uuid(), case when $2::text is not null then 'x' end, '', now() from generate_series(1, ${rows}) n`,
  },
  {
    of: 'comments on an insight',
    max: MAX_COMMENTS,
    url: '/api/insights/1/comments',
    payload: (n) => ({ text: `Comment ${n}`, mentions: [] }),
    fill: (rows) =>
      `insert into insight_comment (workspace_id, issue_number, account_id, text, mentions, written_at)
       select $1, 1, $2, 'full', '{}', now() from generate_series(1, ${rows}) n`,
  },
]

/** Makes the call `times` times at once, and counts the replies by their status. */
async function atOnce(as: TestPerson, url: string, payload: (n: number) => object): Promise<Record<number, number>> {
  const calls = Array.from({ length: CALLS }, (_, n) => world.test.call('POST', url, { as, payload: payload(n) }))
  const counts: Record<number, number> = {}
  for (const { statusCode } of await Promise.all(calls)) counts[statusCode] = (counts[statusCode] ?? 0) + 1
  return counts
}

it.each(limits)('the limit of $of holds for calls made at once', async ({ max, url, payload, fill }) => {
  const { ann } = await world.people()
  await world.owner.query(fill(max - 3), [ann.workspaceId, ann.accountId])
  expect(await atOnce(ann, url, payload)).toEqual({ 200: 3, 409: CALLS - 3 })
})

it('of the views saved under one name at once, one is kept and the others are refused', async () => {
  const { ann } = await world.people()
  const view = { name: 'Exports', query: '', shared: false }
  expect(await atOnce(ann, '/api/views', () => view)).toEqual({ 200: 1, 409: CALLS - 1 })
})
