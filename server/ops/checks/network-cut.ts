import { setTimeout as pause } from 'node:timers/promises'
import type { Child } from '../../faults/child.ts'
import { startReceiver } from '../../faults/receiver.ts'
import { until } from '../../faults/until.ts'
import { type Report, runCheckAlone, seconds } from '../check.ts'
import { Network, OWN_ADDRESS } from '../network.ts'
import { Postgres } from '../postgres.ts'
import { Product } from '../product.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { textsOf } from '../texts.ts'
import { look, statuses, Watch } from '../watch.ts'

// The database's cable is pulled and plugged in again. The API is usable within 15 s, was never older than 20 s, the worker works, and a process that
// is stopped while the cable is out ends within 25 s with exit code 0.

const USABLE_MS = 15_000
const STALE_MS = 20_000
const STOP_MS = 25_000
const CUTS_MS = [5_000, 30_000, 60_000]
const PORT = 5432

let imports = 0

/** One cut under load. */
async function cut(report: Report, network: Network, product: Product, forMs: number): Promise<void> {
  const token = product.client.token
  const base = product.base
  const list = await look(`${base}/api/insights/get-all`, { token })
  const polls = new Watch(() => look(`${base}/api/insights/get-all`, { token, etag: list.etag }))
  // Uncached reads at once, so that every connection of the pool is in use when the cable is pulled.
  const reads = Array.from({ length: 12 }, () => new Watch(() => look(`${base}/api/imports`, { token }), 20))
  imports += 1
  await product.import(`cut ${imports}`, textsOf(`cut${imports}`, imports))
  await pause(500)
  network.cut('db')
  const began = performance.now()
  await pause(forMs)
  network.join('db')
  const joined = performance.now()
  const usable = await until('the API', async () => {
    const [read, health] = [
      await look(`${base}/api/imports`, { token, limitMs: 3_000 }),
      await look(`${base}/api/health`, { limitMs: 3_000 }),
    ]
    return read.status === 200 && health.status === 200 ? performance.now() - joined : undefined
  })
  report.figure(`after ${seconds(forMs)} without the database the API is usable after ${seconds(usable)}`)
  report.require(usable <= USABLE_MS, `the API is usable within ${USABLE_MS / 1000} s`)
  const polled = await polls.stop()
  const read = (await Promise.all(reads.map((watch) => watch.stop()))).flat()
  const stale = Math.max(
    0,
    ...polled.filter(({ at, ms, status }) => status === 304 && at + ms < joined).map(({ at, ms }) => at + ms - began),
  )
  report.figure(
    `served from memory for ${seconds(stale)}; polls ${JSON.stringify(statuses(polled))}, reads ${JSON.stringify(statuses(read))}`,
  )
  report.require(stale <= STALE_MS, `nothing is served from memory after ${STALE_MS / 1000} s`)
  report.require(
    [...polled, ...read].every(({ status }) => status !== 500),
    'nothing fails with 500',
  )
  const working = performance.now()
  await product.settle()
  report.figure(`the worker had finished ${seconds(performance.now() - working)} later`)
}

/** Stops a process while the cable is out. */
async function stopDuringCut(
  report: Report,
  network: Network,
  product: Product,
  child: Child,
  name: string,
): Promise<void> {
  network.cut('db')
  await pause(3_000)
  const { code, ms } = await product.end(child)
  network.join('db')
  report.figure(`${name} stopped in ${seconds(ms)} with ${code ?? 'a signal'} while the cable was out`)
  report.require(code === 0 && ms <= STOP_MS, `${name} stops within ${STOP_MS / 1000} s with exit code 0`)
}

await runCheckAlone('network-cut', ['postgresql'], async (report, debian) => {
  const folder = temporaryFolder(report)
  const network = new Network(report, ['db', 'api', 'work'])
  const server = await Postgres.create(report, debian, {
    folder,
    port: PORT,
    address: network.addressOf('db'),
    namespace: network.namespaceOf('db'),
  })
  const product = new Product(report, {
    env: server.addresses,
    query: (text, values) => server.query(text, undefined, values),
    address: network.addressOf('api'),
  })
  const receiver = await startReceiver(() => 5, OWN_ADDRESS)
  report.onEnd(() => receiver.stop())
  await product.migrate()
  const api = await product.serve({ namespace: network.namespaceOf('api') })
  const worker = await product.work({ namespace: network.namespaceOf('work') })
  await product.furnish(receiver)
  await product.import('first', textsOf('first', 100))
  await product.settle()

  for (const machine of ['api', 'work', 'db']) {
    const sockets = network.connections(machine, PORT).filter((line) => !line.includes(OWN_ADDRESS))
    const probed = sockets.filter((line) => /timer:\((keepalive|on)/.test(line))
    report.require(
      sockets.length > 2 && probed.length === sockets.length,
      `${machine} probes its ${sockets.length} connections`,
    )
  }
  for (const forMs of CUTS_MS) await cut(report, network, product, forMs)

  await product.import('stopped', textsOf('stopped', 101))
  await stopDuringCut(report, network, product, worker, 'the worker, at work,')
  const next = await product.work({ namespace: network.namespaceOf('work') })
  await product.settle()
  const token = product.client.token
  const load = Array.from(
    { length: 12 },
    () => new Watch(() => look(`${product.base}/api/imports`, { token, limitMs: 40_000 }), 20),
  )
  await stopDuringCut(report, network, product, api, 'the API, with calls open,')
  await Promise.all(load.map((watch) => watch.stop()))
  await product.serve({ namespace: network.namespaceOf('api') })
  await product.requireSound(receiver)
  report.require(product.fallen().length === 0 && next.running, 'no process ended unexpectedly')
})
