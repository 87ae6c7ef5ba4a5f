import { randomUUID } from 'node:crypto'
import { buildSchema } from 'graphql'
import { describe, expect, it } from 'vitest'
import { documentFor } from '../../kit/testing.ts'
import { check } from '../../linear/check.ts'
import { choices } from '../../linear/choices.ts'
import { subscriptions } from '../../linear/subscriptions.ts'
import { contextFor, openLinear } from '../../linear/testing.ts'
import { tracker } from '../../linear/tracker.ts'
import { NOT_COMPARED } from '../official.ts'
import { officialSchema as schema } from './description.ts'
import { execute } from './execute.ts'

describe('Linear’s official schema', () => {
  it('allows every operation of ours with its variables, and every answer of the sandbox', async ({ skip }) => {
    await using linear = await openLinear({ schema })
    const { workspace } = linear
    const context = contextFor(linear, {
      settings: {
        project: [workspace.team(0).all.projects[0]?.id],
        labels: [workspace.labels[0]?.id],
        assignee: [workspace.people[0]?.id],
        state: [workspace.team(0).state('unstarted').id],
        priority: ['2'],
        customer_requests: ['known'],
      },
    })
    await check(context)
    await choices(context, { search: { project: 'export', assignee: 'ada' } })
    await tracker.verify(context)
    const document = documentFor(randomUUID(), { companies: ['Acme', 'Unknown'] })
    let remote = await tracker.create(context, { document, reopen: false })
    expect(await tracker.find(context, document.marker)).toMatchObject({ id: document.marker, status: 'open' })
    linear.setState(remote.id, 'completed')
    remote = await tracker.update(context, remote, { document, reopen: false })
    remote = await tracker.update(context, remote, { document, reopen: false })
    expect(remote.status).toBe('closed')
    linear.archive(remote.id)
    remote = await tracker.update(context, remote, { document, reopen: true })
    expect(remote.status).toBe('open')
    expect(await tracker.readStatus(context, [remote])).toMatchObject([{ state: 'open' }])
    const request = { url: 'https://feedback.example.com/api/linear/events/key', secret: 'a secret', previous: null }
    const { state } = await subscriptions.ensure(context, request)
    await subscriptions.ensure(context, { ...request, previous: state })
    await subscriptions.remove(context, state)
    const names = new Set(linear.calls.flatMap(({ query }) => /^(?:query|mutation) (\w+)/.exec(query)?.[1] ?? []))
    expect([...names].toSorted()).toEqual([
      'AttachmentCreate',
      'CommentCreate',
      'CommentUpdate',
      'CustomerNeedCreate',
      'Customers',
      'Issue',
      'IssueCreate',
      'IssueUnarchive',
      'IssueUpdate',
      'Issues',
      'Labels',
      'Team',
      'TeamChoices',
      'Teams',
      'WebhookCreate',
      'WebhookDelete',
      'WebhookUpdate',
      'Who',
    ])
    expect(linear.problems).toEqual([])
    if (!schema) return skip(NOT_COMPARED)
  })

  it('is what the sandbox answers by', async ({ skip }) => {
    if (!schema) return skip(NOT_COMPARED)
    const root = { viewer: { id: 'v1', name: null } }
    const codes = async (document: string) =>
      ((await execute(root, document, {}, schema)).errors ?? []).map(
        (error) => (error as { extensions: { code: string } }).extensions.code,
      )
    expect(await codes('{ viewer { id } }')).toEqual([])
    expect(await codes('{ viewer { name } }')).toEqual(['GRAPHQL_VALIDATION_FAILED'])
    expect(await codes('{ viewer { nickname } }')).toEqual(['GRAPHQL_VALIDATION_FAILED'])
    expect(await codes('{ issue { id } }')).toEqual(['GRAPHQL_VALIDATION_FAILED'])
  })
})

describe('executing an operation', () => {
  const schemas = [
    [
      'with a schema',
      buildSchema('type Query { item(id: ID!): Item } type Item { id: ID! tags: [Tag!]! } type Tag { name: String }'),
    ],
    ['without one', null],
  ] as const
  const root = { item: ({ id }: { id: string }) => ({ id, tags: [{ name: 'a' }, { name: null }] }) }

  it.each(schemas)('selects the fields that are asked for, %s', async (_, given) => {
    const document = 'query Q($id: ID!) { first: item(id: $id) { id } second: item(id: "2") { tags { name } } }'
    expect(JSON.parse(JSON.stringify(await execute(root, document, { id: '1' }, given)))).toEqual({
      data: { first: { id: '1' }, second: { tags: [{ name: 'a' }, { name: null }] } },
    })
  })

  it.each(schemas)('refuses unknown fields and what is no operation, %s', async (_, given) => {
    for (const document of ['{ item(id: "1") { nothing } }', '{ item(', 'fragment F on Item { id }']) {
      const { data, errors } = await execute(root, document, {}, given)
      expect(data ?? null).toBeNull()
      expect(errors?.length).toBeGreaterThan(0)
    }
  })
})
