import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from './api.ts'
import { boot } from './boot.ts'
import { type Monitoring, startMonitoring } from './features/monitoring/index.ts'
import { type TestDatabase, testDatabase } from './platform/db/testing.ts'
import { startWorker } from './worker.ts'

// Every text that people, customers or other servers write here has this word in it.
const MARK = 'Zyzzyva'

const marked = (text: string) => `${text} ${MARK}`

let database: TestDatabase
let monitoring: Monitoring | undefined
let api: Api
let stop: () => Promise<void>
let receiver: ReturnType<typeof createServer>
let answers = 0

beforeAll(async () => {
  receiver = createServer((request, response) => {
    request.resume()
    answers += 1
    response.writeHead(answers === 1 ? 500 : 400).end(marked('The receiver says'))
  }).listen(0, '127.0.0.1')
  database = await testDatabase()
  const booted = await boot(
    {
      ...database.config,
      metrics: { host: '127.0.0.1', port: 0 },
      allowPrivateAddresses: ['127.0.0.1'],
    },
    { listens: true },
  )
  monitoring = await startMonitoring(booted.services, 'all')
  api = await startApi(booted.services, monitoring && { onAnswered: monitoring.onAnswered })
  await startWorker(booted.services)
  stop = async () => {
    await api.close()
    await booted.stop({ graceSeconds: 1 })
    await monitoring?.close()
  }
})
afterAll(async () => {
  await stop()
  receiver.close()
  await database.cleanup()
})

const metrics = async () => (await fetch(`${monitoring?.url}/metrics`)).text()

/** The value of a series, by the labels that it must have. */
function valueIn(text: string, name: string, labels: Record<string, string> = {}): number | undefined {
  const line = text.split('\n').find((one) => {
    const [, series, list = ''] = /^(\w+)(?:\{(.*)\})? /.exec(one) ?? []
    return series === name && Object.entries(labels).every(([key, value]) => list.includes(`${key}="${value}"`))
  })
  return line === undefined ? undefined : Number(line.split(' ').at(-1))
}

test('metrics show what the product does, and no word that anybody wrote', async () => {
  let token = ''
  const call = (method: string, path: string, body?: unknown) =>
    fetch(`${api.url}${path}`, {
      method,
      headers: {
        ...(body === undefined || typeof body === 'string' ? {} : { 'content-type': 'application/json' }),
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  const person = { email: `${MARK}@${MARK}.example`, name: marked('Ann'), password: 'correct horse battery staple' }
  const signedUp = await call('POST', '/api/auth/signup', person)
  token = ((await signedUp.json()) as { token: string }).token
  expect(token).toBeTypeOf('string')
  const { port } = receiver.address() as AddressInfo
  expect((await call('POST', '/api/webhook/add', { webhook: `http://127.0.0.1:${port}/${MARK}` })).status).toBe(200)
  const rows = Array.from({ length: 12 }, (_, index) =>
    JSON.stringify({
      id: `${MARK}-${index}`,
      text: marked('The export to a spreadsheet fails with'),
      author: `${marked('Bob')} ${index}`,
    }),
  )
  expect((await call('POST', `/api/imports?name=${MARK}.jsonl`, rows.join('\n'))).status).toBe(200)
  await call('GET', `/api/insights/${MARK}`)
  await call('GET', `/api/${MARK}?q=${MARK}`)
  await call('GET', `/${MARK}`)
  await call('DELETE', `/api/insights/get-all/${MARK}`)
  await call('POST', '/api/auth/login', { email: person.email, password: MARK })

  const delivered = async () => {
    const text = await metrics()
    return ['retried', 'failed'].some(
      (outcome) => (valueIn(text, 'groundswell_deliveries_total', { outcome }) ?? 0) > 0,
    )
  }
  await expect.poll(delivered, { interval: 500 }).toBe(true)

  let text = ''
  // Jobs wait for a connection now and then, and a reply that follows another at once has no new lag to report.
  const calm = async () => {
    text = await metrics()
    const lag = valueIn(text, 'nodejs_eventloop_lag_p99_seconds') ?? 0
    return [valueIn(text, 'groundswell_database_waiters', { pool: 'groundswell' }), lag > 0]
  }
  await expect.poll(calm, { interval: 100 }).toEqual([0, true])
  expect(text.toLowerCase()).not.toContain(MARK.toLowerCase())
  expect(text).not.toMatch(/@|Ann|Bob|spreadsheet/)
  const has = (name: string, labels?: Record<string, string>) => valueIn(text, name, labels)
  const seconds = 'groundswell_call_seconds_count'
  expect(has(seconds, { method: 'POST', route: '/api/auth/signup', status: '200' })).toBe(1)
  expect(has(seconds, { method: 'GET', route: 'unknown', status: '404' })).toBe(1)
  expect(has(seconds, { method: 'GET', route: 'web' })).toBe(1)
  expect(has('groundswell_state_loads_total', { from: 'database' })).toBeGreaterThan(0)
  expect(has('groundswell_database_connections_limit', { pool: 'groundswell' })).toBeGreaterThan(0)
  expect(has('groundswell_database_connections_limit', { pool: 'groundswell queue' })).toBeGreaterThan(0)
  expect(has('groundswell_listener_silent_seconds')).toBeGreaterThan(0)
  expect(has('groundswell_listener_silent_seconds')).toBeLessThan(3_600)
  expect(has('groundswell_ungrouped_oldest_seconds')).toBeGreaterThanOrEqual(0)
  expect(has('groundswell_worker_missing_seconds')).toBeDefined()
  expect(has('groundswell_figures_age_seconds')).toBeGreaterThanOrEqual(0)
  expect(has('groundswell_disk_free_bytes')).toBeGreaterThan(0)
})
