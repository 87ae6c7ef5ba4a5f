import { rmdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../../log/log.ts'
import { APP_ROLE, AUTH_ROLE } from '../connection.ts'
import { errorCode } from '../retry.ts'
import { type Binaries, findBinaries } from './binaries.ts'
import { EmbeddedError } from './failure.ts'
import { type Places, preparePlaces, readPidFile } from './folder.ts'
import { ensureCluster, OWNER } from './initdb.ts'
import { NotReady, startPostmaster, stopPostmaster } from './postmaster.ts'
import { alive, servesFolder } from './process.ts'
import { chooseRunAs, type RunAs } from './run-as.ts'
import { type CallOff, startWatchdog } from './watchdog.ts'

/** A private server in use by this process. */
export interface EmbeddedServer {
  /** The address to own and migrate with. */
  ownerUrl: string
  /** The address to work with, as the app's role. */
  appUrl: string
  /** The address of the code that signs people in. */
  authUrl: string
  /** The server's process; another one after a crash. */
  readonly pid: number
  /** Releases the server; the last process to do so stops it. */
  stop(): Promise<void>
}

interface EmbeddedOptions {
  /** The folder below which the server keeps its files, in `postgres/`. */
  dataDir: string
  log: Log
  /** Stop the server too when this process is killed, even if others use it: for data that ends with the process. */
  stopWithParent?: boolean
  /** True: a power cut may destroy the data, and everything is faster in return. For tests. */
  mayLoseData?: boolean
}

const DATABASE = 'groundswell'
/** Held shared by every process that uses the server; a process that can hold it exclusively is the last one. */
const IN_USE_LOCK = 7_236_410_914
const TIMEOUT_MS = 150_000
/** How long a running server may be unreachable, for example because its socket was deleted, before it is replaced. */
const UNREACHABLE_MS = 3_000

/**
 * Uses the private server of a data folder, starting it if it does not run. The rule of ownership: each process that uses
 * it holds a shared lock inside it over one connection, which the system drops when the process ends in any way; a process
 * that stops and finds no other holder stops the server. So processes come and go in any order, the server of a killed one
 * is adopted by the next start, and a server that dies while a process uses it is started again.
 * Throws EmbeddedError with the reason.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const places = await preparePlaces(options.dataDir)
  const runAs = await chooseRunAs(places.pgData)
  const supervisor = new Supervisor(places, runAs, options)
  await supervisor.ensureRunning()
  return supervisor
}

class Supervisor implements EmbeddedServer {
  readonly #places: Places
  readonly #runAs: RunAs
  readonly #options: EmbeddedOptions
  #binaries: Binaries | undefined
  #hold: pg.Client | undefined
  #socketFolder = ''
  #pid = 0
  #callOff: CallOff | undefined
  #recovering: Promise<void> | undefined
  #stopping: Promise<void> | undefined

  constructor(places: Places, runAs: RunAs, options: EmbeddedOptions) {
    this.#places = places
    this.#runAs = runAs
    this.#options = options
  }

  get pid(): number {
    return this.#pid
  }

  get ownerUrl(): string {
    return address(OWNER, DATABASE, this.#socketFolder)
  }

  get appUrl(): string {
    return address(APP_ROLE, DATABASE, this.#socketFolder)
  }

  get authUrl(): string {
    return address(AUTH_ROLE, DATABASE, this.#socketFolder)
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  /** Adopts the running server or starts one, until this process holds the lock in it. */
  async ensureRunning(): Promise<void> {
    const deadline = Date.now() + TIMEOUT_MS
    let silentSince: number | undefined
    for (let pause = 5; ; pause = Math.min(250, pause * 2)) {
      const file = await readPidFile(this.#places.pgData)
      const running = file !== null && alive(file.pid) && (await servesFolder(file.pid, this.#places.pgData)) !== 'no'
      if (!running) await this.#tryStart()
      else if (file.status === 'ready') {
        const outcome = await this.#tryHold(file.pid, file.socketFolder)
        if (outcome === 'held') return
        silentSince = outcome === 'silent' ? (silentSince ?? Date.now()) : undefined
        if (silentSince !== undefined && Date.now() - silentSince > UNREACHABLE_MS) await this.#replace(file.pid)
      }
      if (Date.now() > deadline) throw new EmbeddedError('it runs, but takes no connections. Its log is server.log.')
      await sleep(pause)
    }
  }

  async #tryStart(): Promise<void> {
    this.#binaries ??= await findBinaries(this.#runAs, this.#places.root)
    await ensureCluster(this.#places, this.#binaries, this.#runAs)
    try {
      const pid = await startPostmaster(this.#places, this.#binaries, this.#runAs, this.#options.mayLoseData)
      this.#options.log.debug({ pid }, 'the private database started')
    } catch (error) {
      if (!(error instanceof NotReady)) throw error
    }
  }

  /** A server of ours that runs but is unreachable, for example because its socket was deleted. */
  async #replace(pid: number): Promise<void> {
    this.#options.log.warn({ pid }, 'the private database runs but does not answer: replacing it')
    await stopPostmaster(pid)
  }

  /** `held`: this process now counts as a user of the server; `busy`: it is starting or stopping; `silent`: no reply. */
  async #tryHold(pid: number, socketFolder: string): Promise<'held' | 'busy' | 'silent'> {
    const client = new pg.Client({
      connectionString: address(OWNER, DATABASE, socketFolder),
      application_name: 'groundswell hold',
      connectionTimeoutMillis: 10_000,
    })
    client.on('error', () => undefined)
    try {
      await client.connect()
      const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock_shared($1) as held', [
        IN_USE_LOCK,
      ])
      if (!rows[0]?.held) {
        await client.end()
        return 'busy'
      }
    } catch (error) {
      await client.end().catch(() => undefined)
      const code = errorCode(error) ?? ''
      if (code === '3D000') await createDatabase(socketFolder)
      return code === 'ENOENT' || code === 'ECONNREFUSED' ? 'silent' : 'busy'
    }
    this.#hold = client
    this.#pid = pid
    this.#socketFolder = socketFolder
    this.#callOff?.()
    this.#callOff = this.#options.stopWithParent ? startWatchdog(pid, this.#places.pgData, socketFolder) : undefined
    client.once('end', () => this.#lost(client))
    return 'held'
  }

  #lost(client: pg.Client): void {
    if (this.#hold !== client || this.#stopping) return
    this.#hold = undefined
    this.#options.log.warn({ pid: this.#pid }, 'the private database stopped: starting it again')
    this.#recovering = this.#recover()
  }

  /** Retries for as long as needed: the cause may be temporary, such as a full disk, and without a database this process is useless. */
  async #recover(): Promise<void> {
    for (let pause = 100; !this.#stopping; pause = Math.min(10_000, pause * 2)) {
      try {
        await this.ensureRunning()
        this.#options.log.info({ pid: this.#pid }, 'the private database is back')
        return
      } catch (error) {
        this.#options.log.error({ err: (error as Error).message }, 'the private database could not be started')
        await sleep(pause)
      }
    }
  }

  async #stop(): Promise<void> {
    await this.#recovering
    const client = this.#hold
    this.#hold = undefined
    this.#callOff?.()
    if (!client) return
    if (await isLast(client)) {
      await stopPostmaster(this.#pid)
      // Ours even when it is outside of the data folder; not empty when another process has just started a server.
      await rmdir(this.#socketFolder).catch(() => undefined)
    }
    await client.end().catch(() => undefined)
  }
}

/** How many times the lock is tried, 100 ms apart: the server takes a moment to notice that a user was killed. */
const MAX_CHECKS = 6

/** Gives up the shared lock and tries to take it exclusively. A server that has stopped has no users. */
async function isLast(client: pg.Client): Promise<boolean> {
  try {
    await client.query('select pg_advisory_unlock_shared($1)', [IN_USE_LOCK])
    for (let look = 1; look <= MAX_CHECKS; look++) {
      const { rows } = await client.query<{ last: boolean }>('select pg_try_advisory_lock($1) as last', [IN_USE_LOCK])
      if (rows[0]?.last === true) return true
      if (look < MAX_CHECKS) await sleep(100)
    }
    return false
  } catch {
    return false
  }
}

/** Creates what initdb leaves out. Another process may do the same at once, which is no error. */
async function createDatabase(socketFolder: string): Promise<void> {
  const client = new pg.Client({ connectionString: address(OWNER, 'postgres', socketFolder) })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const statements = [
      `create role ${APP_ROLE} login nosuperuser nobypassrls nocreatedb nocreaterole`,
      `create database ${DATABASE} template template0`,
    ]
    for (const statement of statements) {
      await client.query(statement).catch((error: unknown) => {
        if (!['42710', '42P04', '23505'].includes(errorCode(error) ?? '')) throw error
      })
    }
  } finally {
    await client.end()
  }
}

function address(user: string, database: string, socketFolder: string): string {
  return `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(socketFolder)}`
}
