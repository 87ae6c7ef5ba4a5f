import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CompiledQuery, sql } from 'kysely'
import pg from 'pg'
import { type Config, readConfig } from '../config/config.ts'
import { silentLog } from '../log/log.ts'
import { migrateQueue } from '../queue/schema.ts'
import { APP_ROLE, AUTH_ROLE, asAppRole, withDatabase } from './connection.ts'
import { connect, type Database } from './database.ts'
import { migrate } from './migrate.ts'
import { inWorkspace, withoutWorkspace } from './tenant.ts'
import { TEST_SERVER_VARIABLE, type TestServer } from './test-server.ts'

/** A database of a test's own: migrated, empty, and dropped by `cleanup`. */
export interface TestDatabase {
  /** Settings with this database, a temporary data folder, port 0, no log lines and cheap password hashes. */
  config: Config
  db: Database
  ownerUrl: string
  appUrl: string
  /** The address of the sign-in code: the owner's where that is the only one. */
  authUrl: string
  cleanup(): Promise<void>
}

/** An open connection to a database; its `end` closes it. */
export async function openConnection(connectionString: string, more: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, ...more })
  await client.connect()
  return client
}

const MIGRATIONS = join(import.meta.dirname, '..', '..', 'migrations')
/** A hash in 0.1 ms of CPU instead of 13. */
const MIN_COST = { memoryCost: 8, timeCost: 1, parallelism: 1 }
const TEMPLATE_LOCK = 7_236_410_916

/**
 * Creates a fresh database in about a tenth of a second: a copy of a template that is migrated once for each state of
 * the migration files. On the run's shared private server, or on the server that TEST_DATABASE_URL names; its pools go through the
 * pooler that TEST_POOL_URL names.
 */
export async function testDatabase(options: { migrations?: string } = {}): Promise<TestDatabase> {
  const server = findServer()
  const admin = withDatabase(server.ownerUrl, 'postgres')
  const template = await (options.migrations ? ensureTemplate(admin, options.migrations) : productTemplate(admin))
  const name = `groundswell_test_${process.pid}_${randomBytes(6).toString('hex')}`
  await asAdmin(admin, (client) => client.query(`create database ${name} template ${template} strategy file_copy`))
  const ownerUrl = withDatabase(server.ownerUrl, name)
  const appUrl = withDatabase(server.appUrl, name)
  const dataDir = await mkdtemp(join(tmpdir(), 'groundswell-test-data-'))
  const settings = { DATABASE_URL: ownerUrl, GROUNDSWELL_DATA: dataDir, PORT: '0', LOG_LEVEL: 'silent', ENCODER: 'off' }
  const config = { ...readConfig(settings), passwordCost: MIN_COST }
  const pooler = process.env.TEST_POOL_URL
  const poolUrl = pooler ? withDatabase(pooler, name) : appUrl
  const authUrl = withDatabase(pooler?.replace(APP_ROLE, AUTH_ROLE) ?? server.authUrl ?? server.ownerUrl, name)
  const db = connect({ ownerUrl, appUrl, poolUrl, authUrl, auth: 'login' }, silentLog(), { poolSize: 5 })
  return {
    config,
    db,
    ownerUrl,
    appUrl,
    authUrl,
    async cleanup() {
      await db.stop()
      await asAdmin(admin, (client) => client.query(`drop database if exists ${name} with (force)`))
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

function findServer(): TestServer {
  const external = process.env.TEST_DATABASE_URL
  if (external) return { ownerUrl: external, appUrl: asAppRole(external) }
  const shared = process.env[TEST_SERVER_VARIABLE]
  if (!shared) {
    throw new Error('the tests have no database server: vitest.config.ts must name server/platform/db/vitest-global.ts')
  }
  return JSON.parse(shared) as TestServer
}

/** By server: the template of the product's own migrations, which stay as they are while tests run. */
const templates = new Map<string, Promise<string>>()

function productTemplate(admin: string): Promise<string> {
  const template = templates.get(admin) ?? ensureTemplate(admin, MIGRATIONS)
  templates.set(admin, template)
  template.catch(() => templates.delete(admin))
  return template
}

/** Built under another name first: a template that a killed run left incomplete is not mistaken for a complete one. */
async function ensureTemplate(admin: string, folder: string): Promise<string> {
  const name = `groundswell_template_${await fingerprint(folder)}`
  await asAdmin(admin, async (client) => {
    if (await exists(client, name)) return
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK])
    if (await exists(client, name)) return
    const half = `${name}_half`
    await client.query(`drop database if exists ${half} with (force)`)
    await client.query(`create database ${half} template template0`)
    await migrate(withDatabase(admin, half), folder, { auth: 'login' })
    await migrateQueue(withDatabase(admin, half))
    await client.query(`alter database ${half} rename to ${name}`)
  })
  return name
}

/** Changes with every migration file, and with the code that creates the queue's tables. */
async function fingerprint(folder: string): Promise<string> {
  const hash = createHash('sha256')
  const names = (await readdir(folder, { recursive: true })).filter((name) => /\.(?:sql|json)$/.test(name))
  for (const name of names.sort()) hash.update(name).update(await readFile(join(folder, name)))
  for (const name of ['db/migrate.ts', 'db/function-files.ts', 'db/account-tables.ts', 'queue/schema.ts']) {
    hash.update(await readFile(join(import.meta.dirname, '..', name)))
  }
  return hash.digest('hex').slice(0, 16)
}

async function exists(client: pg.Client, name: string): Promise<boolean> {
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
  return rowCount === 1
}

async function asAdmin<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Runs a statement that the app's role must not run, as the owner of the test's database. */
export async function runAsOwner(ownerUrl: string, text: string): Promise<void> {
  await asAdmin(ownerUrl, (client) => client.query(text))
}

/** Runs a statement about accounts as the role of the sign-in code: the app's may not. */
export function queryAccounts<T extends pg.QueryResultRow = pg.QueryResult['rows'][number]>(
  db: Pick<Database, 'accounts'>,
  text: string,
  values: readonly unknown[] = [],
): Promise<{ rows: T[] }> {
  return withoutWorkspace(db.accounts, (tx) =>
    tx.executeQuery(CompiledQuery.raw(text, [...values]) as CompiledQuery<T>),
  )
}

/** A workspace of a test's own, with nothing in it. */
export async function testWorkspace(db: Database): Promise<string> {
  const workspaceId = randomUUID()
  await inWorkspace(db, workspaceId, (tx) =>
    sql`insert into workspace (workspace_id, name) values (${workspaceId}, 'test')`.execute(tx),
  )
  return workspaceId
}
