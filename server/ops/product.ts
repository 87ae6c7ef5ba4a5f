import { login, signup } from '@groundswell/contract/accounts.ts'
import { addConnection } from '@groundswell/contract/connections.ts'
import { startImport } from '@groundswell/contract/feedback.ts'
import type pg from 'pg'
import { ApiClient } from '../faults/api-client.ts'
import { Child } from '../faults/child.ts'
import type { Receiver } from '../faults/receiver.ts'
import { faultsOf, isSettled, progressOf } from '../faults/soundness.ts'
import { until } from '../faults/until.ts'
import type { Report } from './check.ts'
import { groundswell } from './command.ts'

const CALL_MS = 10_000
const PERSON = { email: 'ops@tallybrook.example', password: 'pull the cable again' }
const DEADLINE_MS = 300_000

/** Where the database is queried directly, as the superuser. */
type Query = <T extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<T[]>

type ProductOptions = {
  /** For all processes: the addresses of the database, for example. */
  env: Record<string, string>
  query: Query
  /** The address that API processes listen on, by default of this machine. */
  address?: string
  /** The port of the load balancer that calls go to; by default they go to the API process that was started last. */
  balancer?: number
}

/** How a process of the product is started. */
export type StartOptions = {
  /** The network namespace to run it in. */
  namespace?: string
  /** Settings that are different for this process. */
  env?: Record<string, string>
  /** The checkout of another version to run. */
  checkout?: string
  /** Flags for node. */
  flags?: string[]
  /** Open an IPC channel. */
  ipc?: boolean
}

/** An installation of the product in real processes over a database that the check provides. */
export class Product {
  readonly client: ApiClient
  /** Everything that was imported and acknowledged. */
  readonly texts: string[] = []
  readonly #report: Report
  readonly #options: ProductOptions
  readonly #children = new Set<Child>()
  #port = ''

  constructor(report: Report, options: ProductOptions) {
    this.#report = report
    this.#options = options
    this.client = new ApiClient(() => this.base, CALL_MS)
  }

  get base(): string {
    return `http://${this.#options.address ?? '127.0.0.1'}:${this.#options.balancer ?? this.#port}`
  }

  get query(): Query {
    return this.#options.query
  }

  /** Creates the tables, as the owner. */
  async migrate(options: Omit<StartOptions, 'env'> = {}): Promise<void> {
    const { code, output } = await groundswell(['migrate'], this.#options.env, undefined, options)
    if (code !== 0) throw new Error(`the database was not migrated: ${output}`)
  }

  /** Starts an API process. */
  async serve(options: StartOptions = {}): Promise<Child> {
    const child = this.#start('serve', options)
    // With PUBLIC_URL the process says that one.
    this.#port = (await child.says(/Groundswell is at \S*?(?::(\d+))? \(/))[1] ?? this.#options.env.PORT ?? ''
    return child
  }

  async work(options: StartOptions = {}): Promise<Child> {
    const child = this.#start('worker', options)
    await child.says(/worker is running/)
    return child
  }

  /** Creates an account and, if a receiver is given, connects it. */
  async furnish(receiver?: Receiver): Promise<void> {
    this.client.token = (await this.client.call(signup, { body: { ...PERSON, name: 'Ops' } })).token
    if (receiver)
      await this.client.call(addConnection, { params: { tile: 'webhook' }, body: { webhook: receiver.url } })
  }

  /** Signs in again: a token is valid for an hour. */
  async signIn(): Promise<void> {
    this.client.token = (await this.client.call(login, { body: PERSON })).token
  }

  /** A client with the same sign-in that calls another address. */
  clientAt(base: string): ApiClient {
    const client = new ApiClient(() => base, CALL_MS)
    client.token = this.client.token
    return client
  }

  /**
   * Imports rows; once that is acknowledged they count as imported. Returns the id of the import. `base`: the address to call instead of
   * the usual one.
   */
  async import(name: string, texts: readonly string[], base: string = this.base): Promise<string> {
    const raw = texts.map((text, index) => `${JSON.stringify({ id: `${name}-${index}`, text })}\n`).join('')
    const { id } = await this.clientAt(base).call(startImport, { query: { name: `${name}.jsonl` }, raw })
    this.texts.push(...texts)
    return id
  }

  /** Waits until everything is imported, grouped and pushed, and requires that nothing was lost or done twice. */
  async requireSound(receiver: Receiver): Promise<void> {
    await this.settle()
    const faults = await faultsOf(this, this.texts, receiver.arrivals)
    this.#report.require(
      faults.length === 0,
      `nothing is lost, done twice or left over of ${this.texts.length} acknowledged rows${faults.map((fault) => `\n    ${fault}`).join('')}`,
    )
  }

  async settle(): Promise<void> {
    await until('everything to be done', async () => isSettled(await progressOf(this)) || undefined, {
      deadlineMs: DEADLINE_MS,
      everyMs: 200,
      explain: async () =>
        `${JSON.stringify(await progressOf(this))}\n${[...this.#children].map((child) => child.tail).join('\n')}`,
    })
  }

  /** Processes that ended although the check did not end them. */
  fallen(): Child[] {
    return [...this.#children].filter((child) => !child.running)
  }

  /** Ends a process and returns how it ended and how long that took. */
  async end(child: Child, signal: NodeJS.Signals = 'SIGTERM'): Promise<{ code: number | null; ms: number }> {
    this.#children.delete(child)
    const started = performance.now()
    await child.end(signal)
    return { code: child.process.exitCode, ms: performance.now() - started }
  }

  #start(door: string, { env, ...where }: StartOptions): Child {
    const child = new Child(['server/cli.ts', door], {
      ...where,
      env: {
        HOST: this.#options.address ?? '127.0.0.1',
        PORT: '0',
        WEBHOOK_ALLOW: '127.0.0.1,10.77.0.254',
        GROUNDSWELL_KEY: '0f'.repeat(32),
        ...this.#options.env,
        ...env,
      },
    })
    this.#children.add(child)
    this.#report.onEnd(() => child.end('SIGKILL'))
    return child
  }
}
