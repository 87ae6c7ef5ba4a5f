import { describe, expect, it } from 'vitest'
import { createPageStore } from '../kit/page-store.ts'
import { startServer } from '../kit/testing.ts'
import { cursor as parseCursor } from './cursor.ts'
import { pull } from './pull.ts'
import {
  drain,
  fill,
  idOf,
  idsOf,
  linkTo,
  openTeams,
  postOf,
  SCRIPTED_CHANNEL,
  scripted,
  scriptedContext,
  signedIn,
} from './testing.ts'

const ended = { '@odata.deltaLink': linkTo('end', 'deltatoken') }
const repliesOf = (sandbox: { calls(): readonly { name: string }[] }) =>
  sandbox.calls().filter(({ name }) => name === 'replies').length
/** The ids of replies, as far as they were read. */
const idsIn = (items: readonly { externalId: string }[]) =>
  items.map(({ externalId }) => externalId.slice(SCRIPTED_CHANNEL.length + 1)).toSorted()
const big = (id: string, size: number) => postOf(id, { body: { contentType: 'text', content: 'x'.repeat(size) } })

describe('replies that came with their post', () => {
  it('are a complete thread: what it lacks later was removed', async () => {
    await using teams = await openTeams()
    const [root = ''] = fill(teams, { channel: 'General', posts: 3, nth: 1, replies: 3 })
    const context = await signedIn(teams)
    const store = createPageStore()
    for await (const page of pull(context, null)) store.commit(page)
    expect(store.items.size).toBe(12)
    const [first, second] = teams.tenant.messages.filter((one) => one.root === root).map(({ id }) => id)
    teams.tenant.purge(first ?? '')
    teams.remove(second ?? '')
    for await (const page of pull(context, store.cursor())) store.commit(page)
    expect([...store.items.keys()].toSorted()).toEqual(idsOf(teams).toSorted())
    expect(repliesOf(teams)).toBe(0)
  })

  it('of the last weeks are found without a request for each thread', async () => {
    await using teams = await openTeams()
    const roots = fill(teams, { channel: 'General', posts: 40, nth: 2, replies: 2 })
    const context = await signedIn(teams)
    const { cursor } = await drain(context)
    const late = roots.map((root) => teams.post({ channel: 'General', author: 'Ann', text: `late ${root}`, root }))
    const { items } = await drain(context, cursor)
    const ids = items.map(({ externalId }) => externalId)
    for (const id of late) expect(ids).toContain(idOf(teams, id))
    expect(repliesOf(teams)).toBe(0)
  })

  it('say whether they were written, deleted, or notices', async () => {
    const replies = [
      postOf('2'),
      postOf('3', { deletedDateTime: '2026-02-28T13:00:00Z' }),
      postOf('4', { messageType: 'systemEventMessage' }),
    ]
    await using server = await startServer(scripted({ delta: () => ({ value: [postOf('1', { replies })], ...ended }) }))
    const { items, deleted, complete } = await drain(scriptedContext(server.url))
    expect(idsIn(items)).toEqual(['1', '1:2'])
    expect(deleted).toEqual([`${SCRIPTED_CHANNEL}:1:3`])
    expect(complete.map(({ ids }) => ids)).toEqual([[`${SCRIPTED_CHANNEL}:1:2`, `${SCRIPTED_CHANNEL}:1:4`]])
  })
})

describe('replies of which not all came with their post', () => {
  it.each([
    ['a link to the rest', { replies: [postOf('2')], 'replies@odata.nextLink': linkTo('rest') }],
    ['a higher number', { replies: [postOf('2')], 'replies@odata.count': 2 }],
    ['a malformed reply', { replies: [postOf('2'), postOf('../3')] }],
    ['a reply without a time', { replies: [postOf('2'), postOf('3', { createdDateTime: null })] }],
    ['a malformed list', { replies: 'x' }],
    ['no list', {}],
    ['as many as Graph expands', { replies: Array.from({ length: 1000 }, (_, index) => postOf(String(1000 + index))) }],
  ])('are requested: %s', async (_, more) => {
    const value = [postOf('1', more), postOf('7', { replies: [postOf('8')] })]
    const replies = (_query: URLSearchParams, path: string) => ({
      value: path.includes('/1/') ? [postOf('2'), postOf('3')] : [],
    })
    await using server = await startServer(scripted({ delta: () => ({ value, ...ended }), replies }))
    const { items, complete, incomplete } = await drain(scriptedContext(server.url, { maxBytes: 16 * 1024 * 1024 }))
    expect(server.seen.filter(({ url }) => url.includes('/replies'))).toHaveLength(1)
    expect(idsIn(items)).toEqual(['1', '1:2', '1:3', '7', '7:8'])
    expect(complete.map(({ thread, ids }) => [thread, ids.length])).toEqual([
      [`${SCRIPTED_CHANNEL}:7`, 1],
      [`${SCRIPTED_CHANNEL}:1`, 2],
    ])
    expect(incomplete).toBeNull()
  })

  it('are read to their end after every interruption', async () => {
    await using teams = await openTeams({ pageSize: 5, expanded: 3 })
    fill(teams, { channel: 'General', posts: 12, nth: 3, replies: 12 })
    fill(teams, { channel: 'Feedback', posts: 12, nth: 2, replies: 2 })
    const context = await signedIn(teams)
    const store = createPageStore()
    for (let done = false; !done; ) {
      // Of each two pages the second one is lost.
      const pages = pull(context, JSON.parse(JSON.stringify(store.cursor())))
      const page = await pages.next()
      if (page.done) break
      store.commit(page.value)
      done = (await pages.next()).done === true
    }
    expect([...store.items.keys()].toSorted()).toEqual(idsOf(teams).toSorted())
  })
})

describe('a delta whose replies are too large', () => {
  const size = 30_000
  /** Two pages of posts, one of them with large replies; like Graph's, a token keeps what its first request expanded. */
  const delta = (large: string) => (query: URLSearchParams) => {
    const token = query.get('$skiptoken') ?? query.get('$deltatoken')
    const expands = token === null ? query.has('$expand') : token.endsWith('expanded')
    const shown = (id: string) =>
      postOf(id, expands ? { replies: id === large ? [big(`${id}1`, size), big(`${id}2`, size)] : [] } : {})
    const mark = expands ? 'expanded' : 'plain'
    if (token?.startsWith('delta')) return { value: [], '@odata.deltaLink': linkTo(`delta-${mark}`, 'deltatoken') }
    return token === null
      ? { value: [shown('1')], '@odata.nextLink': linkTo(`next-${mark}`) }
      : { value: [shown('2')], '@odata.deltaLink': linkTo(`delta-${mark}`, 'deltatoken') }
  }

  it.each(['1', '2'])('is read without them, and they by their own requests: those of post %s', async (large) => {
    const replies = (_query: URLSearchParams, path: string) => ({
      value: path.includes(`/${large}/`) ? [postOf(`${large}1`), postOf(`${large}2`)] : [],
    })
    await using server = await startServer(scripted({ delta: delta(large), replies }))
    const context = scriptedContext(server.url, { maxBytes: 50_000 })
    const { items, cursor, incomplete } = await drain(context)
    expect([...new Set(idsIn(items))]).toEqual(['1', '2', `${large}:${large}1`, `${large}:${large}2`].toSorted())
    expect(incomplete).toBeNull()
    expect(cursor?.channels[0]?.delta).toContain('plain')
    expect(server.seen.filter(({ url }) => url.includes('/delta')).length).toBeLessThanOrEqual(4)
  })

  it('does not begin again for ever where its posts alone are too large', async () => {
    const always = (query: URLSearchParams) =>
      query.has('$skiptoken')
        ? { value: [big('2', 60_000)], ...ended }
        : { value: [postOf('1', { replies: [] })], '@odata.nextLink': linkTo('next') }
    await using server = await startServer(scripted({ delta: always }))
    await expect(drain(scriptedContext(server.url, { maxBytes: 50_000 }))).rejects.toMatchObject({
      kind: 'unavailable',
    })
    expect(server.seen.filter(({ url }) => url.includes('/delta'))).toHaveLength(4)
  })
})

it.each([400, 501])('a delta that does not expand replies (%i) is read without them', async (status) => {
  const delta = (query: URLSearchParams) =>
    query.has('$expand')
      ? { status, error: { code: 'BadRequest', message: 'Query option is not supported' } }
      : { value: [postOf('1')], ...ended }
  await using server = await startServer(scripted({ delta, replies: () => ({ value: [postOf('2')] }) }))
  const { items, cursor } = await drain(scriptedContext(server.url))
  expect(idsIn(items)).toEqual(['1', '1:2'])
  expect(cursor?.channels[0]).toMatchObject({ lists: null, delta: '$deltatoken=end' })
  expect(server.seen.some(({ url }) => /\/messages\?/.test(url))).toBe(false)
})

it('a listed post whose replies are too large even alone is read without them, and those after it with theirs', async () => {
  const ids = ['3', '2', '1']
  const messages = (query: URLSearchParams) => {
    const at = Number(query.get('$skiptoken') ?? 0)
    const top = Number(query.get('$top'))
    const shown = (id: string) =>
      postOf(id, query.has('$expand') ? { replies: [id === '2' ? big('20', 60_000) : postOf(`${id}0`)] } : {})
    const next =
      at + top < ids.length
        ? {
            '@odata.nextLink': `${linkTo(String(at + top))}&$top=${top}${query.has('$expand') ? '&$expand=replies' : ''}`,
          }
        : {}
    return { value: ids.slice(at, at + top).map(shown), ...next }
  }
  const replies = (_query: URLSearchParams, path: string) => ({ value: [postOf(`${path.split('/').at(-2)}0`)] })
  const refused = () => ({ status: 403, error: { code: 'Forbidden', message: 'no' } })
  await using server = await startServer(scripted({ delta: refused, messages, replies }))
  const { items, incomplete } = await drain(scriptedContext(server.url, { maxBytes: 50_000 }))
  expect(idsIn(items)).toEqual(['1', '1:10', '2', '2:20', '3', '3:30'])
  expect(incomplete).toBeNull()
  expect(server.seen.filter(({ url }) => url.includes('/replies'))).toHaveLength(1)
})

it('a position that was stored before replies came with their posts is continued', () => {
  const round = { step: 'delta', next: '$skiptoken=x', began: 1, seen: 50, idle: 0 }
  const channel = {
    key: 't/c',
    start: 0,
    since: null,
    delta: null,
    lists: null,
    roots: [],
    reading: null,
    refused: null,
  }
  const stored = { version: 1, turn: ['t/c'], channels: [{ ...channel, round, unread: [] }] }
  expect(parseCursor.parse(stored)?.channels[0]?.round).toEqual({ ...round, plain: false })
})
