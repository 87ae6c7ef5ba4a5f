import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { openLinear } from '../../linear/testing.ts'
import { connection, matches } from './filter.ts'
import type { LinearSandbox } from './linear.ts'

type Answer = { data?: Record<string, unknown> | null; errors?: { extensions: { code: string } }[] }

async function ask(linear: LinearSandbox, query: string, variables = {}, authorization = linear.signIns.apiKey) {
  const headers = { 'content-type': 'application/json', authorization }
  const body = JSON.stringify({ query, variables })
  const response = await fetch(`${linear.url}/graphql`, { method: 'POST', headers, body })
  return { status: response.status, headers: response.headers, answer: (await response.json()) as Answer }
}

const CREATE = 'mutation ($input: IssueCreateInput!) { issueCreate(input: $input) { issue { id identifier } } }'

it('answers only those who are signed in', async () => {
  await using linear = await openLinear()
  const { status, answer } = await ask(linear, '{ viewer { name } }', {}, 'Bearer nonsense')
  expect(status).toBe(401)
  expect(answer.errors?.[0]?.extensions.code).toBe('AUTHENTICATION_ERROR')
  expect((await ask(linear, '{ viewer { name } }')).answer).toEqual({ data: { viewer: { name: 'Tally Turner' } } })
})

it('counts requests and refuses with status 400 where the hour is used up', async () => {
  await using linear = await openLinear()
  linear.budget.limit = 1
  const first = await ask(linear, '{ viewer { id } }')
  expect(first.headers.get('x-ratelimit-requests-remaining')).toBe('0')
  const { status, headers, answer } = await ask(linear, '{ viewer { id } }')
  expect([status, answer.errors?.[0]?.extensions.code]).toEqual([400, 'RATELIMITED'])
  expect(Number(headers.get('x-ratelimit-requests-reset'))).toBeGreaterThan(Date.now())
})

it('creates an issue once for an id, which has to be a UUID of version 4', async () => {
  await using linear = await openLinear()
  const input = { id: randomUUID(), teamId: linear.workspace.team(0).id, title: 'A title' }
  expect((await ask(linear, CREATE, { input })).answer.data).toEqual({
    issueCreate: { issue: { id: input.id, identifier: 'PRD-1' } },
  })
  for (const wrong of [input, { ...input, id: 'x' }, { ...input, id: undefined, title: 'x'.repeat(256) }]) {
    expect((await ask(linear, CREATE, { input: wrong })).answer.errors).toMatchObject([
      { extensions: { code: 'INPUT_ERROR' } },
    ])
  }
  expect(linear.workspace.issues).toHaveLength(1)
})

it('records an operation that it cannot answer', async () => {
  await using linear = await openLinear()
  expect((await ask(linear, '{ nothing }')).status).toBe(400)
  expect(linear.problems).toHaveLength(1)
})

it('explains a sign-in that cannot be allowed, and knows no other page', async () => {
  await using linear = await openLinear()
  const refused = await fetch(`${linear.url}/oauth/authorize?client_id=other&response_type=code&scope=read`)
  expect(refused.status).toBe(400)
  expect(await refused.text()).toContain('The client ID')
  expect((await fetch(`${linear.url}/other`)).status).toBe(404)
})

it.each([
  [{ name: { containsIgnoreCase: 'EXP' } }, true],
  [{ name: { containsIgnoreCase: 'x-' } }, false],
  [{ id: { in: ['2', '1'] }, name: { eq: 'Other' } }, false],
  [{ or: [{ id: { eq: '3' } }, { team: { null: true } }] }, true],
  [{ and: [{ id: { eq: '1' } }, { team: { id: { eq: 't' } } }] }, false],
  [null, true],
])('filters by %j: %s', (filter, expected) => {
  expect(matches({ id: '1', name: 'Exports', team: null }, filter)).toBe(expected)
})

it('pages through a connection by the last id', () => {
  const all = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }))
  const read = (after: string | null): string[] => {
    const { nodes, pageInfo } = connection(all, { first: 2, after })
    expect(nodes.length).toBeLessThanOrEqual(2)
    return [...nodes.map(({ id }) => id), ...(pageInfo.hasNextPage ? read(pageInfo.endCursor) : [])]
  }
  expect(read(null)).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(connection([], {})).toEqual({ nodes: [], pageInfo: { hasNextPage: false, endCursor: null } })
})
