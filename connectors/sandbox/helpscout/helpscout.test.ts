import { describe, expect, it } from 'vitest'
import { loadCompany } from '../company/company.ts'
import { faultsHappenOnce } from '../testing.ts'
import type { HelpScoutOptions, HelpScoutSandbox } from './control.ts'
import type { HelpScoutFault } from './faults.ts'
import { startHelpScout } from './helpscout.ts'

type Person = { id: number; type: string }
type Page = {
  _embedded?: {
    conversations?: { id: number; status: string; threads: number; userUpdatedAt: string }[]
    threads?: { id: number; type: string; state: string; createdBy: Person }[]
  }
  page: { size: number; totalElements: number; totalPages: number; number: number }
}

async function open(options: HelpScoutOptions = {}): Promise<HelpScoutSandbox & AsyncDisposable & { token: string }> {
  const sandbox = await startHelpScout({ company: [], limit: null, ...options })
  const token = await grant(sandbox, { grant_type: 'client_credentials' })
  return { ...sandbox, token: token.access_token, [Symbol.asyncDispose]: () => sandbox.stop() }
}

async function grant({ url, clientId, clientSecret }: HelpScoutSandbox, form: Record<string, string>) {
  const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret, ...form })
  const response = await fetch(`${url}/v2/oauth2/token`, { method: 'POST', body })
  const answer = (await response.json()) as { access_token: string; refresh_token?: string; error?: string }
  return { status: response.status, ...answer }
}

async function ask({ url, token }: { url: string; token: string }, path: string, init: RequestInit = {}) {
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${url}${path}`, { headers, redirect: 'manual', ...init })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: () => JSON.parse(text) as Page }
}

const LIST = '/v2/conversations?status=all&sortField=modifiedAt&sortOrder=asc'
const post = (name: string, at?: number) => ({
  subject: name,
  threads: [{ author: name, text: name }],
  ...(at ? { at } : {}),
})
const idsOf = (page: Page) => page._embedded?.conversations?.map(({ id }) => id) ?? []

describe('the account', () => {
  it('is the demo company, shifted so that it ends now', async () => {
    await using sandbox = await open({ company: loadCompany() })
    const { page } = (await ask(sandbox, LIST)).body()
    expect(page).toEqual({ size: 25, totalElements: 155, totalPages: 7, number: 1 })
    const changed = [...sandbox.account.conversations.values()].map(({ modified }) => modified)
    expect(Math.abs(Date.now() - Math.max(...changed))).toBeLessThan(7 * 86_400_000)
  })
})

describe('a list of conversations', () => {
  it('has active ones by default, 25 to a page, and no list where it is empty', async () => {
    await using sandbox = await open()
    expect((await ask(sandbox, LIST)).body()).toMatchObject({ page: { totalElements: 0, totalPages: 0 } })
    expect('_embedded' in (await ask(sandbox, LIST)).body()).toBe(false)
    for (let index = 0; index < 30; index += 1) sandbox.open(post(`c-${index}`))
    sandbox.account.change(1001, { status: 'closed' })
    expect((await ask(sandbox, '/v2/conversations')).body().page.totalElements).toBe(29)
    expect(idsOf((await ask(sandbox, LIST)).body())).toHaveLength(25)
    expect(idsOf((await ask(sandbox, `${LIST}&page=2`)).body())).toHaveLength(5)
    expect(idsOf((await ask(sandbox, `${LIST}&page=3`)).body())).toEqual([])
  })

  it('is ordered by the last change, so that a conversation that changes moves to the end', async () => {
    await using sandbox = await open()
    const hour = Date.now() - 3_600_000
    const ids = [1, 2, 3].map((index) => sandbox.open(post(`c-${index}`, hour + index * 1000)))
    expect(idsOf((await ask(sandbox, LIST)).body())).toEqual(ids)
    sandbox.account.change(ids[0] ?? 0, { tags: ['x'] })
    expect(idsOf((await ask(sandbox, LIST)).body())).toEqual([ids[1], ids[2], ids[0]])
    const since = new Date(hour + 3000).toISOString().replace(/\.\d+Z$/, 'Z')
    expect(idsOf((await ask(sandbox, `${LIST}&modifiedSince=${since}`)).body())).toContain(ids[0])
    expect(idsOf((await ask(sandbox, `${LIST}&modifiedSince=${since}`)).body())).not.toContain(ids[1])
    sandbox.remove(ids[1] ?? 0)
    expect(idsOf((await ask(sandbox, LIST)).body())).toEqual([ids[2], ids[0]])
  })

  it('refuses what Help Scout does not know', async () => {
    await using sandbox = await open()
    for (const query of ['status=every', 'modifiedSince=yesterday', 'sortField=color']) {
      expect((await ask(sandbox, `/v2/conversations?${query}`)).status).toBe(400)
    }
    expect((await ask(sandbox, '/v2/nothing')).status).toBe(404)
    expect((await ask(sandbox, '/v2/conversations/1')).status).toBe(404)
  })

  it('keeps the time of a conversation whose customer writes twice in a row', async () => {
    await using sandbox = await open()
    const id = sandbox.open(post('c', Date.now() - 3_600_000))
    const timeOf = async () => (await ask(sandbox, LIST)).body()._embedded?.conversations?.[0]
    const before = await timeOf()
    sandbox.write(id, { author: 'c', text: 'again' })
    const after = await timeOf()
    expect(after).toMatchObject({ userUpdatedAt: before?.userUpdatedAt, threads: 2 })
    sandbox.write(id, { author: 'Ash', as: 'user', text: 'an answer' })
    expect((await timeOf())?.userUpdatedAt).not.toBe(before?.userUpdatedAt)
  })
})

describe('threads', () => {
  it('are listed newest first, 50 to a page, notes and drafts included, and moved by a merge', async () => {
    await using sandbox = await open()
    const id = sandbox.open(post('c'))
    for (let index = 0; index < 50; index += 1)
      sandbox.write(id, { author: 'Ash', as: 'user', text: 'x', type: 'note' })
    sandbox.write(id, { author: 'Ash', as: 'user', text: 'x', state: 'draft' })
    const threads = async (of: number, page = 1) =>
      (await ask(sandbox, `/v2/conversations/${of}/threads?page=${page}`)).body()
    const [first] = (await threads(id))._embedded?.threads ?? []
    expect(first).toMatchObject({ type: 'message', state: 'draft', createdBy: { type: 'user' } })
    expect((await threads(id, 2))._embedded?.threads?.at(-1)).toMatchObject({ type: 'customer' })
    expect((await threads(id)).page).toEqual({ size: 50, totalElements: 52, totalPages: 2, number: 1 })
    const target = sandbox.open(post('target'))
    sandbox.merge(id, target)
    expect((await threads(target)).page.totalElements).toBe(54)
    const moved = await ask(sandbox, `/v2/conversations/${id}`)
    expect([moved.status, moved.headers.get('location')]).toEqual([301, `/v2/conversations/${target}`])
    expect((await ask(sandbox, `/v2/conversations/${id}/threads`)).status).toBe(404)
  })
})

describe('limits', () => {
  it('are reported in Help Scout’s headers, end after a minute, and count what writes twice', async () => {
    await using sandbox = await open()
    sandbox.limit(3)
    const first = await ask(sandbox, LIST)
    expect(first.headers.get('x-ratelimit-limit-minute')).toBe('3')
    expect(first.headers.get('x-ratelimit-remaining-minute')).toBe('2')
    await ask(sandbox, '/v2/webhooks', {
      method: 'POST',
      body: '{}',
      headers: { authorization: `Bearer ${sandbox.token}` },
    })
    const third = await ask(sandbox, LIST)
    expect(third.status).toBe(429)
    expect(Number(third.headers.get('x-ratelimit-retry-after'))).toBeGreaterThan(50)
    expect(third.headers.get('retry-after')).toBeNull()
    sandbox.advance(61)
    expect((await ask(sandbox, LIST)).status).toBe(200)
  })
})

faultsHappenOnce<HelpScoutFault>({ forbidden: 403 }, async () => {
  const sandbox = await open()
  sandbox.open(post('a', Date.now() - 600_000))
  return { ...sandbox, items: () => ask(sandbox, LIST), other: () => ask(sandbox, '/v2/users/me') }
})
