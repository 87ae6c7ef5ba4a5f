import { describe, expect, it } from 'vitest'
import { searchPage } from './search.ts'
import { createWorkspace } from './workspace.ts'

const AT = Date.parse('2026-03-01T12:00:00Z')
const conversation = (at: number) => ({ messages: [{ author: 'Ann', text: 'Hello' }], at })

/** A workspace with conversations that started at these times, and its search. */
function open(times: readonly number[], inclusive = false) {
  const workspace = createWorkspace([], () => AT)
  const ids = times.map((at) => workspace.add(conversation(at)).id)
  return {
    workspace,
    ids,
    search: (json: object) => {
      const page = searchPage(workspace.conversations.values(), json, inclusive)
      return page as { conversations: { id: string }[]; total_count: number; pages: { next?: object } } | null
    },
  }
}

const since = (value: number, more: object = {}) => ({
  query: { field: 'updated_at', operator: '>', value },
  sort: { field: 'updated_at', order: 'ascending' },
  ...more,
})

describe('the search', () => {
  it('starts with the newest change where no order is asked for, 20 at a time', () => {
    const { ids, search } = open(Array.from({ length: 25 }, (_, index) => AT + index * 1000))
    const { query } = since(1)
    const found = search({ query })
    expect(found?.conversations.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 20))
    expect(found?.pages.next).toEqual({ per_page: 20, starting_after: expect.any(String) as string })
  })

  it('orders conversations of one second by their ids', () => {
    const { ids, search } = open([AT, AT, AT - 1000, AT])
    const found = search(since(1))
    expect(found?.conversations.map(({ id }) => id)).toEqual([ids[2], ids[0], ids[1], ids[3]])
  })

  it.each([
    [false, 1],
    [true, 2],
  ])('includes the boundary itself: %s', (inclusive, count) => {
    const { search } = open([AT - 1000, AT, AT + 1000], inclusive)
    expect(search(since(AT / 1000))?.total_count).toBe(count)
    const between = [since(AT / 1000 - 5).query, { field: 'created_at', operator: '<', value: AT / 1000 }]
    expect(search({ query: { operator: 'AND', value: between } })?.total_count).toBe(count)
  })

  it.each([
    {},
    { query: {} },
    { query: { field: 'colour', operator: '>', value: 1 } },
    { query: { field: 'updated_at', operator: '~', value: 1 } },
    { query: { field: 'updated_at', operator: '>', value: 'soon' } },
    { query: { operator: 'AND', value: [{ field: 'colour', operator: '>', value: 1 }] } },
    since(1, { sort: { field: 'updated_at', order: 'asc' } }),
    since(1, { sort: { field: 'colour', order: 'ascending' } }),
    since(1, { pagination: { per_page: 151 } }),
    since(1, { pagination: { per_page: 0 } }),
    since(1, { pagination: { starting_after: 'nothing' } }),
  ])('refuses %j', (json) => {
    expect(open([AT]).search(json)).toBeNull()
  })

  it('does not know at once what changes, if told so', () => {
    const { workspace, search } = open([AT - 5000])
    workspace.lag(true)
    const { id } = workspace.add(conversation(AT - 4000))
    workspace.change([...workspace.conversations.keys()][0] ?? '', { state: 'closed' })
    expect(search(since(AT / 1000 - 6))?.total_count).toBe(1)
    expect(search(since(AT / 1000 - 1))?.total_count).toBe(0)
    workspace.lag(false)
    expect(search(since(AT / 1000 - 1))?.total_count).toBe(1)
    expect(search(since(AT / 1000 - 6))?.conversations.map((one) => one.id)[0]).toBe(id)
  })
})
