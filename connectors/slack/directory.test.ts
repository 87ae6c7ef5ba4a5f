import { describe, expect, it } from 'vitest'
import { createCache } from '../kit/cache.ts'
import { failureFrom, startServer, testContext } from '../kit/testing.ts'
import { channelName, namesOf, peopleOf } from './directory.ts'

type Answers = Record<string, (query: URLSearchParams) => Record<string, unknown>>

/** A Slack with these methods. */
async function open(answers: Answers) {
  const server = await startServer(({ url }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://slack')
    const answer = answers[pathname.slice('/api/'.length)]?.(searchParams) ?? { ok: false, error: 'unknown_method' }
    response.end(JSON.stringify({ ok: true, ...answer }))
  })
  let time = Date.parse('2026-03-01T12:00:00Z')
  const context = testContext({
    baseUrl: server.url,
    secrets: { bot_token: 'xoxb-1' },
    now: () => new Date(time),
  })
  const asked = () => server.seen.map(({ url }) => new URL(url, 'http://slack').pathname.slice('/api/'.length))
  const wait = (ms: number) => {
    time += ms
  }
  return { context, asked, wait, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

const person = (id: string, name: string) => ({ id, name: name.toLowerCase(), real_name: name })
const all = { 'users.list': () => ({ members: [person('U1', 'Ann'), person('U2', 'Bob')] }) }

describe('names of people', () => {
  it('are requested as one list, once, and cached for an hour', async () => {
    await using slack = await open(all)
    for (let time = 0; time < 3; time += 1) {
      const names = await peopleOf(slack.context, 'T1', new Set(['U1', 'U2']), true)
      expect([names.get('U1')?.name, names.get('U2')?.name]).toEqual(['Ann', 'Bob'])
    }
    expect(slack.asked()).toEqual(['users.list'])
    slack.wait(3_600_001)
    await peopleOf(slack.context, 'T1', new Set(['U1']), true)
    expect(slack.asked()).toEqual(['users.list', 'users.list'])
  })

  it('are cached per workspace', async () => {
    await using slack = await open(all)
    await peopleOf(slack.context, 'T1', new Set(['U1']), true)
    await peopleOf(slack.context, 'T2', new Set(['U1']), true)
    expect(slack.asked()).toEqual(['users.list', 'users.list'])
  })

  it('are shared by the connections of one process, and by no other process', async () => {
    await using slack = await open(all)
    await peopleOf(slack.context, 'T1', new Set(['U1']), true)
    await peopleOf({ ...slack.context, settings: {} }, 'T1', new Set(['U2']), true)
    expect(slack.asked()).toEqual(['users.list'])
    await peopleOf({ ...slack.context, cache: createCache() }, 'T1', new Set(['U1']), true)
    expect(slack.asked()).toEqual(['users.list', 'users.list'])
  })

  it('are not requested when no person occurs', async () => {
    await using slack = await open(all)
    await peopleOf(slack.context, 'T1', new Set(), true)
    expect(slack.asked()).toEqual([])
  })

  it('are requested one by one for an event, and for people who are not in the list', async () => {
    await using slack = await open({
      ...all,
      'users.info': (query) => ({ user: person(query.get('user') ?? '', 'Cid') }),
    })
    expect((await peopleOf(slack.context, 'T1', new Set(['U9']), false)).get('U9')?.name).toBe('Cid')
    expect((await peopleOf(slack.context, 'T1', new Set(['U1', 'U8']), true)).get('U8')?.name).toBe('Cid')
    expect(slack.asked()).toEqual(['users.info', 'users.list', 'users.info'])
  })

  it('are the ids where Slack has no name, which is cached too', async () => {
    await using slack = await open({ ...all, 'users.info': () => ({ ok: false, error: 'user_not_found' }) })
    for (let time = 0; time < 2; time += 1) {
      expect((await peopleOf(slack.context, 'T1', new Set(['U9']), true)).get('U9')?.name).toBe('U9')
    }
    expect(slack.asked()).toEqual(['users.list', 'users.info'])
  })

  it.each([
    [{ profile: { display_name: 'Annie', real_name: 'Ann Lee' }, real_name: 'A. Lee', name: 'ann' }, 'Annie'],
    [{ profile: { display_name: '', real_name: 'Ann Lee' }, real_name: 'A. Lee', name: 'ann' }, 'Ann Lee'],
    [{ profile: {}, real_name: 'A. Lee', name: 'ann' }, 'A. Lee'],
    [{ name: 'ann' }, 'ann'],
    [{ profile: null, real_name: null, name: '' }, 'U1'],
  ])('of %j is %s', async (user, name) => {
    await using slack = await open({ 'users.list': () => ({ members: [{ id: 'U1', ...user }] }) })
    expect((await peopleOf(slack.context, 'T1', new Set(['U1']), true)).get('U1')?.name).toBe(name)
  })

  it('of a very large workspace are not requested as a list', async () => {
    let page = 0
    await using slack = await open({
      'users.list': () => {
        page += 1
        return { members: [person(`U${page}`, 'Ann')], response_metadata: { next_cursor: `page-${page}` } }
      },
      'users.info': () => ({ user: person('U999', 'Zoe') }),
    })
    expect((await peopleOf(slack.context, 'T1', new Set(['U999']), true)).get('U999')?.name).toBe('Zoe')
    expect(slack.asked().filter((method) => method === 'users.list')).toHaveLength(10)
  })

  it.each([
    ['ratelimited', 'rate-limited'],
    ['internal_error', 'unavailable'],
    ['token_revoked', 'auth'],
  ])('wait, and stop the sync, on %s', async (error, kind) => {
    await using slack = await open({ 'users.list': () => ({ ok: false, error }) })
    expect(await failureFrom(peopleOf(slack.context, 'T1', new Set(['U1']), true))).toMatchObject({ kind })
  })
})

describe('the name of a channel', () => {
  it('is requested once', async () => {
    await using slack = await open({ 'conversations.info': () => ({ channel: { id: 'C1', name: 'feedback' } }) })
    expect(await channelName(slack.context, 'T1', 'C1')).toBe('feedback')
    expect(await channelName(slack.context, 'T1', 'C1')).toBe('feedback')
    expect(slack.asked()).toEqual(['conversations.info'])
  })

  it('may remain unknown, and is then not requested again', async () => {
    await using slack = await open({ 'conversations.info': () => ({ ok: false, error: 'channel_not_found' }) })
    expect(await channelName(slack.context, 'T1', 'C1')).toBeNull()
    expect(await channelName(slack.context, 'T1', 'C1')).toBeNull()
    expect(slack.asked()).toEqual(['conversations.info'])
  })

  it('is requested for a channel that a message mentions', async () => {
    await using slack = await open({
      ...all,
      'conversations.info': (query) =>
        query.get('channel') === 'C1'
          ? { channel: { id: 'C1', name: 'bugs' } }
          : { ok: false, error: 'channel_not_found' },
    })
    const mentioned = { people: new Set(['U1']), channels: new Set(['C1', 'C2']) }
    const names = await namesOf(slack.context, 'T1', mentioned, true)
    expect(['U1', 'C1', 'C2'].map((id) => names.get(id))).toEqual(['Ann', 'bugs', undefined])
  })
})
