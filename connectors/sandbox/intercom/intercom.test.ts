import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { startServer } from '../../kit/testing.ts'
import { loadCompany } from '../company/company.ts'
import { faultsHappenOnce } from '../testing.ts'
import type { IntercomOptions, IntercomSandbox } from './control.ts'
import type { IntercomFault } from './faults.ts'
import { startIntercom } from './intercom.ts'

async function open(options: IntercomOptions = {}): Promise<IntercomSandbox & AsyncDisposable> {
  const sandbox = await startIntercom({ company: [], limit: null, ...options })
  return { ...sandbox, [Symbol.asyncDispose]: () => sandbox.stop() }
}

type Body = {
  conversations: { id: string; updated_at: number; conversation_parts?: unknown }[]
  total_count: number
  pages: { next?: { starting_after: string } }
  conversation_parts: { conversation_parts: { id: string; part_type: string }[]; total_count: number }
  statistics: { count_conversation_parts: number }
}

async function ask(
  intercom: IntercomSandbox,
  path: string,
  json?: unknown,
  authorization = `Bearer ${intercom.accessToken}`,
) {
  const post = json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) }
  const response = await fetch(`${intercom.url}${path}`, { ...post, headers: { authorization } })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: () => JSON.parse(text) as Body }
}

const SEARCH = '/conversations/search'
const AT = Date.parse('2026-03-01T12:00:00Z')
const conversation = (name: string, at?: number) => ({
  messages: [{ author: name, text: name }],
  ...(at === undefined ? {} : { at }),
})
const since = (value: number, more: object = {}) => ({
  query: { field: 'updated_at', operator: '>', value },
  sort: { field: 'updated_at', order: 'ascending' },
  ...more,
})

describe('the workspace', () => {
  it('is the demo company', async () => {
    await using intercom = await open({ company: loadCompany() })
    const found = (await ask(intercom, SEARCH, since(1, { pagination: { per_page: 150 } }))).body()
    expect(found.total_count).toBe(155)
    expect(found.conversations).toHaveLength(150)
    expect(found.conversations.every((one) => one.conversation_parts === undefined)).toBe(true)
  })
})

describe('the search', () => {
  it('follows its cursor in the order of changes: what changes meanwhile moves to the end', async () => {
    await using intercom = await open({ now: () => new Date(AT) })
    const ids = [1, 2, 3, 4, 5].map((index) => intercom.open(conversation(`c-${index}`, AT - (9 - index) * 1000)))
    const page = async (starting_after?: string) =>
      (
        await ask(
          intercom,
          SEARCH,
          since(1, { pagination: { per_page: 2, ...(starting_after ? { starting_after } : {}) } }),
        )
      ).body()
    const first = await page()
    expect(first.conversations.map(({ id }) => id)).toEqual(ids.slice(0, 2))
    intercom.reply(ids[0] ?? '', { author: 'c-1', text: 'again' })
    intercom.remove(ids[3] ?? '')
    const second = await page(first.pages.next?.starting_after)
    expect(second.conversations.map(({ id }) => id)).toEqual([ids[2], ids[4]])
    const third = await page(second.pages.next?.starting_after)
    expect(third.conversations.map(({ id }) => id)).toEqual([ids[0]])
    expect(third.pages.next).toBeUndefined()
  })
})

it('a conversation has its newest 500 parts, and is gone once it was deleted', async () => {
  await using intercom = await open()
  const id = intercom.open(conversation('long'))
  const parts = Array.from({ length: 503 }, (_, index) => intercom.reply(id, { author: 'long', text: `${index}` }))
  const found = (await ask(intercom, `/conversations/${id}`)).body()
  expect(found.conversation_parts.conversation_parts.map((part) => part.id)).toEqual(parts.slice(3))
  expect(found.statistics.count_conversation_parts).toBe(503)
  intercom.remove(id)
  expect((await ask(intercom, `/conversations/${id}`)).status).toBe(404)
})

describe('credentials', () => {
  it('are the pasted token or one of OAuth', async () => {
    await using intercom = await open()
    expect((await ask(intercom, '/me')).text).toContain('"id_code":"tallybrook1"')
    for (const wrong of ['', 'Bearer x', `Basic ${intercom.accessToken}`]) {
      expect((await ask(intercom, '/me', undefined, wrong)).status).toBe(401)
    }
    expect((await ask(intercom, '/nothing')).status).toBe(404)
    const app = { client_id: intercom.clientId, client_secret: intercom.clientSecret }
    expect((await ask(intercom, '/auth/eagle/token', { ...app, code: 'x' })).status).toBe(404)
    expect((await ask(intercom, '/auth/eagle/token', { ...app, client_secret: 'x' })).status).toBe(401)
  })

  it('cannot be granted by a wrong request, and the page says why', async () => {
    await using intercom = await open()
    const query = { client_id: intercom.clientId, state: 's', redirect_uri: 'https://fb.example/' }
    const page = async (more: Record<string, string>) => {
      const response = await fetch(`${intercom.url}/oauth?${new URLSearchParams({ ...query, ...more }).toString()}`)
      return { status: response.status, text: await response.text() }
    }
    expect((await page({})).text).toContain('Read conversations')
    expect((await page({ client_id: 'x' })).status).toBe(400)
    expect((await page({ redirect_uri: 'javascript:alert(1)' })).status).toBe(400)
    expect((await page({ state: '' })).status).toBe(400)
    expect((await page({ state: '"><script>' })).text).not.toContain('<script>')
  })
})

it('limits are reported in Intercom’s headers, and end with their ten seconds', async () => {
  await using intercom = await open({ limit: 2, now: () => new Date(AT + 4000) })
  const first = await ask(intercom, '/me')
  expect(Object.fromEntries(first.headers)).toMatchObject({
    'x-ratelimit-limit': '2',
    'x-ratelimit-remaining': '1',
    'x-ratelimit-reset': String(AT / 1000 + 10),
    date: new Date(AT + 4000).toUTCString(),
  })
  await ask(intercom, '/me')
  expect((await ask(intercom, '/me')).status).toBe(429)
  intercom.advance(6)
  expect((await ask(intercom, '/me')).status).toBe(200)
})

it('notifications are signed over their bytes, and repeated once until they are accepted', async () => {
  let refusals = 1
  await using server = await startServer((_, response) => {
    refusals -= 1
    response.writeHead(refusals >= 0 ? 500 : 200).end()
  })
  await using intercom = await open()
  intercom.open(conversation('before'))
  intercom.notifications.subscribe(server.url)
  const id = intercom.open(conversation('a'))
  intercom.reply(id, { author: 'Ash', as: 'admin', text: 'note', type: 'note' })
  intercom.reply(id, { author: 'Ash', as: 'admin', text: 'hello' })
  intercom.remove(id)
  intercom.notifications.ping()
  await intercom.notifications.settled()
  const sent = server.seen.map(({ body }) => JSON.parse(body) as { id: string; topic: string; data: { item: Body } })
  expect(sent.map(({ topic }) => topic)).toEqual([
    'conversation.user.created',
    'conversation.user.created',
    'conversation.admin.replied',
    'conversation.deleted',
    'ping',
  ])
  expect(sent[0]?.id).toBe(sent[1]?.id)
  expect(sent[3]?.data.item).toEqual({ type: 'conversation', conversation_id: id })
  const { headers, body = '' } = server.seen[1] ?? {}
  const expected = createHmac('sha1', intercom.clientSecret).update(body).digest('hex')
  expect(headers?.['x-hub-signature']).toBe(`sha1=${expected}`)
  intercom.notifications.subscribe(null)
  intercom.open(conversation('after'))
  await intercom.notifications.settled()
  expect(server.seen).toHaveLength(5)
})

faultsHappenOnce<IntercomFault>({ forbidden: 403, 'expired-cursor': 400 }, async () => {
  const intercom = await open()
  intercom.open(conversation('a', AT))
  return { ...intercom, items: () => ask(intercom, SEARCH, since(1)), other: () => ask(intercom, '/me') }
})
