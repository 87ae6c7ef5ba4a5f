import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { signup } from '@groundswell/contract/accounts.ts'
import { addConnection } from '@groundswell/contract/connections.ts'
import pg from 'pg'
import { readPidFile } from '../platform/db/embedded/folder.ts'
import { OWNER } from '../platform/db/embedded/initdb.ts'
import { alive, waitUntilGone } from '../platform/db/embedded/process.ts'
import { errorCode } from '../platform/db/retry.ts'
import { ApiClient } from './api-client.ts'
import { Child } from './child.ts'
import { GivenUp, until } from './until.ts'

/** `measured` is the product in one process, like `all-in-one`, that reports its resource use. */
export type Door = 'all-in-one' | 'serve' | 'worker' | 'measured'

const doors: Record<Door, { script: string[]; ready: RegExp; ipc?: boolean }> = {
  'all-in-one': { script: ['server/all-in-one.ts'], ready: /Groundswell is at \S+:(\d+)\s[^]*Ctrl-C/ },
  serve: { script: ['server/cli.ts', 'serve'], ready: /Groundswell is at \S+:(\d+) / },
  worker: { script: ['server/cli.ts', 'worker'], ready: /worker is running/ },
  measured: { script: ['server/faults/measured.ts'], ready: /Groundswell is at \S+:(\d+) /, ipc: true },
}

const STOP_MS = 30_000

/** An installation of the product in real processes over one throw-away data folder with its own PostgreSQL. */
export class Stack {
  readonly folder: string
  readonly client: ApiClient
  readonly #env: Record<string, string>
  readonly #running: { door: Door; child: Child }[] = []
  #port = ''

  private constructor(folder: string, env: Record<string, string>) {
    this.folder = folder
    this.#env = env
    this.client = new ApiClient(() => `http://127.0.0.1:${this.#port}`)
  }

  /** Starts the processes, one after the other, on a fresh folder. `env`: additional settings for every process. */
  static async start(names: readonly Door[], flags: string[] = [], env: Record<string, string> = {}): Promise<Stack> {
    const stack = new Stack(await mkdtemp(path.join(tmpdir(), 'groundswell-faults-')), env)
    try {
      for (const door of names) await stack.open(door, flags)
      return stack
    } catch (error) {
      await stack.stop()
      throw error
    }
  }

  /** Creates an account and, if a URL is given, connects a webhook, as a person would. */
  async furnish(hookUrl?: string): Promise<void> {
    const person = { email: 'faults@tallybrook.example', password: 'kill -9 is not a plan', name: 'Faults' }
    this.client.token = (await this.client.call(signup, { body: person })).token
    if (hookUrl) await this.client.call(addConnection, { params: { tile: 'webhook' }, body: { webhook: hookUrl } })
  }

  /** Starts one more process, with flags for node, and waits until it reports that it is ready. */
  async open(door: Door, flags: string[] = []): Promise<Child> {
    const { script, ready, ipc } = doors[door]
    const child = new Child(script, {
      flags,
      ipc,
      env: {
        GROUNDSWELL_DATA: path.join(this.folder, 'data'),
        HOST: '127.0.0.1',
        PORT: '0',
        WEBHOOK_ALLOW: '127.0.0.1',
        LOG_LEVEL: 'info',
        ...this.#env,
      },
    })
    this.#running.push({ door, child })
    const printed = await child.says(ready)
    if (door !== 'worker') this.#port = printed[1] ?? ''
    return child
  }

  /** The running processes of one kind, oldest first. */
  children(door: Door): Child[] {
    return this.#running.filter((one) => one.door === door).map((one) => one.child)
  }

  /** `kill -9` of one process; it is not restarted. */
  async kill(child: Child): Promise<void> {
    const at = this.#running.findIndex((one) => one.child === child)
    if (at >= 0) this.#running.splice(at, 1)
    await child.end('SIGKILL')
  }

  /** Processes that ended although the test did not kill them. */
  fallen(): Child[] {
    return this.#running.map((one) => one.child).filter((child) => !child.running)
  }

  /** The process of the database itself; null while there is none. */
  async postmaster(): Promise<number | null> {
    const file = await readPidFile(this.#pgData)
    return file && alive(file.pid) ? file.pid : null
  }

  /** A direct connection to the database, as its superuser; the caller ends it. Throws while the database is not ready. */
  async connect(): Promise<pg.Client> {
    const file = await readPidFile(this.#pgData)
    if (file?.status !== 'ready') throw new Error('the database is not ready')
    const host = encodeURIComponent(file.socketFolder)
    const client = new pg.Client({ connectionString: `postgresql://${OWNER}@localhost/groundswell?host=${host}` })
    client.on('error', () => undefined)
    await client.connect()
    return client
  }

  /** Queries the database directly; waits while it is not there. */
  async query<T extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<T[]> {
    return until('the database to answer', async () => {
      const client = await this.connect()
      try {
        const { rows } = await client.query<T>(text, values)
        return rows
      } catch (error) {
        // A wrong statement stays wrong; any other error means a database that is stopping or starting.
        if (errorCode(error)?.startsWith('42')) throw new GivenUp(`${(error as Error).message} in: ${text}`)
        throw error
      } finally {
        await client.end().catch(() => undefined)
      }
    })
  }

  /** The end of every process's output. */
  said(): string {
    return this.#running.map((one) => one.child.tail).join('\n')
  }

  /** Stops all processes in order and removes the folder, whatever state they are in. */
  async stop(): Promise<void> {
    await Promise.all(this.#running.map(({ child }) => endSoon(child)))
    const pid = await this.postmaster()
    if (pid !== null) {
      process.kill(pid, 'SIGQUIT')
      await waitUntilGone(pid, STOP_MS)
    }
    await rm(this.folder, { recursive: true, force: true })
  }

  get #pgData(): string {
    return path.join(this.folder, 'data', 'postgres', 'data')
  }
}

async function endSoon(child: Child): Promise<void> {
  const late = setTimeout(() => child.process.kill('SIGKILL'), STOP_MS)
  await child.end('SIGTERM')
  clearTimeout(late)
}
