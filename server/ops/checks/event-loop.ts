import { once } from 'node:events'
import { Agent, request } from 'node:http'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { createApiKey } from '@groundswell/contract/api-keys.ts'
import { uploadCustomers } from '@groundswell/contract/customers.ts'
import { sendFeedback } from '@groundswell/contract/feedback/sent-feedback.ts'
import { previewImport, startImport } from '@groundswell/contract/feedback.ts'
import type { Route } from '@groundswell/contract/route.ts'
import { routes } from '@groundswell/contract/routes.ts'
import { exampleRequest, nobodysObjects } from '../../example-calls.ts'
import type { Child } from '../../faults/child.ts'
import { until } from '../../faults/until.ts'
import { medianOf, type Report, runCheckAlone } from '../check.ts'
import type { LoopDelay } from '../loop-delay.ts'
import { Postgres } from '../postgres.ts'
import { Product } from '../product.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { textsOf } from '../texts.ts'
import { type WorstBody, worstBodies, worstFiles, worstLists, worstMessages } from '../worst-bodies.ts'

// No call keeps the event loop of an API process busy for more than 100 ms, with the largest and worst body that its limit allows. Each body is sent
// once, and the worst of each call five times. OPS_CALLS: only these calls, separated by commas.

const MAX_MS = 100
const RUNS = 5
const DEFAULT_LIMIT = 1024 * 1024
const MCP_LIMIT = 256 * 1024
const PREVIEW_BYTES = 256 * 1024
const FILE_BYTES = 32 * 1024 * 1024
const UNPACKED_BYTES = 256 * 1024 * 1024
const TILES = { destination: 'webhook', source: 'slack' }
/** Calls whose row is always shown, besides those with a limit of their own. */
const SHOWN = new Set([
  'login',
  'createView',
  'updateSettings',
  'correctInsight',
  'exportInsights',
  'PUT /auth/v1/user',
])

/** A call as it is sent: its name in the table, and its largest and worst bodies. */
type Call = {
  name: string
  method: string
  url: string
  type: string
  token?: string
  shown: boolean
  bodies: () => Iterable<WorstBody & { query?: string }>
}
type Sent = { what: string; bytes: number; status: number; delay: LoopDelay }
type Row = { call: string; what: string; bytes: number; status: number; ms: number; cpuMs: number }

/** Every call of the contract whose body is parsed. */
function parsedCalls(): Call[] {
  const objects = nobodysObjects(TILES)
  return routes
    .filter((route) => route.body !== undefined)
    .map((route) => {
      const { url, payload = {} } = exampleRequest(route, objects)
      const limit = route.bodyLimit ?? DEFAULT_LIMIT
      return {
        name: route.name,
        method: route.method,
        url,
        type: 'application/json',
        shown: route.bodyLimit !== undefined || SHOWN.has(route.name),
        *bodies() {
          yield* worstBodies(limit, payload as Record<string, unknown>)
          if (route.name === uploadCustomers.name) yield* worstLists()
          if (route.name === sendFeedback.name) yield* worstMessages(limit)
        },
      }
    })
}

/** Calls of the contract whose body is a stream. */
function rawCalls(): Call[] {
  const type = 'application/octet-stream'
  const ofFiles = (route: Route, bytes: number): Call => ({
    name: route.name,
    method: route.method,
    url: route.path,
    type,
    shown: true,
    *bodies() {
      for (const { name, ...file } of worstFiles(bytes)) yield { ...file, query: `?name=${name}` }
      if (route.name !== startImport.name) return
      for (const { name, what, body } of worstFiles(UNPACKED_BYTES / 16)) {
        yield { what: `${what}, packed`, body: gzipSync(body, { level: 1 }), query: `?name=${name}.gz` }
      }
    },
  })
  const objects = nobodysObjects(TILES)
  const others = routes.filter(({ name, raw }) => raw && name !== previewImport.name && name !== startImport.name)
  return [
    ofFiles(previewImport, PREVIEW_BYTES),
    ofFiles(startImport, FILE_BYTES),
    ...others.map((route) => ({
      name: route.name,
      method: route.method,
      url: exampleRequest(route, objects).url,
      type,
      shown: false,
      bodies: () => worstBodies(DEFAULT_LIMIT, { event: {} }),
    })),
  ]
}

/** Sign-in, which has its own protocol, and agents. */
function otherCalls(key: string): Call[] {
  const email = 'someone@tallybrook.example'
  const right: Record<string, object> = {
    'POST /auth/v1/signup': { email, password: 'a sentence nobody guesses', data: { name: 'x' } },
    'POST /auth/v1/token?grant_type=password': { email, password: 'wrong' },
    'POST /auth/v1/token?grant_type=refresh_token': { refresh_token: 'x' },
    'POST /auth/v1/token?grant_type=pkce': { auth_code: 'x', code_verifier: 'x' },
    'POST /auth/v1/recover': { email },
    'POST /auth/v1/verify': { type: 'signup', email, token: '123456' },
    'PUT /auth/v1/user': { data: { name: 'Ops' } },
    'POST /auth/v1/factors': { factor_type: 'totp', friendly_name: 'x' },
  }
  const type = 'application/json'
  const signIn = Object.entries(right).map(([name, body]): Call => {
    const [method = '', url = ''] = name.split(' ')
    const bodies = () => worstBodies(DEFAULT_LIMIT, { ...body })
    return { name, method, url, type, shown: SHOWN.has(name), bodies }
  })
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'search_feedback', arguments: { words: 'x' } },
  }
  const bodies = () => worstBodies(MCP_LIMIT, message)
  return [...signIn, { name: 'POST /api/mcp', method: 'POST', url: '/api/mcp', type, token: key, shown: true, bodies }]
}

/** Sends bodies to one API process, one after another, and asks it each time for its longest delay. */
class Prober {
  readonly #product: Product
  readonly #process: Child['process']
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })

  constructor(product: Product, child: Child) {
    this.#product = product
    this.#process = child.process
  }

  async send(call: Call, { what, body, query = '' }: WorstBody & { query?: string }): Promise<Sent> {
    await this.#longest()
    const headers = {
      authorization: `Bearer ${call.token ?? this.#product.client.token}`,
      'content-type': call.type,
      'content-length': body.length,
    }
    const status = await new Promise<number>((resolve, reject) => {
      const sending = request(
        `${this.#product.base}${call.url}${query}`,
        { method: call.method, headers, agent: this.#agent },
        (response) => {
          response.on('error', reject).on('end', () => resolve(response.statusCode ?? 0))
          response.resume()
        },
      )
      // Counts as no reply: on a busy machine the connection may be ended first.
      sending.on('error', () => resolve(0)).end(body)
    })
    return { what, bytes: body.length, status, delay: await this.#longest() }
  }

  async #longest(): Promise<LoopDelay> {
    const answer = once(this.#process, 'message')
    this.#process.send('longest delay')
    const [delay] = await answer
    return delay as LoopDelay
  }
}

/** The worst body of a call: of the three that took most processor time when they were sent once, the one with the longest median delay. */
async function worstOf(prober: Prober, call: Call, report: Report): Promise<Row> {
  const seen: { sent: Sent; body: WorstBody & { query?: string } }[] = []
  for (const body of call.bodies()) {
    const sent = await prober.send(call, body)
    if (sent.status >= 500 || sent.status === 0) report.require(false, `${call.name}, ${body.what}: ${sent.status}`)
    seen.push({ sent, body })
    seen.sort((a, b) => b.sent.delay.cpuMs - a.sent.delay.cpuMs)
    // The others are forgotten: all bodies of all calls would be gigabytes.
    seen.splice(3)
  }
  const rows: Row[] = []
  for (const { body } of seen) {
    const runs: Sent[] = []
    for (let run = 0; run < RUNS; run += 1) runs.push(await prober.send(call, body))
    const [first] = runs
    if (!first) throw new Error('nothing was sent')
    rows.push({
      call: call.name,
      what: body.what,
      bytes: first.bytes,
      status: first.status,
      ms: medianOf(runs.map(({ delay }) => delay.ms)),
      cpuMs: medianOf(runs.map(({ delay }) => delay.cpuMs)),
    })
  }
  const [worst] = rows.toSorted((a, b) => b.ms - a.ms)
  if (!worst) throw new Error(`${call.name} has no body`)
  return worst
}

const lineOf = (row: Row) =>
  `${row.call.padEnd(44)}${row.what.padEnd(48)}${row.bytes.toLocaleString('en-US').padStart(11)}${String(row.status).padStart(5)}` +
  `${row.ms.toFixed(0).padStart(7)}${row.cpuMs.toFixed(0).padStart(7)}`

await runCheckAlone('event-loop', ['postgresql'], async (report, debian) => {
  const folder = temporaryFolder(report)
  const server = await Postgres.create(report, debian, { folder: `${folder}/server`, port: 5432 })
  const product = new Product(report, {
    env: { ...server.addresses, ENCODER: 'off', AUTH_RATE_LIMITS: 'off' },
    query: (text, values) => server.query(text, undefined, values),
  })
  await product.migrate()
  const preload = path.join(import.meta.dirname, '../loop-delay.ts')
  const serve = await product.serve({ flags: ['--import', preload], ipc: true })
  const worker = await product.work()
  await product.furnish()
  const texts = textsOf('first', 1)
  await product.import('first', texts)
  await until('the rows to be grouped', async () => {
    const [row] = await server.query<{ grouped: number }>(
      'select count(*)::int as grouped from feedback_item where grouped_seq is not null',
    )
    return row?.grouped === texts.length || undefined
  })
  await product.end(worker)
  const { token: key } = await product.client.call(createApiKey, {
    body: { name: 'agent', scopes: ['read'], expires_in_days: 30 },
  })

  const prober = new Prober(product, serve)
  const only = process.env.OPS_CALLS?.split(',')
  const calls = [...parsedCalls(), ...rawCalls(), ...otherCalls(key)].filter(({ name }) => only?.includes(name) ?? true)
  report.say(
    `${'call'.padEnd(44)}${'its worst body'.padEnd(48)}${'bytes'.padStart(11)} code     ms ms CPU (medians of ${RUNS})`,
  )
  const rows: Row[] = []
  for (const call of calls) {
    await product.signIn()
    const row = await worstOf(prober, call, report)
    rows.push(row)
    if (call.shown || row.ms > MAX_MS / 2) report.say(lineOf(row))
  }
  const [worst] = rows.toSorted((a, b) => b.ms - a.ms)
  report.figure(
    `${rows.length} calls with their worst bodies: at most ${worst?.ms.toFixed(0)} ms (${worst?.call}), medians of ${RUNS}`,
  )
  for (const row of rows.filter(({ ms }) => ms > MAX_MS)) {
    report.require(
      false,
      `${row.call} keeps the event loop for at most ${MAX_MS} ms (${row.what}: ${row.ms.toFixed(0)} ms)`,
    )
  }
  report.require(serve.running, 'the process is the same throughout')
})
