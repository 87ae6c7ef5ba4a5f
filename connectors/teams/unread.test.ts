import { describe, expect, it } from 'vitest'
import { pullToEnd } from '../conformance/bad-items.ts'
import { createPageStore } from '../kit/page-store.ts'
import { startServer } from '../kit/testing.ts'
import { choices } from './choices.ts'
import { teams as connector } from './index.ts'
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
  SCRIPTED_NOW,
  scripted,
  scriptedContext,
  signedIn,
} from './testing.ts'

const HOUR_MS = 3_600_000
const ended = { '@odata.deltaLink': linkTo('end', 'deltatoken') }
const refusal = (status: number) => ({ status, error: { code: 'Refused', message: 'no' } })

describe('replies that Microsoft refuses to show', () => {
  it('leave the other threads, are listed on the tile, and are read in the next round', async () => {
    await using teams = await openTeams({ expanded: 1 })
    fill(teams, { channel: 'General', posts: 5, nth: 1, replies: 2 })
    const context = await signedIn(teams)
    teams.fault('policy', 1, 'replies')
    const first = await drain(context)
    expect(first.items).toHaveLength(5 + 4 * 2)
    expect(first.incomplete).toBe('Not all replies could be read: 1 post in Tallybrook › General.')
    const second = await drain(context, first.cursor)
    expect(second.items).toHaveLength(2)
    expect(second.incomplete).toBeNull()
    const ids = [...first.items, ...second.items].map(({ externalId }) => externalId)
    expect(ids.toSorted()).toEqual(idsOf(teams).toSorted())
    const before = teams.calls().filter(({ name }) => name === 'replies').length
    await drain(context, second.cursor)
    expect(teams.calls().filter(({ name }) => name === 'replies')).toHaveLength(before)
  })

  it('are tried once in each round, as long as they are refused', async () => {
    const replies = () => refusal(403)
    await using server = await startServer(
      scripted({ delta: () => ({ value: [postOf('1'), postOf('2')], ...ended }), replies }),
    )
    const context = scriptedContext(server.url)
    const asked = () => server.seen.filter(({ url }) => url.includes('/replies')).length
    let { cursor, incomplete } = await drain(context)
    for (const round of [1, 2, 3]) {
      expect(asked()).toBe(round * 2)
      expect(incomplete).toBe('Not all replies could be read: 2 posts in Team › General.')
      ;({ cursor, incomplete } = await drain(context, cursor))
    }
  })

  it.each([400, 404, 410])('from the middle on, with %i, are read from the beginning once', async (status) => {
    const replies = (query: URLSearchParams) =>
      query.has('$skiptoken') ? refusal(status) : { value: [postOf('2')], '@odata.nextLink': linkTo('stale') }
    await using server = await startServer(scripted({ delta: () => ({ value: [postOf('1')], ...ended }), replies }))
    const { complete, incomplete } = await drain(scriptedContext(server.url))
    expect(server.seen.filter(({ url }) => url.includes('/replies'))).toHaveLength(4)
    expect(complete).toEqual([])
    expect(incomplete).toBe('Not all replies could be read: 1 post in Team › General.')
  })

  it('only once are complete in the second attempt', async () => {
    let attempts = 0
    const replies = (query: URLSearchParams) => {
      if (!query.has('$skiptoken')) return { value: [postOf('2')], '@odata.nextLink': linkTo('next') }
      attempts += 1
      return attempts === 1 ? refusal(410) : { value: [postOf('3')] }
    }
    await using server = await startServer(scripted({ delta: () => ({ value: [postOf('1')], ...ended }), replies }))
    const { complete, incomplete } = await drain(scriptedContext(server.url))
    expect(complete.map(({ ids }) => ids)).toEqual([[`${SCRIPTED_CHANNEL}:1:2`, `${SCRIPTED_CHANNEL}:1:3`]])
    expect(incomplete).toBeNull()
  })
})

describe('a thread that was read completely', () => {
  it.each([
    ['with its post', 1000],
    ['by its own requests', 1],
  ])(
    '%s says nothing about the newest replies, which an event may have stored before Graph lists them',
    async (_, expanded) => {
      await using teams = await openTeams({ expanded })
      const [root = ''] = fill(teams, { channel: 'General', posts: 1, nth: 1, replies: 2 })
      const context = await signedIn(teams)
      const store = createPageStore()
      const pages = pull(context, null)
      if (expanded === 1) store.commit((await pages.next()).value ?? { items: [], cursor: null })
      const page = await pages.next()
      const spans: { ids: readonly string[] }[] = page.done ? [] : (page.value.complete ?? [])
      expect(spans.map(({ ids }) => ids.length)).toEqual([2])
      // Posted after Graph's answer, and stored by its event before the page is.
      const late = idOf(teams, teams.post({ channel: 'General', author: 'Ann', text: 'just now', root }))
      const item = { externalId: late, text: 'just now', author: 'Ann', at: new Date(), link: null, place: null }
      store.items.set(late, { ...item, thread: idOf(teams, root) })
      store.commit(page.value ?? { items: [], cursor: null })
      expect([...store.items.keys()].toSorted()).toEqual(idsOf(teams).toSorted())
    },
  )

  it('keeps short ids in its cursor', async () => {
    await using teams = await openTeams({ pageSize: 10, expanded: 10 })
    fill(teams, { channel: 'General', posts: 1, nth: 1, replies: 25 })
    const pages = pull(await signedIn(teams), null)
    await pages.next()
    const reading = (await pages.next()).value?.cursor.channels[0]?.reading
    expect(reading?.ids).toHaveLength(10)
    expect(JSON.stringify(reading?.ids)).not.toContain('thread.tacv2')
  })
})

describe('a scan for late replies', () => {
  it('goes beyond a page of old posts that have new replies', async () => {
    const old = '2025-12-01T12:00:00Z'
    const fresh = SCRIPTED_NOW.toISOString()
    const withReply = (id: string, at: string) =>
      postOf(id, { createdDateTime: old, replies: [{ createdDateTime: at }] })
    let round = 0
    const messages = (query: URLSearchParams) =>
      query.has('$skiptoken')
        ? { value: [withReply('2', fresh)] }
        : { value: [withReply('1', fresh)], '@odata.nextLink': linkTo('more') }
    const replies = (_: URLSearchParams, path: string) => ({
      value: round === 0 ? [] : [postOf(`9${path.split('/').at(-2)}`, { createdDateTime: fresh })],
    })
    await using server = await startServer(scripted({ messages, replies }))
    const context = scriptedContext(server.url)
    const { cursor } = await drain(context)
    round = 1
    const { items } = await drain(context, cursor)
    expect(items.map(({ externalId }) => externalId)).toEqual([`${SCRIPTED_CHANNEL}:1:91`, `${SCRIPTED_CHANNEL}:2:92`])
  })

  it('reads a page that is too large post by post, and still as many posts', async () => {
    const posts = Array.from({ length: 30 }, (_, index) => postOf(String(100 + index), { replies: [] }))
    const big = { body: { contentType: 'text', content: 'x'.repeat(30_000) } }
    const messages = (query: URLSearchParams) => {
      const from = Number(query.get('$skiptoken') ?? 0)
      const size = Number(query.get('$top') ?? 50)
      const more =
        from + size < posts.length ? { '@odata.nextLink': `${linkTo(String(from + size))}&$top=${size}` } : {}
      return { value: posts.slice(from, from + size).map((post) => ({ ...post, ...big })), ...more }
    }
    await using server = await startServer(scripted({ messages }))
    const context = scriptedContext(server.url, { maxBytes: 100_000 })
    const { cursor } = await drain(context)
    await drain(context, cursor)
    const sizes = server.seen.filter(({ url }) => /\/messages\?/.test(url)).map(({ url }) => /top=(\d+)/.exec(url)?.[1])
    expect(sizes).toEqual(['50', ...Array.from({ length: 30 }, () => '1')])
  })
})

describe('where posts are listed', () => {
  it('an older post with a newer reply is read, and posts without replies need no request for them', async () => {
    await using teams = await openTeams()
    teams.refuseDelta(true)
    const days = (count: number) => Date.now() - count * 24 * HOUR_MS
    const root = teams.tenant.post({ channel: 'General', author: 'Ann', text: 'long ago', at: days(90) }).id
    teams.tenant.post({ channel: 'General', author: 'Ann', text: 'also long ago', at: days(80) })
    teams.tenant.post({ channel: 'General', author: 'Ben', text: 'a reply', root, at: days(2) })
    teams.tenant.post({ channel: 'General', author: 'Ben', text: 'a post', at: days(1) })
    const start_date = [new Date(days(10)).toISOString().slice(0, 10)]
    const { items } = await drain(await signedIn(teams, { settings: { start_date } }))
    expect(items.map(({ text }) => text).toSorted()).toEqual(['a post', 'a reply', 'long ago'])
    expect(teams.calls().filter(({ name }) => name === 'replies')).toHaveLength(0)
  })

  it('the delta is requested again after a day, and finds what the lists did not show', async () => {
    await using teams = await openTeams()
    const [oldest = ''] = fill(teams, { channel: 'General', posts: 300, nth: 300, replies: 0 })
    teams.refuseDelta(true)
    const context = await signedIn(teams)
    const deltas = () => teams.calls().filter(({ name }) => name === 'delta').length
    let { cursor } = await drain(context)
    expect(deltas()).toBe(1)
    teams.edit(oldest, 'an edit of an old post')
    const later = (hours: number) => ({ ...context, now: () => new Date(Date.now() + hours * HOUR_MS) })
    const scan = await drain(later(23), cursor)
    expect(deltas()).toBe(1)
    expect(scan.items).toEqual([])
    cursor = scan.cursor
    ;({ cursor } = await drain(later(25), cursor))
    expect(deltas()).toBe(2)
    teams.refuseDelta(false)
    const healed = await drain(later(51), cursor)
    expect(healed.items.map(({ text }) => text)).toContain('an edit of an old post')
    expect(healed.cursor?.channels[0]).toMatchObject({ lists: null, delta: expect.stringContaining('token') as string })
  })
})

describe('a chosen team', () => {
  const teams = () => ({ value: ['t', 'u'].map((id) => ({ id, displayName: `Team ${id}` })) })

  it('that Microsoft refuses to show is listed on the tile; the others are read', async () => {
    const channels = (_: URLSearchParams, path: string) =>
      path.includes('/u/') ? refusal(404) : { value: [{ id: SCRIPTED_CHANNEL, displayName: 'General' }] }
    await using server = await startServer(
      scripted({ teams, channels, delta: () => ({ value: [postOf('1')], ...ended }) }),
    )
    const { items, incomplete } = await drain(scriptedContext(server.url, { settings: { teams: ['t', 'u'] } }))
    expect(items).toHaveLength(1)
    expect(incomplete).toBe('Microsoft refuses to show Team u (404).')
  })

  describe('whose list of channels always fails', () => {
    const broken = { status: 500, error: { code: 'Broken', message: 'no' } }
    const malformed = { value: [{ id: 'a/../b', displayName: 'General' }] }
    const open = async (answer: Record<string, unknown>) => {
      let isBroken = true
      const channels = (_: URLSearchParams, path: string) => {
        if (path.includes('/u/') && isBroken) return answer
        return {
          value: [{ id: path.includes('/u/') ? '19:u@thread.tacv2' : SCRIPTED_CHANNEL, displayName: 'General' }],
        }
      }
      const delta = () => ({ value: [postOf('1')], ...ended })
      const mend = () => {
        isBroken = false
      }
      return { ...(await startServer(scripted({ teams, channels, delta }))), mend }
    }
    const settings = { teams: ['t', 'u'] }

    it.each([
      ['500', broken],
      ['a list in another form', malformed],
    ])('with %s is set aside, the others are read, and it is read once its list can be', async (_, answer) => {
      await using server = await open(answer)
      const context = scriptedContext(server.url, { settings })
      const first = await pullToEnd({ connector }, context, 5)
      expect(first).toMatchObject({
        isAtEnd: true,
        failures: [{ kind: 'unavailable' }, { kind: 'unavailable' }],
        aside: { items: [{ noun: 'team', label: 'Team u' }], more: 0 },
      })
      expect([...first.store.items.keys()]).toEqual([`${SCRIPTED_CHANNEL}:1`])
      const asked = () => server.seen.filter(({ url }) => url.includes('/teams/u/channels')).length
      const before = asked()
      await pullToEnd({ connector }, context, 1, first.store)
      expect(asked()).toBe(before)
      server.mend()
      const later = { ...context, now: () => new Date(SCRIPTED_NOW.getTime() + HOUR_MS) }
      const mended = await pullToEnd({ connector }, later, 1, first.store)
      expect(mended).toMatchObject({ isAtEnd: true, aside: { items: [], more: 0 } })
      expect([...first.store.items.keys()]).toEqual([`${SCRIPTED_CHANNEL}:1`, '19:u@thread.tacv2:1'])
    })

    it('leaves the channels of the others to choose from', async () => {
      await using server = await open(broken)
      const found = await choices(scriptedContext(server.url, { settings }))
      const channels = found.find(({ field }) => field === 'channels')
      expect(channels?.options.map(({ label }) => label)).toEqual(['Team t › General'])
    })
  })

  it('that does not exist any more is counted on the tile', async () => {
    await using server = await startServer(scripted({ teams }))
    const { pages, incomplete } = await drain(scriptedContext(server.url, { settings: { teams: ['gone'] } }))
    expect(pages).toBe(1)
    expect(incomplete).toBe('1 chosen team not found in this organisation.')
  })
})
