import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import type { Report } from './check.ts'
import type { Debian } from './debian.ts'
import { giveTo, Program, runProgram } from './program.ts'

/** PostgreSQL refuses to run as root; this user exists on every system. */
export const SERVER_USER = 'nobody'

const USERS = ['groundswell_app', 'groundswell_auth', 'groundswell_owner'] as const

type PostgresOptions = {
  /** Holds the data folder `data`, which is created unless it exists, and the socket. */
  folder: string
  port: number
  address?: string
  namespace?: string
  settings?: Record<string, string | number>
}

/** A PostgreSQL 15 from Debian with the three roles of docs/operations.md, which trusts everyone who reaches it. */
export class Postgres {
  readonly data: string
  readonly #report: Report
  readonly #debian: Debian
  readonly #options: PostgresOptions
  #program: Program | undefined

  constructor(report: Report, debian: Debian, options: PostgresOptions) {
    this.#report = report
    this.#debian = debian
    this.#options = options
    this.data = path.join(options.folder, 'data')
  }

  /** Creates a data folder with the roles and the database of the product. */
  static async create(report: Report, debian: Debian, options: PostgresOptions): Promise<Postgres> {
    mkdirSync(options.folder, { recursive: true, mode: 0o755 })
    giveTo(SERVER_USER, options.folder)
    const server = new Postgres(report, debian, options)
    const initdb = [debian.find('initdb'), '-D', server.data, '-U', 'admin', '-E', 'UTF8', '-A', 'trust', '--no-sync']
    runProgram(initdb, { env: debian.env, user: SERVER_USER })
    appendFileSync(path.join(server.data, 'pg_hba.conf'), 'host all all 0.0.0.0/0 trust\n')
    await server.start()
    for (const statement of PREPARE) await server.query(statement)
    return server
  }

  /** The address of the product's database for one of its users. */
  url(user: (typeof USERS)[number] | 'admin', database = 'groundswell'): string {
    const { address = '127.0.0.1', port } = this.#options
    return `postgresql://${user}@${address}:${port}/${database}`
  }

  /** The settings of the product for this server. */
  get addresses(): { DATABASE_URL: string; DATABASE_AUTH_URL: string; DATABASE_ADMIN_URL: string } {
    return {
      DATABASE_URL: this.url('groundswell_app'),
      DATABASE_AUTH_URL: this.url('groundswell_auth'),
      DATABASE_ADMIN_URL: this.url('groundswell_owner'),
    }
  }

  async start(): Promise<void> {
    const { folder, port, address = '127.0.0.1', namespace, settings } = this.#options
    const all = {
      listen_addresses: address,
      port,
      unix_socket_directories: folder,
      shared_buffers: '64MB',
      max_connections: 200,
      fsync: 'off',
      ...settings,
    }
    const program = new Program(
      this.#report,
      [
        this.#debian.find('postgres'),
        '-D',
        this.data,
        ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      { env: this.#debian.env, user: SERVER_USER, cwd: folder, ...(namespace === undefined ? {} : { namespace }) },
    )
    this.#program = program
    await program.ready(async () => (await this.query('select 1 as one', 'postgres')).length || undefined)
  }

  async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
    await this.#program?.stop(signal)
  }

  /** The id of the process whose children serve the connections. */
  get pid(): number {
    return Number.parseInt(readFileSync(path.join(this.data, 'postmaster.pid'), 'utf8'), 10)
  }

  get running(): boolean {
    return this.#program?.running ?? false
  }

  /** Runs a statement as the superuser. */
  async query<T extends pg.QueryResultRow>(text: string, database?: string, values?: unknown[]): Promise<T[]> {
    const maintenance = database ?? (PREPARE.includes(text) ? 'postgres' : 'groundswell')
    const client = new pg.Client({ connectionString: this.url('admin', maintenance), connectionTimeoutMillis: 3_000 })
    client.on('error', () => undefined)
    await client.connect()
    try {
      return (await client.query<T>(text, values)).rows
    } finally {
      await client.end().catch(() => undefined)
    }
  }
}

/** As an administrator does once: docs/operations.md, "Database roles". */
const PREPARE = [
  'create role groundswell_owner login',
  'create role groundswell_app login nosuperuser nobypassrls',
  'create role groundswell_auth login nosuperuser nobypassrls',
  'grant groundswell_app to groundswell_auth',
  `create database groundswell owner groundswell_owner template template0 encoding 'UTF8'`,
]
