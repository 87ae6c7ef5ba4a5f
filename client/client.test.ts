import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import type { KeyScope } from '@groundswell/contract/route.ts'
import { routes } from '@groundswell/contract/routes.ts'
import { authenticate } from '@groundswell/server/auth/index.ts'
import { type TestApp, type TestPerson, testApp } from '@groundswell/server/platform/http/testing.ts'
import { handlers } from '@groundswell/server/wiring.ts'
import { afterAll, beforeAll, describe, expect, expectTypeOf, it, onTestFinished } from 'vitest'
import { calls } from './calls.ts'
import { ApiError, type Client, createClient, pages } from './index.ts'

const root = path.resolve(import.meta.dirname, '..')

let test: TestApp
let ann: TestPerson
let url: string

beforeAll(async () => {
  test = await testApp((services) => ({ handlers: handlers(services), authenticate: authenticate(services) }), {
    authRateLimits: null,
  })
  url = await test.app.listen({ host: '127.0.0.1', port: 0 })
  ann = await test.person('ann')
})
afterAll(() => test.cleanup())

async function keyWith(scopes: KeyScope[]): Promise<string> {
  const payload = { name: 'client', scopes, expires_in_days: 30 }
  return (await test.call('POST', '/api/keys', { as: ann, payload })).json().token
}

const failing = (call: Promise<unknown>): Promise<ApiError> =>
  call.then(
    () => Promise.reject(new Error('it did not fail')),
    (error) => error,
  )

describe('a client', () => {
  it('has every call that an API key may make, and no other', () => {
    const open = routes.filter(({ scope }) => scope !== undefined)
    expect(Object.keys(calls).sort()).toEqual(open.map(({ name }) => name).sort())
    for (const route of open) expect(Object.values(calls)).toContain(route)
    const client = createClient({ url, key: 'gsk_x' })
    expect(Object.keys(client)).toEqual(Object.keys(calls))
  })

  it('is typed by the contract', () => {
    expectTypeOf<Client['sendFeedback']>().returns.resolves.toEqualTypeOf<{
      accepted: number
      changed: number
      unchanged: number
    }>()
    expectTypeOf<Client['listThemes']>().toBeCallableWith()
    expectTypeOf<Client['listEvidence']>().parameter(0).toHaveProperty('params')
    // @ts-expect-error: a call with parameters needs them
    const wrong = (client: Client) => client.getInsightDetail()
    expect(wrong).toBeTypeOf('function')
  })

  it('sends feedback and finds it, page by page', async () => {
    const client = createClient({ url: `${url}/`, key: await keyWith(['read', 'feedback:write']) })
    const items = Array.from({ length: 7 }, (_, n) => ({ id: `q-${n}`, text: `A quokka & its friend ${n}` }))
    expect(await client.sendFeedback({ body: { items } })).toEqual({ accepted: 7, changed: 0, unchanged: 0 })
    const sizes: number[] = []
    const found: string[] = []
    const search = (cursor?: string) => client.searchFeedback({ query: { words: 'quokka friend', limit: 3, cursor } })
    for await (const { mentions } of pages(search)) {
      sizes.push(mentions.length)
      found.push(...mentions.map(({ text }) => text))
    }
    expect(sizes.slice(0, 3)).toEqual([3, 3, 1])
    expect(new Set(found)).toEqual(new Set(items.map(({ text }) => text)))
    expect(await client.listThemes()).toEqual({ themes: [] })
  })

  it('says by a code why a call was refused', async () => {
    const client = createClient({ url, key: await keyWith(['read']) })
    const refused = await failing(client.createInsight({ body: { mentions: ['1:0'] } }))
    expect(refused).toBeInstanceOf(ApiError)
    expect(refused).toMatchObject({
      code: 'forbidden',
      status: 403,
      message: 'This API key lacks the scope insights:write',
    })
    expect(await failing(client.getInsightDetail({ params: { issue_number: 404 } }))).toMatchObject({
      code: 'not_found',
    })
    const wrong = await failing(client.listEvidence({ params: { issue_number: 1 }, query: { limit: 1_000 } }))
    expect(wrong).toMatchObject({ code: 'invalid_input', fields: { limit: expect.any(String) } })
    const unknown = createClient({ url, key: 'gsk_nothing' })
    expect(await failing(unknown.listInsights())).toMatchObject({ code: 'unauthorized', status: 401 })
  })
})

describe('a call that fails for a while', () => {
  type Answer = [status: number, headers?: Record<string, string>]

  /** A client of a server that gives these answers in turn, repeating the last one. */
  async function flaky(answers: Answer[]) {
    const seen: string[] = []
    const server = createServer((request, response) => {
      const [status, headers = {}] = answers[Math.min(seen.length, answers.length - 1)] ?? [500]
      seen.push(`${request.method} ${request.url}`)
      if (status === 0) return void request.socket.destroy()
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(status === 200 ? '{"themes":[]}' : '{"code":"too_many_requests","message":"wait"}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/groundswell`
    return { seen, client: createClient({ url: address, key: 'gsk_x' }) }
  }
  const soon = { 'retry-after': '0' }

  it('is made again after the time that the server asks for', async () => {
    const { seen, client } = await flaky([[429, { 'retry-after': '1' }], [503, soon], [200]])
    const began = performance.now()
    expect(await client.listThemes()).toEqual({ themes: [] })
    expect(performance.now() - began).toBeGreaterThan(990)
    expect(seen).toEqual(Array(3).fill('GET /groundswell/api/insights/themes'))
  })

  it('is made again where there was no answer', async () => {
    const { seen, client } = await flaky([[0], [200]])
    expect(await client.listThemes()).toEqual({ themes: [] })
    expect(seen).toHaveLength(2)
  })

  it('is made four times at most, and not again where the wait is long or the refusal lasts', async () => {
    const often = await flaky([[429, soon]])
    expect(await failing(often.client.listThemes())).toMatchObject({ code: 'too_many_requests', retryAfter: 0 })
    expect(often.seen).toHaveLength(4)
    for (const answer of [[503, { 'retry-after': '3600' }], [400], [500]] as Answer[]) {
      const { seen, client } = await flaky([answer])
      expect(await failing(client.listThemes())).toMatchObject({ status: answer[0] })
      expect([answer[0], seen.length]).toEqual([answer[0], 1])
    }
  })

  it('is made once when it could take effect twice', async () => {
    for (const answer of [[503, soon], [429, soon], [0]] as Answer[]) {
      const { seen, client } = await flaky([answer])
      const call = client.correctInsight({ params: { issue_number: 1 }, body: { kind: 'rename', name: 'x' } })
      expect(await failing(call)).toMatchObject({ status: answer[0] })
      expect(seen).toEqual(['POST /groundswell/api/insights/1/corrections'])
    }
    const repeated = await flaky([[503, soon], [200]])
    await repeated.client.sendFeedback({ body: { items: [{ id: '1', text: 'x' }] } })
    expect(repeated.seen).toHaveLength(2)
  })

  it('ends when the caller ends it', async () => {
    const { seen, client } = await flaky([[503, { 'retry-after': '100' }]])
    const ended = new AbortController()
    const call = failing(client.listThemes({}, { signal: ended.signal }))
    await expect.poll(() => seen.length).toBe(1)
    ended.abort()
    expect((await call).name).toBe('AbortError')
    expect(seen).toHaveLength(1)
  })
})

describe('docs/api.md', () => {
  it('shows a program that works', async () => {
    const document = await readFile(path.join(root, 'docs/api.md'), 'utf8')
    const [, program = ''] = /```ts\n([^]*?)```/.exec(document) ?? []
    expect(program).toContain('createClient')
    const key = await keyWith(['read', 'feedback:write'])
    const env = { ...process.env, GROUNDSWELL_URL: url, GROUNDSWELL_API_KEY: key }
    const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { cwd: root, env })
    expect((await run).stdout).toMatch(/^\d{4}-\d\d-\d\dT\S+ The export fails again\nnot_found 404\n$/)
  })
})
