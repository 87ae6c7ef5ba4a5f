import type { WebhookPayload } from '@groundswell/contract/receivers/webhook-payload.ts'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createHttp } from '../../kit/http/http.ts'
import { failureFrom } from '../../kit/testing.ts'
import { type Fault, type Receiver, startReceiver } from './receiver.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const OTHER = `whsec_${Buffer.from('someone else entirely!!!').toString('base64')}`
const http = createHttp({ guard: null, maxBytes: 64 * 1024 })

let secret: string | undefined
let receiver: Receiver
beforeEach(async () => {
  secret = SECRET
  receiver = await startReceiver({ secret: () => secret })
})
afterEach(() => receiver.stop())

function event(id: string, name = 'Export fails'): WebhookPayload {
  const insight = {
    id: `insight-of-${name}`,
    issue_number: 1,
    issue_name: name,
    summary: 'It stops at 90 %.',
    status: 'created' as const,
    url: null,
    mention_count: 1,
    people_count: 2,
    first_seen: null,
    last_seen: null,
    categories: [],
  }
  const quote = {
    text: '<b>It broke</b>',
    author: 'Ann & Bo',
    date: '2026-03-01T11:00:00Z',
    link: null,
    source: 'file',
  }
  return {
    version: 1,
    type: 'insight.created',
    timestamp: '2026-03-01T12:00:00Z',
    delivery_id: id,
    data: { insight, new_mentions: 1, evidence: [quote] },
  }
}

async function send(
  id: string,
  more: { by?: string; at?: Date; body?: string; path?: string; token?: string; timeoutMs?: number } = {},
) {
  const { by = SECRET, at = new Date(), body = JSON.stringify(event(id)), path = '/hook', token, timeoutMs } = more
  const headers: Record<string, string> = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(by).sign(id, at, body),
    ...(token ? { authorization: `Bearer ${token}` } : {}),
  }
  return await http.request({ method: 'POST', url: `${receiver.url}${path}`, headers, body, timeoutMs })
}

const page = async (path = '/') => await http.request({ method: 'GET', url: `${receiver.url}${path}` })

describe('a delivery', () => {
  it('is verified, taken and kept', async () => {
    expect((await send('e-1', { token: 'secret-token' })).status).toBe(200)
    expect(receiver.received()).toMatchObject([
      { id: 'e-1', verified: true, accepted: true, tries: 1, repeats: 0, problem: null, bearer: true },
    ])
    expect(receiver.received()[0]?.payload).toEqual(event('e-1'))
    expect(JSON.stringify(receiver.received())).not.toContain('secret-token')
  })

  it('that comes again is counted once', async () => {
    await send('e-1')
    await send('e-2')
    await send('e-1')
    expect(receiver.received().map(({ id, repeats }) => [id, repeats])).toEqual([
      ['e-2', 0],
      ['e-1', 1],
    ])
    expect(receiver.requests()).toBe(3)
  })

  it.each([
    ['of another secret', { by: OTHER }, /matching signature/],
    ['that is too old', { at: new Date(Date.now() - 10 * 60_000) }, /too old/],
    ['from the future', { at: new Date(Date.now() + 10 * 60_000) }, /too new/],
  ])('%s is refused and shown as not verified', async (_, more, reason) => {
    await send('e-1')
    expect((await send('e-1', more)).status).toBe(401)
    const [refused, good] = receiver.received()
    expect(refused).toMatchObject({ verified: false, accepted: false })
    expect(refused?.problem).toMatch(reason)
    expect(good).toMatchObject({ verified: true, repeats: 0 })
  })

  it('that is signed but makes no sense is refused', async () => {
    expect((await send('e-1', { body: '{"version":2}' })).status).toBe(400)
    expect((await send('e-2', { body: 'not json' })).status).toBe(400)
    expect(receiver.received().map((entry) => entry.problem)).toEqual([
      'The body does not match the documented payload',
      'The body does not match the documented payload',
    ])
  })

  it('is taken unchecked while no secret is known', async () => {
    secret = undefined
    expect((await send('e-1')).status).toBe(200)
    expect(receiver.received()[0]?.verified).toBeNull()
  })

  it('beyond the newest 500 is forgotten', async () => {
    for (let at = 0; at < 503; at += 1) await send(`e-${at}`)
    expect(receiver.received()).toHaveLength(500)
    expect(receiver.received().at(-1)?.id).toBe('e-3')
  })
})

describe('a fault', () => {
  it.each<[Fault, number]>([
    ['500', 500],
    ['410', 410],
    ['429', 429],
    ['redirect', 302],
  ])('%s answers %i once, and the next try is taken', async (fault, status) => {
    receiver.fail(fault)
    expect((await send('e-1')).status).toBe(status)
    expect(receiver.received()).toMatchObject([{ accepted: false, tries: 1 }])
    expect((await send('e-1')).status).toBe(200)
    expect(receiver.received()).toMatchObject([{ accepted: true, tries: 2, repeats: 0 }])
  })

  it.each<[Fault, RegExp]>([
    ['hang', /did not respond/],
    ['slow', /did not finish/],
    ['reset', /closed the connection/],
    ['garbage', /not HTTP/],
  ])('%s gives no complete response', async (fault, reason) => {
    receiver.fail(fault, 2)
    const tries = ['e-1', 'e-1'].map((id) => failureFrom(send(id, { timeoutMs: 2_500 })))
    for (const failure of await Promise.all(tries)) expect(String(failure)).toMatch(reason)
    expect((await send('e-1')).status).toBe(200)
    expect(receiver.received()).toMatchObject([{ tries: 3, repeats: 0, accepted: true }])
  })
})

describe('the page', () => {
  it('shows what arrived, with all of it escaped', async () => {
    await send('e-1', { body: JSON.stringify(event('e-1', '<script>alert(1)</script>')) })
    await send('e-1', { body: JSON.stringify(event('e-1', '<script>alert(1)</script>')) })
    await send('e-2', { by: OTHER })
    const { body, headers } = await page()
    expect(body).toContain('✓ signature verified')
    expect(body).toContain('✗ signature not verified')
    expect(body).toContain('came 2 times, counted once')
    expect(body).toContain('1 mention (1 new) · 2 people')
    expect(body).toContain('&lt;script&gt;alert(1)')
    expect(body).toContain('&lt;b&gt;It broke&lt;/b&gt;<cite>Ann &amp; Bo')
    expect(body).not.toMatch(/<script>|<b>It|\son[a-z]+=/)
    expect(headers['content-security-policy']).toContain("script-src 'self'")
  })

  it('asks for nothing from elsewhere, and its own parts are there', async () => {
    const { body } = await page()
    expect(body).toContain('Nothing has arrived yet')
    expect(body).not.toMatch(/https?:\/\//)
    for (const [, path] of body.matchAll(/(?:href|src)="(\/[^"]+)"/g)) expect((await page(path)).status).toBe(200)
    expect((await page('/receiver.css')).body).not.toMatch(/url\(|@import/)
  })

  it('has news only when something came', async () => {
    expect((await page('/events?since=0')).status).toBe(204)
    await send('e-1')
    const news = await page('/events?since=0')
    expect(news.status).toBe(200)
    expect(news.body).toContain('Export fails')
    expect((await page(`/events?since=${news.headers['x-revision']}`)).status).toBe(204)
  })

  it('has nothing anywhere else', async () => {
    expect((await page('/elsewhere')).status).toBe(404)
    expect((await send('e-1', { path: '/other' })).status).toBe(404)
    expect((await http.request({ method: 'GET', url: receiver.hookUrl })).status).toBe(404)
    expect(receiver.received()).toEqual([])
    const large = await http.request({ method: 'POST', url: receiver.hookUrl, body: 'x'.repeat(1024 * 1024 + 1) })
    expect(large.status).toBe(413)
  })
})
