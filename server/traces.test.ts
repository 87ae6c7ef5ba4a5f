import { randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { Child } from './faults/child.ts'
import { type TestDatabase, testDatabase } from './platform/db/testing.ts'
import { type OtlpReceiver, type SentSpan, startOtlpReceiver } from './platform/traces/testing.ts'

// Every text that people, customers or other servers write here has this word in it.
const MARK = 'Zyzzyva'
const marked = (text: string) => `${text} ${MARK}`

const WAIT = { interval: 200 }

/** Prints which of OpenTelemetry's packages are loaded. */
const TELL = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  const seen = new Set()
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context)
      const name = /node_modules\\/(@opentelemetry\\/[^/]+)/.exec(found.url)?.[1]
      if (name && !seen.has(name)) process.stdout.write('loaded ' + name + '\\n')
      if (name) seen.add(name)
      return found
    },
  })`)}`

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

type Arrival = { headers: IncomingHttpHeaders; body: string }

/** A webhook's server: it takes what is about exports, and refuses all else, quoting it. */
async function startWebhook(): Promise<{ url: string; arrivals: Arrival[] }> {
  const arrivals: Arrival[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      arrivals.push({ headers: request.headers, body })
      response.writeHead(/spreadsheet/.test(body) ? 200 : 500).end(marked('The receiver says'))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(async () => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${MARK}?key=${MARK}`, arrivals }
}

async function newDatabase(): Promise<TestDatabase> {
  const database = await testDatabase()
  closing.push(() => database.cleanup())
  return database
}

async function newReceiver(): Promise<OtlpReceiver> {
  const receiver = await startOtlpReceiver()
  closing.push(() => receiver.stop())
  return receiver
}

/** Starts a process of the product as an operator does. */
async function start(
  door: 'serve' | 'worker',
  { config, ownerUrl }: TestDatabase,
  env: Record<string, string>,
): Promise<{ child: Child; url: string }> {
  const child = new Child(['server/cli.ts', door], {
    flags: [`--import=${TELL}`],
    env: {
      DATABASE_URL: ownerUrl,
      GROUNDSWELL_DATA: config.dataDir,
      PORT: '0',
      ENCODER: 'off',
      WEBHOOK_ALLOW: '127.0.0.1',
      OTEL_BSP_SCHEDULE_DELAY: '200',
      ...env,
    },
  })
  closing.push(() => child.end('SIGKILL'))
  const [, port] = await child.says(/Groundswell is at \S+:(\d+) |worker is running/)
  return { child, url: `http://127.0.0.1:${port}` }
}

const loaded = ({ output }: Child) =>
  [...output.matchAll(/^loaded @opentelemetry\/(.+)$/gm)].map(([, name]) => name ?? '').sort()

const newParent = () => {
  const traceId = randomBytes(16).toString('hex')
  const id = randomBytes(8).toString('hex')
  return { traceId, id, header: `00-${traceId}-${id}-01` }
}

/** What a person does: signs up, names a webhook, and imports files. */
class Person {
  readonly #url: string
  #token = ''

  constructor(url: string) {
    this.#url = url
  }

  async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.#url}${path}`, {
      method,
      headers: {
        tracestate: `vendor=${MARK}`,
        baggage: `customer=${MARK}`,
        ...(body === undefined || typeof body === 'string' ? {} : { 'content-type': 'application/json' }),
        ...(this.#token === '' ? {} : { authorization: `Bearer ${this.#token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  }

  async #done(...call: Parameters<Person['call']>): Promise<void> {
    const { status } = await this.call(...call)
    if (status !== 200) throw new Error(`${call[0]} ${call[1]} answered ${status}`)
  }

  async signUp(webhook: string): Promise<void> {
    const person = { email: `${MARK}@${MARK}.example`, name: marked('Ann'), password: 'correct horse battery staple' }
    const signedUp = await this.call('POST', '/api/auth/signup', person)
    this.#token = ((await signedUp.json()) as { token: string }).token
    await this.#done('POST', '/api/webhook/add', { webhook })
  }

  async importRows(message: string, traceparent: string): Promise<void> {
    const rows = Array.from({ length: 12 }, (_, index) =>
      JSON.stringify({ id: `${MARK}-${message}-${index}`, text: marked(message), author: marked(`Bob ${index}`) }),
    )
    const path = `/api/imports?name=${MARK}-${message.length}.jsonl`
    await this.#done('POST', path, rows.join('\n'), { traceparent })
  }
}

/** The names of the spans from what a trace begins with to this one, by parents and links; null when it does not lead there. */
function pathTo(spans: readonly SentSpan[], from: { traceId: string; id: string }, to: SentSpan): string[] | null {
  const byId = new Map(spans.map((span) => [span.id, span]))
  const seen = new Set<SentSpan>()
  const back = (span: SentSpan | undefined): string[] | null => {
    if (!span || seen.has(span)) return null
    seen.add(span)
    if (span.traceId === from.traceId && span.parent === from.id) return [span.name]
    for (const id of [span.parent, ...span.links.map((link) => link.id)]) {
      const path = back(byId.get(id))
      if (path) return [...path, span.name]
    }
    return null
  }
  return back(to)
}

/** The run of grouping is on it too, unless one that was under way took the messages: then its step is linked to them. */
const WAY = [
  'POST /api/imports',
  'job import',
  'store messages',
  'store groups',
  'consider push',
  'job deliver',
  'attempt delivery',
  'call webhook',
]

describe('with a receiver', () => {
  test('spans lead from a message to its delivery, and hold no word that anybody wrote', async () => {
    const [database, receiver, webhook] = [await newDatabase(), await newReceiver(), await startWebhook()]
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-operator',
      OTEL_SERVICE_NAME: 'feedback-tool',
    }
    const api = await start('serve', database, env)
    const worker = await start('worker', database, env)
    const person = new Person(api.url)
    await person.signUp(webhook.url)
    const [exports, logins] = [newParent(), newParent()]
    await person.importRows('The export to a spreadsheet fails with an error', exports.header)
    await person.importRows('I cannot log in since the update of my phone', logins.header)
    await person.call('GET', `/api/insights/${MARK}`)
    await person.call('GET', `/api/${MARK}?q=${MARK}`)
    await person.call('GET', `/${MARK}`)
    await person.call('POST', '/api/auth/login', { email: `${MARK}@${MARK}.example`, password: MARK })

    // Of the first attempt only: a later one, a few seconds after it, comes from the job of the one before.
    const isFirst = ({ parent }: SentSpan) =>
      receiver.spans.some(({ id, attributes }) => id === parent && attributes['groundswell.attempt'] === 1)
    const attempts = (failed: boolean) =>
      receiver.spans.filter((span) => span.name === 'call webhook' && span.failed === failed && isFirst(span))
    const leadsFrom = (parent: { traceId: string; id: string }, failed: boolean) =>
      attempts(failed).map((span) => pathTo(receiver.spans, parent, span))
    await expect.poll(() => leadsFrom(exports, false), WAIT).toContainEqual(expect.any(Array))
    await expect.poll(() => leadsFrom(logins, true), WAIT).toContainEqual(expect.any(Array))
    await api.child.end('SIGTERM')
    await worker.child.end('SIGTERM')

    const ways = [...leadsFrom(exports, false), ...leadsFrom(logins, true)].filter((way) => way !== null)
    expect(ways.map((way) => way.filter((name) => WAY.includes(name)))).toEqual(ways.map(() => WAY))
    const roles = new Set(receiver.spans.map(({ resource }) => resource['groundswell.role']))
    expect(roles).toEqual(new Set(['serve', 'worker']))
    expect(receiver.spans.every(({ resource }) => resource['service.name'] === 'feedback-tool')).toBe(true)
    expect(receiver.headers.every(({ authorization }) => authorization === 'Bearer of-the-operator')).toBe(true)
    const named = (name: string) => receiver.spans.filter((span) => span.name === name)
    expect(named('GET unknown').map(({ attributes }) => attributes['http.response.status_code'])).toContain(404)
    expect(named('attempt delivery').find(({ failed }) => failed)?.attributes).toMatchObject({
      'error.type': 'unavailable',
      'groundswell.connector': 'webhook',
      'groundswell.attempt': 1,
    })

    const sent = Buffer.concat(receiver.bytes).toString('latin1')
    expect(sent.length).toBeGreaterThan(1_000)
    expect(sent.toLowerCase()).not.toContain(MARK.toLowerCase())
    expect(sent).not.toMatch(/Ann|Bob|spreadsheet|log in|key=|horse|of-the-operator|\.example/)

    expect(webhook.arrivals.length).toBeGreaterThanOrEqual(2)
    for (const { headers } of webhook.arrivals) {
      expect(Object.keys(headers)).not.toContain('traceparent')
      expect(Object.keys(headers)).not.toContain('tracestate')
      expect(Object.keys(headers)).not.toContain('baggage')
    }
    expect(loaded(api.child)).toContain('sdk-trace-base')
    expect([api.child.process.exitCode, worker.child.process.exitCode]).toEqual([0, 0])
  })

  test('that is down or never answers, work is done and a stop does not wait for it', async () => {
    const [database, receiver, webhook] = [await newDatabase(), await newReceiver(), await startWebhook()]
    receiver.hold()
    const api = await start('serve', database, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
    const worker = await start('worker', database, {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${receiver.url}/v1/traces`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      // Longer than a process may take to stop: without its own limit it would be ended, with code 1.
      OTEL_EXPORTER_OTLP_TIMEOUT: '600000',
      OTEL_BSP_EXPORT_TIMEOUT: '600000',
    })
    const person = new Person(api.url)
    await person.signUp(webhook.url)
    await person.importRows('The export to a spreadsheet fails with an error', newParent().header)
    await expect.poll(() => webhook.arrivals.length, WAIT).toBeGreaterThan(0)
    await expect.poll(() => receiver.open(), WAIT).toBeGreaterThan(0)
    await Promise.all([api.child.end('SIGTERM'), worker.child.end('SIGTERM')])
    expect([api.child.process.exitCode, worker.child.process.exitCode]).toEqual([0, 0])
    await expect.poll(() => receiver.spans.map(({ name }) => name)).toContain('job import')
  })
})

describe('without its variables', () => {
  test('nothing but the interface is loaded, and jobs carry nothing', async () => {
    const [database, webhook] = [await newDatabase(), await startWebhook()]
    const api = await start('serve', database, {})
    const worker = await start('worker', database, {})
    const person = new Person(api.url)
    await person.signUp(webhook.url)
    await person.importRows('The export to a spreadsheet fails with an error', newParent().header)
    await expect.poll(() => webhook.arrivals.length, WAIT).toBeGreaterThan(0)
    for (const { child } of [api, worker]) expect(loaded(child)).toEqual(['api'])
    const { rows } = await database.db.pool.query('select data from queue.job')
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain('traceparent')
    expect(webhook.arrivals.flatMap(({ headers }) => Object.keys(headers))).not.toContain('traceparent')
  })
})
