import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { until } from '../faults/until.ts'
import type { Report } from './check.ts'
import type { Debian } from './debian.ts'
import { documented } from './documented.ts'
import { Network } from './network.ts'
import { SERVER_USER } from './postgres.ts'
import { giveTo, Program } from './program.ts'

/** The machines that may be the primary, and the third one, with the product and HAProxy. */
export const DATABASES = ['db1', 'db2'] as const
/** A machine of the database cluster. */
export type DatabaseMachine = (typeof DATABASES)[number]
const APP = 'app'

const PASSWORDS = {
  postgres: 'replace-me-superuser',
  groundswell_owner: 'owner',
  groundswell_app: 'app',
  groundswell_auth: 'auth',
}
type User = keyof typeof PASSWORDS

/** What Patroni's REST interface reports of a machine. */
type Member = { name: string; role: string }

/** Two database machines under Patroni with etcd and HAProxy, as docs/operations.md configures them, in a network of three machines. */
export class Cluster {
  readonly network: Network
  readonly #report: Report
  readonly #debian: Debian
  readonly #folder: string
  readonly #patronis = new Map<DatabaseMachine, Program>()

  constructor(report: Report, debian: Debian, folder: string) {
    this.#report = report
    this.#debian = debian
    this.#folder = folder
    this.network = new Network(report, [...DATABASES, APP])
    // PostgreSQL outlives a Patroni that was killed.
    const killServers = () => {
      for (const machine of DATABASES) this.signal(machine, 'SIGKILL')
    }
    report.onEnd(killServers)
    report.killAtExit(killServers)
  }

  get app(): string {
    return this.network.namespaceOf(APP)
  }

  /** The settings of the product. Calls and jobs reach the primary through HAProxy. */
  get addresses(): Record<string, string> {
    const at = (user: User) => `postgresql://${user}:${PASSWORDS[user]}@127.0.0.1:5000/groundswell`
    return {
      DATABASE_URL: at('groundswell_app'),
      DATABASE_AUTH_URL: at('groundswell_auth'),
      DATABASE_ADMIN_URL: at('groundswell_owner'),
    }
  }

  /** Starts everything, and creates the roles and the database of the product. */
  async start(): Promise<void> {
    for (const machine of [...DATABASES, APP]) this.#startEtcd(machine)
    for (const machine of DATABASES) {
      this.startPatroni(machine)
      // The first one creates the cluster.
      await until(`${machine} to run`, async () => ((await this.isPrimary(machine)) === null ? undefined : true), {
        deadlineMs: 120_000,
        explain: () => this.#patronis.get(machine)?.tail ?? '',
      })
    }
    await this.healthy()
    const primary = await this.primary()
    for (const user of ['groundswell_owner', 'groundswell_app', 'groundswell_auth'] as const)
      await this.query(primary, `create role ${user} login password '${PASSWORDS[user]}'`, 'postgres')
    for (const statement of [
      'grant groundswell_app to groundswell_auth',
      `create database groundswell owner groundswell_owner template template0 encoding 'UTF8'`,
    ])
      await this.query(primary, statement, 'postgres')
    const config = this.#write('haproxy.cfg', documented('haproxy.cfg'))
    new Program(this.#report, [this.#debian.find('haproxy'), '-db', '-f', config], {
      env: this.#debian.env,
      namespace: this.app,
    })
  }

  startPatroni(machine: DatabaseMachine): void {
    const folder = this.#folderOf(machine)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    giveTo(SERVER_USER, folder)
    const text = ownAddresses(
      documented('patroni.yml', {
        '/var/lib/postgresql/15/groundswell': `${folder}/data`,
        '/usr/lib/postgresql/15/bin': path.dirname(this.#debian.find('postgres')),
        '/var/lib/postgresql/.pgpass_patroni': `${folder}/pgpass`,
        '/var/run/postgresql': folder,
        'mode: automatic': 'mode: off',
      }),
      machine,
      this.network.addressOf(machine),
    )
    const config = this.#write(`patroni-${machine}.yml`, text)
    giveTo(SERVER_USER, config)
    const command = [this.#debian.find('patroni'), config]
    const options = {
      env: this.#debian.env,
      user: SERVER_USER,
      cwd: folder,
      namespace: this.network.namespaceOf(machine),
    }
    this.#patronis.set(machine, new Program(this.#report, command, options))
  }

  /** True where this machine accepts writes, false on a standby, null when it does not answer. */
  async isPrimary(machine: DatabaseMachine): Promise<boolean | null> {
    try {
      const [row] = await this.query<{ standby: boolean }>(machine, 'select pg_is_in_recovery() as standby', 'postgres')
      return row ? !row.standby : null
    } catch {
      return null
    }
  }

  async primary(): Promise<DatabaseMachine> {
    return until(
      'a primary',
      async () => {
        for (const machine of DATABASES) if (await this.isPrimary(machine)) return machine
        return undefined
      },
      { explain: () => this.tails() },
    )
  }

  /** Waits until one machine is the primary and the other one its synchronous standby, as both PostgreSQL and Patroni see it. */
  async healthy(): Promise<void> {
    await until(
      'a synchronous standby',
      async () => {
        const primary = await this.primary()
        const other = DATABASES.find((machine) => machine !== primary) ?? primary
        if ((await this.isPrimary(other)) !== false) return undefined
        const [row] = await this.query<{ n: number }>(
          primary,
          `select count(*)::int as n from pg_stat_replication where state = 'streaming' and sync_state = 'sync'`,
          'postgres',
        )
        const standby = (await this.#members(primary)).find(({ role }) => role === 'sync_standby')
        return (row?.n === 1 && standby?.name === other) || undefined
      },
      { deadlineMs: 240_000, everyMs: 500, explain: () => this.tails() },
    )
  }

  /** Plans a switchover to the other machine, as `patronictl switchover` does. */
  async switchOver(from: DatabaseMachine): Promise<void> {
    const candidate = DATABASES.find((machine) => machine !== from)
    const response = await fetch(`http://${this.network.addressOf(from)}:8008/switchover`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ leader: from, candidate }),
      signal: AbortSignal.timeout(60_000),
    })
    if (!response.ok) throw new Error(`the switchover failed: ${await response.text()}`)
  }

  /** Sends a signal to Patroni and every PostgreSQL process of a machine, as when the machine stops. */
  signal(machine: DatabaseMachine, name: NodeJS.Signals): void {
    const patroni = this.#patronis.get(machine)
    const pids = [...descendantsOf(this.#postmaster(machine)), ...descendantsOf(patroni?.pid ?? 0)]
    for (const pid of new Set(pids)) {
      try {
        process.kill(pid, name)
      } catch {
        // It has ended.
      }
    }
  }

  /** Runs a statement on one machine, whichever role it has. */
  async query<T extends pg.QueryResultRow>(
    machine: DatabaseMachine,
    text: string,
    database = 'groundswell',
    values?: unknown[],
  ): Promise<T[]> {
    const host = this.network.addressOf(machine)
    const client = new pg.Client({
      connectionString: `postgresql://postgres:${PASSWORDS.postgres}@${host}:5432/${database}`,
      connectionTimeoutMillis: 2_000,
      query_timeout: 3_000,
    })
    client.on('error', () => undefined)
    try {
      await client.connect()
      return (await client.query<T>(text, values)).rows
    } finally {
      client.end().catch(() => undefined)
    }
  }

  /** Runs a statement on the primary, once there is one. */
  async queryPrimary<T extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<T[]> {
    return until('the primary to answer', async () => this.query<T>(await this.primary(), text, undefined, values))
  }

  tails(): string {
    return [...this.#patronis.values()].map((patroni) => patroni.tail).join('\n')
  }

  async #members(primary: DatabaseMachine): Promise<Member[]> {
    const response = await fetch(`http://${this.network.addressOf(primary)}:8008/cluster`, {
      signal: AbortSignal.timeout(3_000),
    })
    return ((await response.json()) as { members: Member[] }).members
  }

  #startEtcd(machine: string): void {
    const data = path.join(this.#folder, `etcd-${machine}`)
    const text = documented('etcd.yml', { '/var/lib/etcd/groundswell': data })
    const [own = '', shared = ''] = text.split('\ninitial-cluster:')
    const config = this.#write(
      `etcd-${machine}.yml`,
      `${ownAddresses(own, machine, this.network.addressOf(machine))}\ninitial-cluster:${shared}`,
    )
    new Program(this.#report, [this.#debian.find('etcd'), `--config-file=${config}`], {
      env: this.#debian.env,
      namespace: this.network.namespaceOf(machine),
    })
  }

  #postmaster(machine: DatabaseMachine): number {
    try {
      return Number(readFileSync(path.join(this.#folderOf(machine), 'data/postmaster.pid'), 'utf8').split('\n')[0])
    } catch {
      return 0
    }
  }

  #folderOf(machine: string): string {
    return path.join(this.#folder, machine)
  }

  #write(name: string, text: string): string {
    const file = path.join(this.#folder, name)
    writeFileSync(file, text, { mode: 0o600 })
    return file
  }
}

/** The configuration of the first machine as that of another one: its name, and the addresses that it listens on and reports. */
function ownAddresses(text: string, machine: string, address: string): string {
  return text
    .replace(/^name: .*$/m, `name: ${machine}`)
    .replace(/^(.*(?:listen|connect_address|advertise)[^:]*: *(?:http:\/\/)?)10\.77\.0\.1:/gm, `$1${address}:`)
}

/** A process and everything that it started, as far as that runs. */
function descendantsOf(root: number): number[] {
  if (root === 0) return []
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
    } catch {
      // It has ended.
    }
  }
  const found = parents.has(root) ? [root] : []
  for (const pid of found) found.push(...[...parents].filter(([, parent]) => parent === pid).map(([child]) => child))
  return found
}
