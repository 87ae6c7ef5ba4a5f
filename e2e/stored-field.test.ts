import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { startServer, type TestServer } from '@groundswell/connectors/kit/testing.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { csvOf, peopleSaying } from './feedback-file.ts'
import type { ProductCopy } from './product-copy.ts'
import { RECIPE_FILES, startWithStoredFields } from './stored-field.ts'

type Json = ReturnType<typeof JSON.parse>

let product: ProductCopy
let receiver: TestServer
let token = ''
let key = ''
let insight: Json

async function ask(method: 'GET' | 'POST' | 'PUT', url: string, body?: object | string, as = token): Promise<Response> {
  const type = typeof body === 'string' ? 'application/octet-stream' : 'application/json'
  const response = await fetch(`${product.url}${url}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': type }),
      ...(as ? { authorization: `Bearer ${as}` } : {}),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return response
}

const json = async (...given: Parameters<typeof ask>): Promise<Json> => (await ask(...given)).json()

/** What a page of a read-only link shows. */
async function sharedPage(of: object): Promise<string> {
  const link = { expires_in_days: 7, hide_names: false, hide_quotes: false, ...of }
  const { path: address } = await json('POST', '/api/shared-links', link)
  return (await ask('GET', address)).text()
}

/** The bodies that reached a path of the receiver. */
const receivedAt = (url: string) => receiver.seen.filter((one) => one.url === url).map(({ body }) => JSON.parse(body))

beforeAll(async () => {
  product = await startWithStoredFields()
  receiver = await startServer()
  const account = { email: 'ann@example.com', password: 'long enough to pass', name: 'Ann' }
  token = (await json('POST', '/api/auth/signup', account)).token
  const wanted = { name: 'agent', scopes: ['read'], expires_in_days: 30 }
  key = (await json('POST', '/api/keys', wanted)).token
  await ask('POST', '/api/webhook/add', { webhook: `${receiver.url}/push` })
  await ask('POST', '/api/receivers', { url: `${receiver.url}/events`, description: '', events: null })
  await ask('POST', '/api/imports?name=f.csv', csvOf(peopleSaying))
})
afterAll(async () => {
  await product?.[Symbol.asyncDispose]()
  await receiver?.[Symbol.asyncDispose]()
})

test('the list has both fields', async () => {
  const mentions = async () => {
    const all: Json[] = await json('GET', '/api/insights/get-all')
    insight = all.find((one) => /export/i.test(one.issue_name))
    return insight?.mention_count
  }
  await expect.poll(mentions, { timeout: 120_000 }).toBe(4)
  expect(insight).toMatchObject({ mood: 'calm', weather: 'sunny' })
})

test('a stored column takes at most six files, and the compiler accepts them', async () => {
  // And docs/webhooks.md, and the hash of the migration.
  expect(RECIPE_FILES.length + 2).toBeLessThanOrEqual(6)
  const sources = ['contract/insight-fields.ts', 'server/wiring.ts', 'contract/examples.ts']
  const config = path.join(product.folder, 'tsconfig.copy.json')
  await writeFile(config, JSON.stringify({ extends: './tsconfig.json', files: sources, include: [] }))
  const tsc = path.join(product.folder, 'node_modules/typescript/bin/tsc')
  const run = promisify(execFile)(process.execPath, [tsc, '-p', config, '--pretty', 'false'], { cwd: product.folder })
  const { stdout } = await run.catch((error: { stdout: string }) => error)
  // The encoder, which the recipe does not touch, has types that come with packages of the whole project.
  expect(stdout.split('\n').filter((line) => line !== '' && !line.startsWith('encoder/'))).toEqual([])
})

test('the OpenAPI document says what they are, and shows the one with an example', async () => {
  const { paths } = await json('GET', '/api/openapi.json')
  const { schema, example } = paths['/api/insights/get-all'].get.responses['200'].content['application/json']
  expect(schema.items.properties).toMatchObject({
    mood: { type: 'string', description: 'How it feels.' },
    weather: { type: 'string', description: 'How it looks outside.' },
  })
  expect(example[0].mood).toBe('calm')
  expect(example[0]).not.toHaveProperty('weather')
})

test('the files of an export have the one that is named there', async () => {
  const issue_numbers = [insight.issue_number]
  const file = async (format: string) => (await ask('POST', '/api/insights/export', { format, issue_numbers })).text()
  const line = JSON.parse(await file('jsonl'))
  expect(line.mood).toBe('calm')
  expect(line).not.toHaveProperty('weather')
  const [head = '', first = ''] = (await file('csv')).split('\r\n')
  const columns = head.split(',')
  expect(columns).not.toContain('weather')
  expect(first.split('","')[columns.indexOf('mood')]).toBe('calm')
})

test('agents get the one that is named for them', async () => {
  const call = { name: 'read_insight', arguments: { issue_number: insight.issue_number } }
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }
  const { result } = await json('POST', '/api/mcp', message, key)
  expect(result.structuredContent.insight.mood).toBe('calm')
  expect(JSON.stringify(result)).not.toContain('weather')
})

test('a push and an event have the one that is named there', async () => {
  const changes = [{ issue_number: insight.issue_number, team_status: 'planned' }]
  await ask('PUT', '/api/insights/team-status', { changes })
  const events = () => receivedAt('/events').filter(({ type }) => type === 'insight.team_status_changed')
  await expect.poll(() => events().length, { timeout: 120_000 }).toBe(1)
  expect(events()[0].data.insight).toMatchObject({ number: insight.issue_number, mood: 'calm' })
  await ask('POST', `/api/insights/${insight.issue_number}/push`, {})
  const pushes = () => receivedAt('/push').filter(({ data }) => data.insight.issue_number === insight.issue_number)
  await expect.poll(() => pushes().length, { timeout: 120_000 }).toBeGreaterThan(0)
  expect(pushes()[0].data.insight.mood).toBe('calm')
  expect(receiver.seen.map(({ body }) => body).join('\n')).not.toContain('weather')
})

test('the pages of read-only links have the one that is named there', async () => {
  const ofInsight = await sharedPage({ issue_number: insight.issue_number })
  expect(ofInsight).toContain('<dt>Mood</dt><dd>calm</dd>')
  const { view_id } = await json('POST', '/api/views', { name: 'All', query: '', shared: false })
  const ofView = await sharedPage({ view_id })
  expect(ofView).toMatch(/<th [^>]*>Mood<\/th>/)
  expect(ofView).toMatch(/<td [^>]*>calm<\/td>/)
  expect(`${ofInsight}${ofView}`).not.toMatch(/weather|sunny/i)
})
