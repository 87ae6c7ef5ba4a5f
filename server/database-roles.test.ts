import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi } from './api.ts'
import { boot } from './boot.ts'
import { writeBackup } from './features/backup/index.ts'
import { checkDatabase, checkSettings } from './features/checkup/index.ts'
import { type Config, readConfig } from './platform/config/config.ts'
import { withDatabase } from './platform/db/connection.ts'
import { inWorkspace } from './platform/db/tenant.ts'
import { openConnection, testDatabase } from './platform/db/testing.ts'
import { startWorker } from './worker.ts'

const id = randomBytes(4).toString('hex')
const OWNER = `roles_owner_${id}`
const DIRECT = `roles_direct_${id}`
const ALONE = `roles_alone_${id}`
/** Named like the leftovers of killed runs. */
const name = (suffix: string) => `groundswell_test_${process.pid}_${id}_${suffix}`

let superUrl: string
let dataDir: string
let cleanup: () => Promise<void>

beforeAll(async () => {
  const database = await testDatabase()
  cleanup = () => database.cleanup()
  superUrl = database.ownerUrl
  dataDir = await mkdtemp(path.join(tmpdir(), 'groundswell-roles-'))
  for (const role of [OWNER, DIRECT, ALONE]) await asSuper(`create role ${role} login nosuperuser nobypassrls`)
  for (const role of [DIRECT, ALONE]) await asSuper(`grant groundswell_app to ${role}`)
  await asSuper(`create database ${name('apart')} owner ${OWNER} template template0`)
  await asSuper(`create database ${name('alone')} owner ${ALONE} template template0`)
})
afterAll(async () => {
  for (const suffix of ['apart', 'alone']) await asSuper(`drop database if exists ${name(suffix)} with (force)`)
  for (const role of [OWNER, DIRECT, ALONE]) await asSuper(`drop role if exists ${role}`)
  await rm(dataDir, { recursive: true, force: true })
  await cleanup()
})

async function run(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = await openConnection(url)
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

const asSuper = (statement: string) => run(superUrl, statement)

/** The server's address for another user. The test server requires no passwords. */
function address(role: string, suffix: string): string {
  return withDatabase(superUrl, name(suffix)).replace(/:\/\/[^@]*@/, `://${role}@`)
}

const configOf = (urls: Partial<Config>): Config => ({
  ...readConfig({ GROUNDSWELL_DATA: dataDir, PORT: '0', LOG_LEVEL: 'silent', AUTH_RATE_LIMITS: 'off' }),
  ...urls,
})

const app = () => address('groundswell_app', 'apart')
const owner = () => address(OWNER, 'apart')

describe.skipIf(process.env.TEST_DATABASE_URL)('the app signs in as its own role', () => {
  const tables = () => run(owner(), `select relname from pg_class where relnamespace = 'public'::regnamespace`)

  it('and reports that the owner has to create the tables, changing nothing', async () => {
    await expect(boot(configOf({ databaseUrl: app() }))).rejects.toThrow(
      /groundswell_app.*\n.*groundswell migrate.*DATABASE_ADMIN_URL/,
    )
    expect(await tables()).toEqual([])
  })

  it('which the owner does, who need not be a member of it', async () => {
    const booted = await boot(configOf({ databaseUrl: app(), databaseAdminUrl: owner() }))
    await booted.stop()
    const owners = await run(
      owner(),
      `select distinct tableowner as name from pg_tables where schemaname in ('public', 'queue')`,
    )
    expect(owners).toEqual([{ name: OWNER }])
  })

  it('and then needs no owner: calls, jobs and LISTEN go, each over the address that is meant for it', async () => {
    const config = configOf({ databaseUrl: app(), databaseDirectUrl: address(DIRECT, 'apart') })
    const { services, stop } = await boot(config)
    const api = await startApi(services)
    await startWorker(services)
    const ask = async (method: string, where: string, body?: string, token?: string) => {
      const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) }
      const answer = await fetch(`${api.url}${where}`, { method, headers, ...(body === undefined ? {} : { body }) })
      expect([where, answer.status]).toEqual([where, 200])
      return answer.json() as Promise<Record<string, string>>
    }
    const account = { email: 'ann@example.com', name: 'Ann', password: 'seven large lanterns' }
    const { token } = await ask('POST', '/api/auth/signup', JSON.stringify(account))
    const rows = 'text\nThe export of invoices fails\nThe export of invoices fails again\n'
    const { id: imported } = await ask('POST', '/api/imports?name=a.csv', rows, token)
    await expect.poll(async () => (await ask('GET', `/api/imports/${imported}`, undefined, token)).state).toBe('done')
    await ask('GET', '/api/insights/get-all', undefined, token)
    const sessions = await asSuper(`select distinct usename as user, application_name as name from pg_stat_activity
      where datname = '${name('apart')}' and usename <> '${OWNER}' order by 2`)
    expect(sessions).toEqual([
      { user: 'groundswell_app', name: 'groundswell' },
      { user: DIRECT, name: 'groundswell listen' },
      { user: DIRECT, name: 'groundswell queue' },
    ])
    expect(await checkDatabase(services.db)).not.toContainEqual(expect.objectContaining({ state: 'problem' }))
    await api.close()
    await stop({ graceSeconds: 1 })
  })

  it('and finds the workspaces with due work although row-level security also holds for the owner', async () => {
    const { services, stop } = await boot(configOf({ databaseUrl: app() }))
    const [{ id } = {}] = (await services.db.pool.query<{ id: string }>('select all_workspace_ids() as id')).rows
    await inWorkspace(services.db, String(id), async (tx) => {
      await sql`update feedback_item set grouped_seq = null`.execute(tx)
      await sql`delete from sweep_mark`.execute(tx)
    })
    for (const due of ['workspaces_to_group()', `workspaces_changed_since_sweep('any', '', now())`]) {
      const { rows } = await services.db.pool.query(`select ${due} as id`)
      expect(rows).toEqual([{ id }])
    }
    await stop({ graceSeconds: 1 })
  })

  it('but refuses to start when a migration is pending, of the tables or of the queue', async () => {
    const start = () => boot(configOf({ databaseUrl: app() }))
    await run(owner(), 'create table kept as select * from migration order by version desc limit 1')
    const [last] = await run(owner(), 'delete from migration where version = (select version from kept) returning name')
    await expect(start()).rejects.toThrow(`The database lacks ${String(last?.name)}`)
    await run(owner(), 'insert into migration select * from kept')
    await run(owner(), 'drop table kept')
    await run(owner(), 'update queue.version set version = version - 1')
    await expect(start()).rejects.toThrow('The queue is not up to date')
    await run(owner(), 'update queue.version set version = version + 1')
    await (await start()).stop()
  })

  it('and can write no backup, which would miss what it may not see; the owner can', async () => {
    const lines = async (url: string) => {
      const all: string[] = []
      for await (const line of writeBackup(url, { key: null, now: new Date() })) all.push(line)
      return all
    }
    await expect(lines(app())).rejects.toThrow('set DATABASE_ADMIN_URL')
    expect((await lines(owner())).filter((line) => line.startsWith('{"feedback_item"'))).toHaveLength(2)
  })
})

describe.skipIf(process.env.TEST_DATABASE_URL)('one address for everything', () => {
  it('migrates as its user and works as the role of the app', async () => {
    const { services, stop } = await boot(configOf({ databaseUrl: address(ALONE, 'alone') }))
    const { rows } = await services.db.pool.query('select current_user::text as role, session_user::text as user')
    expect(rows).toEqual([{ role: 'groundswell_app', user: ALONE }])
    await stop()
  })

  it('is noticed by doctor, which knows what is missing', () => {
    const notices = (urls: Partial<Config>) =>
      checkSettings(configOf(urls), { built: true })
        .map(({ what }) => what)
        .filter((what) => what.includes('DATABASE_'))
    expect(notices({})).toEqual([])
    const [one, two, three] = [address(ALONE, 'alone'), app(), owner()]
    expect(notices({ databaseUrl: one })).toEqual([
      'DATABASE_ADMIN_URL is not set: the app signs in with the rights of the owner of the tables.',
      'DATABASE_AUTH_URL is not set: accounts and sign-ins are read with the same sign-in as all other data.',
      'DATABASE_DIRECT_URL is not set: LISTEN and jobs use DATABASE_URL.',
    ])
    expect(notices({ databaseUrl: two, databaseDirectUrl: two })).toEqual([
      'DATABASE_ADMIN_URL is not set: this process can run neither migrations nor backups.',
      'DATABASE_AUTH_URL is not set: accounts and sign-ins are read with the same sign-in as all other data.',
    ])
    const all = { databaseUrl: two, databaseDirectUrl: two, databaseAdminUrl: three }
    expect(notices({ ...all, databaseAuthUrl: address('groundswell_auth', 'apart') })).toEqual([])
  })
})
