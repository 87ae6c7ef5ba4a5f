import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { startServer } from '../../kit/testing.ts'
import { loadCompany } from '../company/company.ts'
import { faultsHappenOnce } from '../testing.ts'
import type { ZendeskOptions, ZendeskSandbox } from './control.ts'
import type { ZendeskFault } from './faults.ts'
import { startZendesk } from './zendesk.ts'

async function open(options: ZendeskOptions = {}): Promise<ZendeskSandbox & AsyncDisposable> {
  const sandbox = await startZendesk({ company: [], limits: { account: null, incremental: null }, ...options })
  return { ...sandbox, [Symbol.asyncDispose]: () => sandbox.stop() }
}

type Page = {
  tickets: { id: number; status: string; comment_count?: number }[]
  comments: { id: number; public: boolean }[]
  after_cursor: string
  end_of_stream: boolean
  meta: { has_more: boolean; after_cursor: string }
  organizations?: { name: string }[]
}

const basic = ({ email, apiToken }: ZendeskSandbox) =>
  `Basic ${Buffer.from(`${email}/token:${apiToken}`).toString('base64')}`

async function ask(zendesk: ZendeskSandbox, path: string, init: RequestInit = {}, authorization = basic(zendesk)) {
  const response = await fetch(`${zendesk.url}${path}`, {
    ...init,
    headers: { authorization, 'content-type': 'application/json' },
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: () => JSON.parse(text) as Page }
}

const EXPORT = '/api/v2/incremental/tickets/cursor'
const ago = (seconds: number) => Math.floor(Date.now() / 1000) - seconds
const ticket = (name: string, at?: number) => ({
  subject: name,
  comments: [{ author: name, text: name }],
  ...(at ? { at } : {}),
})

describe('the account', () => {
  it('is the demo company, shifted so that it can be exported now', async () => {
    await using zendesk = await open({ company: loadCompany() })
    const first = (await ask(zendesk, `${EXPORT}.json?start_time=1&include=organizations,comment_count`)).body()
    expect(first.tickets).toHaveLength(155)
    expect(first.end_of_stream).toBe(true)
    expect(first.tickets.every(({ comment_count }) => comment_count === 1)).toBe(true)
    expect(first.organizations?.length).toBeGreaterThan(10)
    const updated = [...zendesk.account.tickets.values()].map((one) => one.updated)
    expect(Math.abs(Date.now() - Math.max(...updated))).toBeLessThan(7 * 86_400_000)
  })
})

describe('the export', () => {
  it('follows its cursor: each ticket once, changed ones again, the last minute not yet', async () => {
    await using zendesk = await open()
    const hour = Date.now() - 3_600_000
    const ids = [1, 2, 3, 4, 5].map((index) => zendesk.open(ticket(`t-${index}`, hour)))
    // After the changes below, however long they take.
    const late = zendesk.open(ticket('late', Date.now() + 30_000))
    const first = (await ask(zendesk, `${EXPORT}?start_time=${ago(7200)}&per_page=2`)).body()
    expect(first.tickets.map(({ id }) => id)).toEqual(ids.slice(0, 2))
    expect(first.end_of_stream).toBe(false)
    zendesk.account.change(ids[0] ?? 0, { status: 'solved' })
    zendesk.account.change(ids[4] ?? 0, { status: 'deleted' })
    zendesk.advance(120)
    const rest = (await ask(zendesk, `${EXPORT}?cursor=${encodeURIComponent(first.after_cursor)}`)).body()
    expect(rest.tickets.map(({ id, status }) => [id, status])).toEqual([
      [ids[2], 'open'],
      [ids[3], 'open'],
      [ids[0], 'solved'],
      [ids[4], 'deleted'],
      [late, 'open'],
    ])
    const empty = (await ask(zendesk, `${EXPORT}?cursor=${encodeURIComponent(rest.after_cursor)}`)).body()
    expect(empty).toMatchObject({ tickets: [], end_of_stream: true, after_cursor: rest.after_cursor })
  })

  it('starts at the start time, which may not be in the last minute', async () => {
    await using zendesk = await open()
    zendesk.open(ticket('old', Date.now() - 7_200_000))
    const young = zendesk.open(ticket('young', Date.now() - 600_000))
    const found = (await ask(zendesk, `${EXPORT}?start_time=${ago(3600)}`)).body()
    expect(found.tickets.map(({ id }) => id)).toEqual([young])
    for (const query of ['', '?start_time=now', `?start_time=${ago(30)}`, '?cursor=nothing']) {
      expect((await ask(zendesk, EXPORT + query)).status).toBe(400)
    }
  })
})

describe('comments', () => {
  it('are paged by a cursor, private ones included, and gone with their ticket', async () => {
    await using zendesk = await open()
    const id = zendesk.open(ticket('a'))
    for (let index = 0; index < 4; index += 1)
      zendesk.comment(id, { author: 'Ash', as: 'agent', text: 'x', public: index > 0 })
    const first = (await ask(zendesk, `/api/v2/tickets/${id}/comments?page[size]=3`)).body()
    expect(first.comments.map((comment) => comment.public)).toEqual([true, false, true])
    expect(first.meta.has_more).toBe(true)
    const rest = (
      await ask(zendesk, `/api/v2/tickets/${id}/comments?page[size]=3&page[after]=${first.meta.after_cursor}`)
    ).body()
    expect(rest.comments).toHaveLength(2)
    expect(rest.meta.has_more).toBe(false)
    expect((await ask(zendesk, `/api/v2/tickets/${id}/comments?page[after]=x`)).status).toBe(400)
    zendesk.remove(id)
    expect((await ask(zendesk, `/api/v2/tickets/${id}/comments`)).status).toBe(404)
    expect((await ask(zendesk, `/api/v2/tickets/${id}`)).status).toBe(404)
  })
})

describe('credentials', () => {
  it('are an API token with its e-mail address, or a token of OAuth with the scope', async () => {
    await using zendesk = await open()
    const me = '/api/v2/users/me'
    expect((await ask(zendesk, me)).status).toBe(200)
    for (const wrong of [
      '',
      'Bearer x',
      'Basic eDp5',
      `Basic ${Buffer.from(`${zendesk.email}:${zendesk.apiToken}`).toString('base64')}`,
    ]) {
      expect((await ask(zendesk, me, {}, wrong)).status).toBe(401)
    }
    zendesk.setRole('agent')
    expect((await ask(zendesk, me)).text).toContain('"role":"agent"')
    expect((await ask(zendesk, `${EXPORT}?start_time=1`)).status).toBe(403)
    expect((await ask(zendesk, '/api/v2/nothing')).status).toBe(404)
  })

  it('of OAuth cannot be granted by a wrong request, and the page says why', async () => {
    await using zendesk = await open()
    const query = {
      client_id: zendesk.clientId,
      response_type: 'code',
      scope: 'read',
      redirect_uri: 'https://fb.example/',
    }
    const page = async (more: Record<string, string>) => {
      const response = await fetch(
        `${zendesk.url}/oauth/authorizations/new?${new URLSearchParams({ ...query, ...more }).toString()}`,
      )
      return { status: response.status, text: await response.text() }
    }
    expect((await page({})).text).toContain('Read tickets, comments and people')
    expect((await page({ client_id: 'x' })).status).toBe(400)
    expect((await page({ redirect_uri: 'javascript:alert(1)' })).status).toBe(400)
    expect((await page({ response_type: 'token' })).status).toBe(400)
    expect((await page({ scope: '' })).status).toBe(400)
    expect((await page({ state: '"><script>' })).text).not.toContain('<script>')
    const grant = (body: object) => ask(zendesk, '/oauth/tokens', { method: 'POST', body: JSON.stringify(body) })
    const app = { client_id: zendesk.clientId, client_secret: zendesk.clientSecret }
    expect((await grant({ ...app, grant_type: 'password' })).text).toContain('unsupported_grant_type')
    expect((await grant({ ...app, grant_type: 'authorization_code', code: 'x' })).text).toContain('invalid_grant')
    expect((await grant({ ...app, grant_type: 'refresh_token', refresh_token: 'x' })).status).toBe(400)
    expect((await grant({ ...app, client_secret: 'x', grant_type: 'refresh_token' })).status).toBe(401)
  })
})

describe('limits', () => {
  it('are reported in Zendesk’s headers, and end after a minute', async () => {
    await using zendesk = await open({ limits: { account: 5, incremental: 2 } })
    const first = await ask(zendesk, `${EXPORT}?start_time=1`)
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'x-rate-limit': '5',
      'x-rate-limit-remaining': '4',
      'ratelimit-limit': '5',
      'ratelimit-remaining': '4',
      'zendesk-ratelimit-incremental-exports': expect.stringMatching(/^total=2; remaining=1; resets=\d+$/) as string,
    })
    await ask(zendesk, `${EXPORT}?start_time=1`)
    const third = await ask(zendesk, `${EXPORT}?start_time=1`)
    expect(third.status).toBe(429)
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(50)
    expect((await ask(zendesk, '/api/v2/users/me')).status).toBe(200)
    zendesk.advance(61)
    expect((await ask(zendesk, `${EXPORT}?start_time=1`)).status).toBe(200)
  })
})

describe('webhooks', () => {
  const create = (zendesk: ZendeskSandbox, webhook: object) =>
    ask(zendesk, '/api/v2/webhooks', { method: 'POST', body: JSON.stringify({ webhook }) })
  const hook = (endpoint: string, type: string) => ({
    name: 'w',
    status: 'active',
    endpoint,
    http_method: 'POST',
    request_format: 'json',
    subscriptions: [type],
  })

  it('get the events that they subscribe to, signed over time and body, again until they are accepted', async () => {
    let refusals = 2
    await using server = await startServer((_, response) => {
      refusals -= 1
      response.writeHead(refusals >= 0 ? 500 : 200).end()
    })
    await using zendesk = await open()
    await create(zendesk, hook(server.url, 'zen:event-type:ticket.created'))
    await create(zendesk, hook(server.url, 'zen:event-type:ticket.merged'))
    const id = zendesk.open(ticket('a'))
    await zendesk.webhooks.settled()
    expect(server.seen).toHaveLength(3)
    const headers = server.seen[2]?.headers ?? {}
    const body = server.seen[2]?.body ?? ''
    const secret = zendesk.webhooks.all()[0]?.secret ?? ''
    const timestamp = String(headers['x-zendesk-webhook-signature-timestamp'])
    expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    const expected = createHmac('sha256', secret)
      .update(timestamp + body)
      .digest('base64')
    expect(headers['x-zendesk-webhook-signature']).toBe(expected)
    expect(JSON.parse(body)).toMatchObject({
      type: 'zen:event-type:ticket.created',
      subject: `zen:ticket:${id}`,
      detail: { id: String(id) },
    })
  })

  it('that are not as described are refused, and one that is removed gets nothing', async () => {
    await using zendesk = await open()
    expect((await create(zendesk, {})).status).toBe(400)
    expect((await create(zendesk, hook('not a URL', 'zen:event-type:ticket.created'))).status).toBe(400)
    expect((await create(zendesk, hook('https://a.example', 'ticket.created'))).status).toBe(400)
    await create(zendesk, hook('https://a.example', 'zen:event-type:ticket.created'))
    const id = zendesk.webhooks.all()[0]?.id ?? ''
    expect((await ask(zendesk, `/api/v2/webhooks/${id}/signing_secret`)).text).toContain('SHA256')
    expect((await ask(zendesk, `/api/v2/webhooks/${id}`, { method: 'DELETE' })).status).toBe(204)
    expect((await ask(zendesk, `/api/v2/webhooks/${id}`, { method: 'DELETE' })).status).toBe(404)
    expect((await ask(zendesk, `/api/v2/webhooks/${id}/signing_secret`)).status).toBe(404)
  })
})

faultsHappenOnce<ZendeskFault>({ forbidden: 403, 'expired-cursor': 400 }, async () => {
  const zendesk = await open()
  zendesk.open(ticket('a', Date.now() - 600_000))
  const items = () => ask(zendesk, `${EXPORT}?start_time=1`)
  return { ...zendesk, items, other: () => ask(zendesk, '/api/v2/users/me') }
})
