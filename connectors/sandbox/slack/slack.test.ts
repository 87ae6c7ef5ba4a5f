import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { loadCompany, loadTrickle } from '../company/company.ts'
import type { SlackFault } from './faults.ts'
import { type SlackOptions, type SlackSandbox, startSlack } from './slack.ts'

async function open(options: SlackOptions = {}): Promise<SlackSandbox & AsyncDisposable> {
  const slack = await startSlack({ company: [], ...options })
  return { ...slack, [Symbol.asyncDispose]: () => slack.stop() }
}

type Answer = Record<string, unknown> & {
  ok: boolean
  error?: string
  messages: Record<string, unknown>[]
  has_more: boolean
  response_metadata?: { next_cursor: string }
}

async function ask(slack: SlackSandbox, method: string, values: Record<string, string> = {}, token = slack.botToken) {
  const query = new URLSearchParams(values).toString()
  const response = await fetch(`${slack.url}/api/${method}?${query}`, { headers: { authorization: `Bearer ${token}` } })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: () => JSON.parse(text) as Answer }
}

describe('the workspace', () => {
  it('is the demo company, shifted so that it ends now', async () => {
    await using slack = await open({ company: loadCompany() })
    const { body } = await ask(slack, 'conversations.list', { types: 'public_channel,private_channel' })
    const channels = body().channels as { id: string; name: string }[]
    expect(channels).toHaveLength(5)
    let newest = 0
    for (const { id } of channels) {
      const { messages } = (await ask(slack, 'conversations.history', { channel: id, limit: '1' })).body()
      newest = Math.max(newest, Number(messages[0]?.ts))
    }
    expect(Math.abs(Date.now() / 1000 - newest)).toBeLessThan(7 * 86_400)
  })

  it('takes the later messages of the demo, each in its thread', async () => {
    await using slack = await open({ company: loadCompany() })
    const live = loadTrickle().filter(({ channel }) => channel !== null)
    const before = slack.workspace.all().length
    for (const { id, channel, author, text, thread } of live) {
      slack.post({ id, channel: channel ?? '', author, text, thread })
    }
    const added = slack.workspace.all().slice(before)
    expect(added).toHaveLength(live.length)
    const threaded = added.filter(({ root }) => root !== null)
    expect(threaded).toHaveLength(live.filter(({ thread }) => thread !== null).length)
    for (const { root, channel } of threaded) expect(slack.workspace.find(root ?? '')?.channel).toBe(channel)
  })

  it('shows private channels to members only, and lets an app join public ones', async () => {
    await using slack = await open()
    slack.post({ channel: 'open', author: 'Ann', text: 'x' })
    slack.post({ channel: 'closed', author: 'Ann', text: 'x' })
    const [one, two] = [slack.workspace.room('open'), slack.workspace.room('closed')]
    Object.assign(one, { isMember: false })
    Object.assign(two, { isMember: false, isPrivate: true })
    const list = await ask(slack, 'conversations.list', { types: 'public_channel,private_channel' })
    expect(list.body().channels).toMatchObject([{ name: 'open', is_member: false }])
    const history = () => ask(slack, 'conversations.history', { channel: one.id })
    expect((await history()).body()).toEqual({ ok: false, error: 'not_in_channel' })
    expect((await ask(slack, 'conversations.join', { channel: two.id })).body().error).toBe('channel_not_found')
    await ask(slack, 'conversations.join', { channel: one.id })
    expect((await history()).body().ok).toBe(true)
  })
})

describe('history', () => {
  it('is newest first, in pages that do not shift when something new comes', async () => {
    await using slack = await open()
    for (let n = 1; n <= 5; n += 1) slack.post({ channel: 'room', author: 'Ann', text: `m${n}` })
    const channel = slack.workspace.room('room').id
    const first = (await ask(slack, 'conversations.history', { channel, limit: '2' })).body()
    slack.post({ channel: 'room', author: 'Ann', text: 'm6' })
    const cursor = first.response_metadata?.next_cursor ?? ''
    const second = (await ask(slack, 'conversations.history', { channel, limit: '2', cursor })).body()
    expect([...first.messages, ...second.messages].map(({ text }) => text)).toEqual(['m5', 'm4', 'm3', 'm2'])
    expect([first.has_more, second.has_more]).toEqual([true, true])
    const bad = await ask(slack, 'conversations.history', { channel, cursor: 'made-up' })
    expect(bad.body()).toEqual({ ok: false, error: 'invalid_cursor' })
  })

  it('leaves replies out, counts them at their parent, and shows one that was sent to the channel too', async () => {
    await using slack = await open()
    const root = slack.post({ channel: 'room', author: 'Ann', text: 'root' })
    slack.post({ channel: 'room', author: 'Bob', text: 'reply', thread: root })
    const last = slack.post({ channel: 'room', author: 'Bob', text: 'loud', thread: root, subtype: 'thread_broadcast' })
    const channel = slack.workspace.room('room').id
    const { messages } = (await ask(slack, 'conversations.history', { channel })).body()
    expect(messages.map(({ text }) => text)).toEqual(['loud', 'root'])
    expect(messages[1]).toMatchObject({ reply_count: 2, latest_reply: last, thread_ts: root })
    const replies = (await ask(slack, 'conversations.replies', { channel, ts: root })).body()
    expect(replies.messages.map(({ text }) => text)).toEqual(['root', 'reply', 'loud'])
  })

  it('has no message at its bounds unless it is asked to', async () => {
    await using slack = await open()
    const all = [1, 2, 3].map((n) => slack.post({ channel: 'room', author: 'Ann', text: `m${n}` }))
    const [oldest = '', , latest = ''] = all
    const values = { channel: slack.workspace.room('room').id, oldest, latest }
    const shown = async (more: Record<string, string>) =>
      (await ask(slack, 'conversations.history', { ...values, ...more })).body().messages.map(({ text }) => text)
    expect(await shown({})).toEqual(['m2'])
    expect(await shown({ inclusive: 'true' })).toEqual(['m3', 'm2', 'm1'])
  })
})

it('limits history and replies each on its own, and clamps pages without a word', async () => {
  let time = Date.parse('2026-03-01T12:00:00Z')
  await using slack = await open({ now: () => new Date(time) })
  for (let n = 0; n < 20; n += 1) slack.post({ channel: 'room', author: 'Ann', text: `m${n}` })
  slack.limit({ perMinute: 1, objects: 15 })
  const values = { channel: slack.workspace.room('room').id, limit: '200' }
  expect((await ask(slack, 'conversations.history', values)).body().messages).toHaveLength(15)
  time += 20_000
  const second = await ask(slack, 'conversations.history', values)
  expect([second.status, second.headers.get('retry-after')]).toEqual([429, '40'])
  expect((await ask(slack, 'users.list')).status).toBe(200)
  const ts = slack.workspace.messages(values.channel)[0]?.ts ?? ''
  expect((await ask(slack, 'conversations.replies', { ...values, ts })).status).toBe(200)
  time += 40_000
  expect((await ask(slack, 'conversations.history', values)).status).toBe(200)
  slack.limit({ perMinute: null, objects: null })
  expect((await ask(slack, 'conversations.history', values)).body().messages).toHaveLength(20)
  expect(slack.requests()['conversations.history']).toBe(4)
})

describe('a fault', () => {
  const answers: [SlackFault, number, RegExp][] = [
    ['429', 429, /ratelimited/],
    ['429-bare', 429, /ratelimited/],
    ['ratelimited', 200, /"ok":false/],
    ['500', 500, /Internal Server Error/],
    ['internal_error', 200, /internal_error/],
    ['unknown_error', 200, /unknown_error/],
    ['malformed', 200, /\[\}$/],
    ['html', 200, /^<!doctype/],
    ['truncated', 200, /^\{"ok":true.*[^}]$/],
    ['slow', 200, /^\{"ok":true.*\}$/],
    ['empty-page', 200, /"messages":\[\].*next_cursor/],
    ['wrong-types', 200, /"ts":17/],
    ['missing-fields', 200, /^\{"ok":true\}$/],
    ['revoked', 200, /token_revoked/],
  ]
  it.each(answers)('%s answers %i', async (fault, status, body) => {
    await using slack = await open()
    slack.post({ channel: 'room', author: 'Ann', text: 'hello there' })
    const values = { channel: slack.workspace.room('room').id }
    slack.fault(fault)
    const answer = await ask(slack, 'conversations.history', values)
    expect(answer.status).toBe(status)
    expect(answer.text).toMatch(body)
    expect((await ask(slack, 'conversations.history', values)).body().ok).toBe(fault !== 'revoked')
  })

  it.each(['reset', 'cut'] as const)('%s gives no complete response', async (fault) => {
    await using slack = await open()
    slack.fault(fault, 1, 'auth.test')
    await expect(ask(slack, 'auth.test')).rejects.toThrow(/fetch failed|terminated/)
    expect((await ask(slack, 'auth.test')).body().ok).toBe(true)
  })

  it('waits for the method that it was meant for', async () => {
    await using slack = await open()
    slack.fault('500', 1, 'team.info')
    expect((await ask(slack, 'auth.test')).status).toBe(200)
    expect((await ask(slack, 'team.info')).status).toBe(500)
  })
})

describe('who may ask', () => {
  it('is who has a token that is good', async () => {
    await using slack = await open()
    expect((await ask(slack, 'auth.test', {}, 'made-up')).body().error).toBe('token_revoked')
    const bare = await fetch(`${slack.url}/api/auth.test`)
    expect(await bare.json()).toEqual({ ok: false, error: 'not_authed' })
    expect((await ask(slack, 'auth.made_up')).body().error).toBe('unknown_method')
    slack.revoke()
    expect((await ask(slack, 'auth.test')).body().error).toBe('token_revoked')
  })

  it('is asked on a page that says what is wanted, and escapes what it was given', async () => {
    await using slack = await open()
    const values = {
      client_id: slack.clientId,
      redirect_uri: 'http://a.example/back',
      scope: 'users:read,<b>',
      state: '"><b>',
    }
    const address = (more: Record<string, string> = {}) =>
      `${slack.url}/oauth/v2/authorize?${new URLSearchParams({ ...values, ...more }).toString()}`
    const page = await (await fetch(address())).text()
    expect(page).toContain('See the names of people')
    expect(page).toContain('value="&quot;&gt;&lt;b&gt;"')
    expect(page).not.toContain('<b>')
    const wrongs: Record<string, string>[] = [
      { client_id: 'other' },
      { redirect_uri: 'javascript:alert(1)' },
      { redirect_uri: 'x' },
      { scope: '' },
    ]
    for (const wrong of wrongs) {
      const answer = await fetch(address(wrong))
      expect([answer.status, (await answer.text()).includes('This cannot be allowed')]).toEqual([400, true])
    }
  })
})

it('sends events signed, and again with the number of the try until they are taken', async () => {
  const seen: { headers: IncomingHttpHeaders; body: string }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => {
      seen.push({ headers: request.headers, body })
      response.writeHead(seen.length < 3 ? 500 : 200).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const eventsUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await using slack = await open({ eventsUrl, retryDelays: [1, 1, 1] })
  slack.post({ channel: 'room', author: 'Ann', text: 'a < b' })
  await slack.events.settled()
  server.close()
  server.closeAllConnections()
  expect(seen.map(({ headers }) => headers['x-slack-retry-num'])).toEqual([undefined, '1', '2'])
  expect(new Set(seen.map(({ body }) => (JSON.parse(body) as { event_id: string }).event_id)).size).toBe(1)
  for (const { headers, body } of seen) {
    const base = `v0:${String(headers['x-slack-request-timestamp'])}:${body}`
    const expected = `v0=${createHmac('sha256', slack.signingSecret).update(base).digest('hex')}`
    expect(headers['x-slack-signature']).toBe(expected)
  }
})
