import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Child } from '../faults/child.ts'
import { until } from '../faults/until.ts'
import { type Report, seconds } from './check.ts'
import type { Debian } from './debian.ts'
import { documented } from './documented.ts'
import type { Postgres } from './postgres.ts'
import { Product, type StartOptions } from './product.ts'
import { Program } from './program.ts'
import { look, statuses, Watch } from './watch.ts'

/** The ports of the two API processes in docs/deployment/haproxy.cfg. */
export const PORTS = [3001, 3002] as const
/** A port that the balancer serves. */
export type Port = (typeof PORTS)[number]

/** HAProxy checks a process every 2 s; it gets calls once one check succeeded. */
const CHECKED_MS = 3_000
const POLLERS = 4
const ROWS = 5

/** The product behind HAProxy, with the settings that docs/operations.md gives for several API processes. */
export function balancedProduct(report: Report, server: Postgres): Product {
  return new Product(report, {
    env: { ...server.addresses, SHUTDOWN_DELAY: '10', TRUST_PROXY: '127.0.0.1' },
    query: (text, values) => server.query(text, undefined, values),
    balancer: 8080,
  })
}

/** Starts HAProxy as docs/deployment configures it, and waits until it leads to an API process. */
export async function startBalancer(report: Report, debian: Debian, folder: string, product: Product): Promise<void> {
  const config = path.join(folder, 'haproxy.cfg')
  writeFileSync(config, documented('haproxy.cfg', {}, 'deployment'))
  const balancer = new Program(report, [debian.find('haproxy'), '-db', '-f', config], { env: debian.env })
  await balancer.ready(async () => ((await look(`${product.base}/api/health`)).status === 200 ? true : undefined))
}

/** The two API processes, which are replaced one at a time. */
export class Pair {
  readonly #report: Report
  readonly #product: Product
  readonly #processes = new Map<Port, Child>()

  constructor(report: Report, product: Product) {
    this.#report = report
    this.#product = product
  }

  async start(port: Port, options: StartOptions = {}): Promise<void> {
    this.#processes.set(port, await this.#product.serve({ ...options, env: { PORT: String(port), ...options.env } }))
  }

  /** Ends the process on a port, starts another one there, and waits until HAProxy leads to it. */
  async replace(port: Port, what: string): Promise<void> {
    const old = this.#processes.get(port)
    if (!old) throw new Error(`no process is on port ${port}`)
    const { code, ms } = await this.#product.end(old)
    this.#report.require(
      code === 0,
      `${what}: the process on port ${port} ends with exit code 0 (${code}, ${seconds(ms)})`,
    )
    await this.start(port)
    await until('the new process to be ready', async () => {
      return (await look(`http://127.0.0.1:${port}/api/health`)).status === 200 || undefined
    })
    await pause(CHECKED_MS)
  }
}

/** Polls the list of insights and imports small files, until it is stopped. A call that fails is not repeated. */
export class Load {
  readonly #name: string
  readonly #polls: Watch[]
  readonly #refused: string[] = []
  readonly #writer: Promise<void>
  #imports = 0
  #running = true

  /** `name`: part of every text. `base`: the address that calls go to, by default the balancer's. */
  constructor(product: Product, name: string, base: string = product.base) {
    this.#name = name
    const { token } = product.client
    this.#polls = Array.from({ length: POLLERS }, () => {
      let etag: string | null = null
      return new Watch(async () => {
        const answer = await look(`${base}/api/insights/get-all`, { token, etag })
        etag = answer.etag
        return answer
      }, 50)
    })
    this.#writer = (async () => {
      while (this.#running) {
        const file = `${name} ${++this.#imports}`
        const texts = Array.from({ length: ROWS }, (_, row) => `The export of report ${row} fails (${file}, ${row})`)
        await product.import(file, texts, base).catch((error: Error) => this.#refused.push(error.message))
        await pause(200)
      }
    })()
  }

  /** Ends the load, and requires that no call failed. */
  async stop(report: Report): Promise<void> {
    this.#running = false
    await this.#writer
    const looks = (await Promise.all(this.#polls.map((watch) => watch.stop()))).flat()
    report.figure(`${this.#name}: ${this.#imports} imports, polls ${JSON.stringify(statuses(looks))}`)
    const [first] = this.#refused
    report.require(first === undefined, `no import fails (${this.#refused.length}${first ? `: ${first}` : ''})`)
    const failed = looks.filter(({ status }) => status !== 200 && status !== 304)
    report.require(failed.length === 0, `no call fails (${failed.length} of ${looks.length})`)
  }
}
