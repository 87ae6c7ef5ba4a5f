import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { authenticate, setupToken } from '../../auth/index.ts'
import { openConnection } from '../../platform/db/testing.ts'
import { createHttp } from '../../platform/http/create.ts'
import { type TestApp, type TestPerson, testApp } from '../../platform/http/testing.ts'
import { defineJob } from '../../platform/queue/queue.ts'
import type { Services } from '../../platform/services.ts'
import { version } from '../../platform/version.ts'
import { accountRoutes } from '../accounts/index.ts'
import { drain } from './drain.ts'
import { readiness } from './readiness.ts'
import { operationRoutes } from './routes.ts'

const parts = (services: Services) => ({
  handlers: [...accountRoutes(services), ...operationRoutes(services)],
  authenticate: authenticate(services),
})

let test: TestApp

let admin: TestPerson

beforeAll(async () => {
  test = await testApp(parts)
})
afterAll(() => test.cleanup())

describe('health', () => {
  it('is 200 once everything is there', async () => {
    expect((await test.call('GET', '/api/live')).json()).toEqual({ live: true })
    expect((await test.call('GET', '/api/health')).json()).toEqual({ ready: true })
  })

  it.each([
    ['drop schema queue cascade', 'The queue is not there yet'],
    ['delete from migration', 'The database is not up to date yet'],
    ['drop table migration', 'The database cannot be reached'],
    [
      `do $$ begin execute format('alter database %I set default_transaction_read_only = on', current_database()); end $$`,
      'The database accepts no writes at the moment',
    ],
    [
      'drop schema queue cascade; delete from migration',
      'The database is not up to date yet; The queue is not there yet',
    ],
  ])('is 503 by name after: %s', async (statement, message) => {
    const own = await testApp(parts)
    try {
      // The queue's own maintenance would interfere.
      await own.services.queue.stop({ graceSeconds: 0 })
      const owner = await openConnection(own.database.ownerUrl)
      await owner.query(statement)
      await owner.end()
      const answer = await own.call('GET', '/api/health')
      expect([answer.statusCode, answer.json()]).toEqual([503, { code: 'not_ready', message }])
      expect((await own.call('GET', '/api/live')).statusCode).toBe(200)
    } finally {
      await own.cleanup()
    }
  })
})

describe('readiness', () => {
  const having = (changes: object) => ({ ...test.services, db: { ...test.services.db, ...changes } })

  it('includes space on the disk of the private database, and of no other', async () => {
    const asked = (embedded: boolean, keepFree?: number) =>
      readiness(having({ embedded }), keepFree ? { keepFree } : {})()
    expect(await asked(true)).toBe(null)
    expect(await asked(true, 1e18)).toBe('The disk of the database is full')
    expect(await asked(false, 1e18)).toBe(null)
  })

  it('includes notifications, and names every reason', async () => {
    const deaf = 'This process does not receive changes from the database at the moment'
    expect(await readiness(having({ receives: false }))()).toBe(deaf)
    const changes = { receives: false, embedded: true }
    expect(await readiness(having(changes), { keepFree: 1e18 })()).toBe(`${deaf}; The disk of the database is full`)
  })
})

it('is not ready while it stops, and still serves calls', async () => {
  const own = await testApp(parts)
  try {
    await drain(own.services)
    const message = 'This process is stopping'
    expect((await own.call('GET', '/api/health')).json()).toEqual({ code: 'not_ready', message })
    expect((await own.call('GET', '/api/live')).statusCode).toBe(200)
    expect((await own.call('GET', '/api/public-config')).statusCode).toBe(200)
  } finally {
    await own.cleanup()
  }
})

describe('what the web needs to know', () => {
  it('follows the settings, and asks for the set-up token where it is needed', async () => {
    const config = { ...test.services.config, onboardingUrl: 'https://example.com/hi', signup: 'closed' as const }
    const services = { ...test.services, config }
    const app = await createHttp(services, { handlers: operationRoutes(services), authenticate: async () => null })
    const ask = async (remoteAddress: string) => (await app.inject({ url: '/api/public-config', remoteAddress })).json()
    expect(await ask('127.0.0.1')).toEqual({
      onboarding_url: 'https://example.com/hi',
      signup: 'closed',
      needs_setup_token: false,
      google: false,
      mail: false,
      slack_client_id: null,
      chat: null,
    })
    expect((await ask('203.0.113.1')).needs_setup_token).toBe(true)
    admin = await test.person('admin', { setup_token: setupToken(test.services) })
    expect((await ask('203.0.113.1')).needs_setup_token).toBe(false)
    await app.close()
  })
})

describe('the version', () => {
  it('is told to those who are signed in, and to nobody else', async () => {
    const health = async (as?: TestPerson | string) => {
      const answer = await test.call('GET', '/api/health', as === undefined ? {} : { as })
      return [answer.statusCode, answer.json()]
    }
    const ann = await test.person('ann')
    expect(await health(ann)).toEqual([200, { ready: true, version: '0.1.0' }])
    for (const nobody of [undefined, 'not-a-token', `${ann.token}x`, 'gsk_unknown']) {
      expect(await health(nobody)).toEqual([200, { ready: true }])
    }
    expect((await test.call('POST', '/api/auth/logout', { as: ann })).statusCode).toBe(200)
    expect(await health(ann)).toEqual([200, { ready: true }])
  })

  it('is in no reply to a call that needs no token', async () => {
    const open = parts(test.services).handlers.filter(({ route }) => route.access === 'public')
    expect(open.map(({ route }) => route.name)).toContain('getPublicConfig')
    for (const { route } of open) {
      const { body, headers } = await test.call(route.method, route.path)
      expect([route.name, `${JSON.stringify(headers)} ${body}`.includes(version)]).toEqual([route.name, false])
    }
  })
})

describe('work that gave up', () => {
  const failing = defineJob({ name: 'test-fails', schema: z.object({ n: z.int() }), tries: 1 })
  let heal = false
  let healed = 0

  beforeAll(async () => {
    await test.services.queue.work(failing, async () => {
      if (!heal) throw Object.assign(new Error('no such place'), { kind: 'rejected' })
      healed += 1
    })
  })

  const dead = async () => (await test.call('GET', '/api/admin/dead-jobs', { as: admin })).json().jobs

  it('is listed, run again, and forgotten', async () => {
    await test.services.queue.send(failing, { n: 1 })
    await expect.poll(async () => (await dead()).length).toBe(1)
    const [job] = await dead()
    expect(job).toMatchObject({ job: 'test-fails', reason: 'no such place', tries: 1, data: { n: 1 } })
    heal = true
    const again = await test.call('POST', `/api/admin/dead-jobs/${job.id}/rerun`, { as: admin })
    expect(again.json()).toEqual({ id: job.id })
    expect(await dead()).toEqual([])
    await expect.poll(() => healed).toBe(1)
    heal = false
    await test.services.queue.send(failing, { n: 2 })
    await expect.poll(async () => (await dead()).length).toBe(1)
    const [other] = await dead()
    const gone = await test.call('DELETE', `/api/admin/dead-jobs/${other.id}`, { as: admin })
    expect(gone.statusCode).toBe(200)
    expect(await dead()).toEqual([])
  })

  it('is for admins, and named when it is not there', async () => {
    const ann = await test.person('plain')
    for (const [method, path] of [
      ['GET', ''],
      ['POST', `/${randomUUID()}/rerun`],
      ['DELETE', `/${randomUUID()}`],
    ] as const) {
      const url = `/api/admin/dead-jobs${path}`
      expect((await test.call(method, url)).statusCode).toBe(401)
      expect((await test.call(method, url, { as: ann })).statusCode).toBe(403)
      const asAdmin = await test.call(method, url, { as: admin })
      expect(asAdmin.statusCode).toBe(path === '' ? 200 : 404)
    }
  })
})
