import { setTimeout as pause } from 'node:timers/promises'
import { getImport, startImport } from '@groundswell/contract/feedback.ts'
import { startReceiver } from '../faults/receiver.ts'
import { until } from '../faults/until.ts'
import { type Report, runCheckAlone, seconds } from './check.ts'
import { Cluster, DATABASES, type DatabaseMachine } from './cluster.ts'
import { OWN_ADDRESS } from './network.ts'
import { Product } from './product.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { look, statuses, Watch } from './watch.ts'

const ROUNDS = 5
const WRITES_MS = 10_000
const WORKERS_MS = 20_000
const ROWS = 20

/** What happens to the primary, and how it comes back, after the other machine has taken over. */
export type Fault = {
  strike: (cluster: Cluster, primary: DatabaseMachine) => Promise<void> | void
  undo: (cluster: Cluster, primary: DatabaseMachine) => Promise<void> | void
}

/** Imports files one after another, each again until it is acknowledged, and polls meanwhile. */
class Load {
  readonly polls: Watch
  #running = true
  #number = 0
  readonly #ended: Promise<void>

  constructor(product: Product) {
    const token = product.client.token
    this.polls = new Watch(() => look(`${product.base}/api/imports`, { token, limitMs: 20_000 }), 100)
    this.#ended = (async () => {
      while (this.#running) {
        this.#number += 1
        const name = `load ${this.#number}`
        const texts = Array.from({ length: ROWS }, (_, row) => `The export of report ${row} fails (${name}, ${row})`)
        await until('the file to be taken', () => product.import(name, texts), { everyMs: 200, deadlineMs: 600_000 })
        await pause(300)
      }
    })()
    // Reported by `stop`.
    this.#ended.catch(() => undefined)
  }

  async stop(): Promise<void> {
    this.#running = false
    await this.#ended
    await this.polls.stop()
  }
}

/** Tries to write to a machine, bypassing the proxy, as often as possible. Resolves to the numbers of the writes that were acknowledged. */
class Intruder {
  static #next = 1
  #running = true
  readonly #accepted: number[] = []
  readonly #ended: Promise<void>

  constructor(cluster: Cluster, machine: DatabaseMachine) {
    this.#ended = (async () => {
      while (this.#running) {
        const number = Intruder.#next++
        await cluster
          .query(machine, `insert into intrusion values (${number})`)
          .then(() => this.#accepted.push(number))
          .catch(() => undefined)
        await pause(50)
      }
    })()
  }

  async stop(): Promise<number[]> {
    this.#running = false
    await this.#ended
    return this.#accepted
  }
}

async function round(report: Report, cluster: Cluster, product: Product, fault: Fault, number: number): Promise<void> {
  const old = await cluster.primary()
  const next = DATABASES.find((machine) => machine !== old) ?? old
  const began = performance.now()
  await fault.strike(cluster, old)
  await until('the other machine to take over', async () => (await cluster.isPrimary(next)) || undefined, {
    everyMs: 50,
    explain: () => cluster.tails(),
  })
  const promoted = performance.now()
  const intruder = new Intruder(cluster, old)

  const { id } = await until('a write', () => writeOnce(product, number), { everyMs: 100 })
  const written = performance.now()
  await until(
    'the worker',
    async () => {
      const found = await product.client.call(getImport, { params: { id } })
      return found.state === 'done' || undefined
    },
    { everyMs: 100 },
  )
  const worked = performance.now()
  await pause(3_000)
  await fault.undo(cluster, old)
  await cluster.healthy()
  const accepted = await intruder.stop()
  // Writes accepted by a machine that is the primary again must be there. Writes accepted by a former primary would be lost.
  const [kept] = await cluster.queryPrimary<{ n: number }>(
    `select count(*)::int as n from intrusion where number = any('{${accepted.join()}}')`,
  )
  const lost = accepted.length - (kept?.n ?? 0)
  if (accepted.length > 0) report.figure(`round ${number}: ${old} became the primary again meanwhile`)
  report.figure(
    `round ${number}: ${next} took over after ${seconds(promoted - began)}, a write succeeded ${seconds(written - promoted)} ` +
      `and a worker was done ${seconds(worked - promoted)} later, both machines ran again after ${seconds(performance.now() - began)}`,
  )
  report.require(written - promoted <= WRITES_MS, `the API writes within ${WRITES_MS / 1000} s of the new primary`)
  report.require(worked - promoted <= WORKERS_MS, `workers work within ${WORKERS_MS / 1000} s of the new primary`)
  report.require(lost === 0, `the former primary accepts no writes (${lost})`)
}

async function writeOnce(product: Product, number: number): Promise<{ id: string }> {
  const text = `After the failover ${number} everything works`
  const raw = `${JSON.stringify({ id: `after-${number}`, text })}\n`
  const taken = await product.client.call(startImport, { query: { name: `after ${number}.jsonl` }, raw })
  product.texts.push(text)
  return taken
}

/** A check of five failovers of one kind under load. */
export function runFailovers(name: string, fault: Fault): Promise<never> {
  return runCheckAlone(name, ['postgresql', 'etcd', 'patroni', 'haproxy'], async (report, debian) => {
    const cluster = new Cluster(report, debian, temporaryFolder(report))
    await cluster.start()
    const product = new Product(report, {
      env: cluster.addresses,
      query: (text, values) => cluster.queryPrimary(text, values),
      address: cluster.network.addressOf('app'),
    })
    const receiver = await startReceiver(() => 10, OWN_ADDRESS)
    report.onEnd(() => receiver.stop())
    await product.migrate({ namespace: cluster.app })
    await cluster.queryPrimary('create table intrusion (number integer)')
    const processes = [await product.serve({ namespace: cluster.app }), await product.work({ namespace: cluster.app })]
    await product.furnish(receiver)

    const load = new Load(product)
    await pause(3_000)
    for (let number = 1; number <= ROUNDS; number += 1) await round(report, cluster, product, fault, number)
    await load.stop()
    const looks = load.polls.looks
    report.figure(`${product.texts.length} rows were acknowledged; polls ${JSON.stringify(statuses(looks))}`)
    report.require(
      looks.every(({ status }) => status !== 500),
      'no call fails with 500',
    )
    await product.requireSound(receiver)
    report.require(
      processes.every((child) => child.running),
      'no process was restarted',
    )
  })
}
