import { describe, expect, it } from 'vitest'
import { failureFrom, startServer } from '../kit/testing.ts'
import {
  drain,
  linkTo,
  postOf,
  SCRIPTED_CHANNEL,
  SCRIPTED_NOW,
  type Script,
  scripted,
  scriptedContext,
} from './testing.ts'

const ended = { '@odata.deltaLink': linkTo('end', 'deltatoken') }

describe('links to next pages', () => {
  it('are never followed themselves: only their OData parameters are sent', async () => {
    await using server = await startServer(
      scripted({
        delta: (query) =>
          query.has('$skiptoken')
            ? { value: [postOf('2')], ...ended }
            : { value: [postOf('1')], '@odata.nextLink': linkTo('next', 'skiptoken', 'http://169.254.169.254') },
      }),
    )
    expect((await drain(scriptedContext(server.url))).items).toHaveLength(2)
    const asked = server.seen.map(({ url }) => decodeURIComponent(url)).filter((url) => url.includes('/delta'))
    expect(asked[1]).toMatch(/\/messages\/delta\?\$skiptoken=next$/)
  })

  it.each(['a+b%2Bc%3d%3D', '%5b%7B%22token%22%3a%22%2bRID%3a~v%3d%3d%22%7D%5d', '-FG3.--rsh_dL~'])(
    'keep the token %s as Graph sent it',
    async (token) => {
      const delta = (query: URLSearchParams) =>
        query.has('$skiptoken')
          ? { value: [postOf('2')], '@odata.deltaLink': linkTo(token, 'deltatoken') }
          : { value: [postOf('1')], '@odata.nextLink': linkTo(token) }
      const replies = (query: URLSearchParams) =>
        query.has('$skiptoken') ? { value: [] } : { value: [], '@odata.nextLink': linkTo(token) }
      await using server = await startServer(scripted({ delta, replies }))
      const { cursor } = await drain(scriptedContext(server.url))
      expect(cursor?.channels[0]?.delta).toBe(`$deltatoken=${token}`)
      const queries = server.seen.map(({ url }) => url.split('?')[1] ?? '').filter((query) => query.includes('token'))
      expect(queries).toEqual(Array.from({ length: 3 }, () => `$skiptoken=${token}`))
    },
  )

  it('may lead over many empty pages', async () => {
    let page = 0
    const delta = () => {
      page += 1
      return page < 60 ? { value: [], '@odata.nextLink': linkTo(`next-${page}`) } : { value: [postOf('1')], ...ended }
    }
    await using server = await startServer(scripted({ delta }))
    expect((await drain(scriptedContext(server.url))).items).toHaveLength(1)
  })

  it('that lead nowhere are reported', async () => {
    const endless: NonNullable<Script['delta']>[] = [
      () => ({ value: [postOf('1')], '@odata.nextLink': linkTo('same') }),
      () => ({ value: [], '@odata.nextLink': linkTo(String(Math.random())) }),
      () => ({ value: [postOf('1')] }),
      () => ({ value: [postOf('1')], '@odata.nextLink': 'nonsense' }),
    ]
    for (const delta of endless) {
      await using server = await startServer(scripted({ delta }))
      expect(await failureFrom(drain(scriptedContext(server.url)))).toMatchObject({ kind: 'unavailable' })
      expect(server.seen.length).toBeLessThan(110)
    }
  })

  it('of a thread that lead nowhere are listed on the tile, and remove nothing', async () => {
    await using server = await startServer(
      scripted({
        delta: () => ({ value: [postOf('1')], ...ended }),
        replies: () => ({ value: [postOf('2')], '@odata.nextLink': linkTo('same') }),
      }),
    )
    const { items, complete, incomplete } = await drain(scriptedContext(server.url))
    expect(items.map(({ externalId }) => externalId)).toContain(`${SCRIPTED_CHANNEL}:1:2`)
    expect(complete).toEqual([])
    expect(incomplete).toBe('Not all replies could be read: 1 post in Team › General.')
  })
})

describe('a delta', () => {
  it('is sent the start, and later its own token only', async () => {
    await using server = await startServer(scripted({ delta: () => ({ value: [], ...ended }) }))
    const context = scriptedContext(server.url)
    const { cursor } = await drain(context)
    await drain(context, cursor)
    const asked = server.seen
      .map(({ url }) => new URL(url, 'http://graph'))
      .filter((url) => url.pathname.endsWith('delta'))
    const start = new Date(SCRIPTED_NOW.getTime() - 240 * 86_400_000).toISOString()
    expect(asked.map(({ searchParams }) => Object.fromEntries(searchParams))).toEqual([
      { $top: '50', $filter: `lastModifiedDateTime gt ${start}`, $expand: 'replies' },
      { $deltatoken: 'end' },
    ])
    expect(asked[0]?.search).not.toContain('+')
  })

  it.each([400, 404, 410])('whose token is answered with %i begins again', async (status) => {
    const delta = (query: URLSearchParams) =>
      query.has('$deltatoken') ? { status, error: { code: 'x', message: 'y' } } : { value: [postOf('1')], ...ended }
    await using server = await startServer(scripted({ delta }))
    const context = scriptedContext(server.url)
    const { cursor } = await drain(context)
    expect((await drain(context, cursor)).items).toHaveLength(1)
  })

  it('may contain the rest of a post that was removed', async () => {
    const removed = { id: '7', '@removed': { reason: 'deleted' } }
    await using server = await startServer(scripted({ delta: () => ({ value: [removed], ...ended }) }))
    expect(await drain(scriptedContext(server.url))).toMatchObject({ items: [], deleted: [`${SCRIPTED_CHANNEL}:7`] })
    expect(server.seen.some(({ url }) => url.includes('/replies'))).toBe(false)
  })
})

it('keeps a post that merely left the view of the delta', async () => {
  const left = { id: '7', '@removed': { reason: 'changed' } }
  await using server = await startServer(scripted({ delta: () => ({ value: [left], ...ended }) }))
  expect(await drain(scriptedContext(server.url))).toMatchObject({ items: [], deleted: [] })
  expect(server.seen.some(({ url }) => url.includes('/replies'))).toBe(false)
})

describe('a message', () => {
  it.each([
    ['with an id that is a path', { id: '../7' }],
    ['with an id that is a folder', { id: '..' }],
    ['without an id', { id: undefined }],
    ['with an invalid time', { createdDateTime: 'yesterday' }],
  ])('%s is refused, without its text', async (_, more) => {
    const text = { body: { contentType: 'html', content: 'customer words' } }
    await using server = await startServer(
      scripted({ delta: () => ({ value: [postOf('1', { ...text, ...more })], ...ended }) }),
    )
    const error = await failureFrom(drain(scriptedContext(server.url)))
    expect(error).toMatchObject({ kind: 'unavailable' })
    expect((error as Error).message).not.toMatch(/customer words|token-1|\.\.\/7/)
  })

  it('without an author or with an unusable link is kept', async () => {
    const given = [postOf('1', { from: null, webUrl: 'javascript:alert(1)' }), postOf('2', { from: 'x', webUrl: null })]
    await using server = await startServer(scripted({ delta: () => ({ value: given, ...ended }) }))
    const { items } = await drain(scriptedContext(server.url))
    expect(items.map(({ author, link: shown }) => [author, shown])).toEqual([
      [null, null],
      [null, null],
    ])
  })
})

it('continues where the replies of a post are gone', async () => {
  await using server = await startServer(
    scripted({
      delta: () => ({ value: [postOf('1'), postOf('2')], ...ended }),
      replies: () => ({ status: 404, error: { code: 'NotFound', message: 'gone' } }),
    }),
  )
  const { items, complete, incomplete } = await drain(scriptedContext(server.url))
  expect([items.length, complete.length, incomplete]).toEqual([2, 0, null])
})
