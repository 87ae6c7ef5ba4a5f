import { randomBytes } from 'node:crypto'
import { signup } from '@groundswell/contract/accounts.ts'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { withCaches } from '../caches.ts'
import type { Config } from '../config/config.ts'
import { type TestDatabase, testDatabase } from '../db/testing.ts'
import { type Log, silentLog } from '../log/log.ts'
import { createQueue } from '../queue/queue.ts'
import { keyFrom } from '../secrets/seal.ts'
import type { Services } from '../services.ts'
import { keptThreads } from '../testing.ts'
import { createHttp, type HttpOptions } from './create.ts'
import type { Caller, Handler } from './handle.ts'

/** A person of a test who has signed up, with their own workspace. */
export type TestPerson = Caller & { token: string }

type CallOptions = Pick<InjectOptions, 'payload' | 'headers' | 'remoteAddress'> & { as?: TestPerson | string }

/** A test's own server over a fresh database. `time` moves the clock that the services see, and stops it at `stoppedAt`. */
export type TestApp = {
  app: FastifyInstance
  services: Services
  database: TestDatabase
  time: { passMs: number; stoppedAt?: number | undefined }
  /** Signs a person up by the call of the contract, from their own address; `more` is added to its body. */
  person(name: string, more?: Record<string, unknown>): Promise<TestPerson>
  call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    more?: CallOptions,
  ): Promise<LightMyRequestResponse>
  cleanup(): Promise<void>
}

/** Starts a server with the given parts, without listening: requests are made by `call`. */
export async function testApp(
  parts: (services: Services) => HttpOptions,
  config: Partial<Config> = {},
): Promise<TestApp> {
  const database = await testDatabase()
  const log = silentLog()
  const queue = await createQueue({ db: database.db, log })
  const time: TestApp['time'] = { passMs: 0 }
  const services = withCaches({
    config: { ...database.config, ...config },
    log,
    db: database.db,
    queue,
    key: keyFrom(randomBytes(32)),
    now: () => new Date((time.stoppedAt ?? Date.now()) + time.passMs),
    threads: keptThreads,
  })
  const options = parts(services)
  const app = await createHttp(services, options)
  let people = 0
  const call: TestApp['call'] = (method, url, { as, headers, ...more } = {}) => {
    const token = typeof as === 'string' ? as : as?.token
    const bearer = token === undefined ? {} : { authorization: `Bearer ${token}` }
    return app.inject({ method, url, ...more, headers: { ...headers, ...bearer } })
  }
  return {
    app,
    services,
    database,
    time,
    call,
    async person(name, more = {}) {
      people += 1
      const answer = await call('POST', signup.path, {
        payload: { email: `${name}@example.com`, name, password: `password of ${people}`, ...more },
        remoteAddress: `198.18.${people >> 8}.${people & 255}`,
      })
      const { token } = signup.reply.parse(answer.json())
      const caller = await options.authenticate(token)
      if (!caller) throw new Error(`${name} could not sign in`)
      return { ...caller, token }
    },
    async cleanup() {
      await app.close()
      await queue.stop({ graceSeconds: 1 })
      await services.caches.dispose()
      await database.cleanup()
    },
  }
}

/** Services over a fresh database. The clock is the test's: `services.now` may be replaced. No worker runs on the queue. */
export type TestServices = { services: Services; stop: () => Promise<void> }

/** Makes `TestServices`. Stop them at the end of the test: the database is removed then. */
export async function testServices(config: Partial<Config> = {}, log: Log = silentLog()): Promise<TestServices> {
  const database = await testDatabase()
  const queue = await createQueue({ db: database.db, log, maintain: false })
  const key = keyFrom(Buffer.alloc(32, 7))
  const services = withCaches({
    config: { ...database.config, ...config },
    log,
    db: database.db,
    queue,
    key,
    now: () => new Date(),
    threads: keptThreads,
  })
  return {
    services,
    async stop() {
      await queue.stop({ graceSeconds: 0 })
      await services.caches.dispose()
      await database.cleanup()
    },
  }
}

/** Services with a server over them, to be called with `app.inject`. */
export type TestServer = TestServices & { app: FastifyInstance }

/** A server that accepts every token: the token is the id of an admin, who is called A, and of their workspace. */
export function believingServer(services: Services, handlers: Handler[]): Promise<FastifyInstance> {
  return createHttp(services, {
    handlers,
    authenticate: async (token) => ({
      accountId: token,
      workspaceId: token,
      role: 'owner',
      isAdmin: true,
      name: 'A',
      email: 'a@b.c',
      session: { id: token, aal: 'aal1', isFirst: false, needsSecondFactor: false },
    }),
  })
}

/** Such services with such a server. */
export async function testServer(
  handlers: (services: Services) => Handler[],
  config: Partial<Config> = {},
): Promise<TestServer> {
  const { services, stop } = await testServices(config)
  const app = await believingServer(services, handlers(services))
  return {
    services,
    app,
    async stop() {
      await app.close()
      await stop()
    },
  }
}
