import { randomBytes } from 'node:crypto'
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { CompiledQuery } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi } from './api.ts'
import { boot } from './boot.ts'
import { restoreBackup } from './features/backup/index.ts'
import { checkDatabase } from './features/checkup/index.ts'
import { type Config, readConfig } from './platform/config/config.ts'
import { withDatabase } from './platform/db/connection.ts'
import { inWorkspace, withoutWorkspace } from './platform/db/tenant.ts'
import { openConnection, testDatabase } from './platform/db/testing.ts'
import { duringTests } from './platform/testing.ts'
import { accountTables, tableOwners, withoutRowSecurity } from './tables.ts'
import { TeamWorld } from './testing.ts'
import { candidateBackup, withNextMigration } from './upgrade/candidate.ts'

const database = duringTests(() => testDatabase())

async function run<T extends pg.QueryResultRow>(url: string, statement: string, values: unknown[] = []): Promise<T[]> {
  const client = await openConnection(url)
  try {
    return (await client.query<T>(statement, values)).rows
  } finally {
    await client.end()
  }
}

/** What a role may do with a table or any column of it. */
const RIGHTS = `
  select relname as name, array_remove(array_agg(distinct case when has_table_privilege($1, c.oid, p) then p
    when p in ('select', 'insert', 'update') and has_any_column_privilege($1, c.oid, p) then p || ' of columns' end), null) as rights
  from pg_class c, unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) p
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname = any($2) group by 1 order by 1`

const rightsOf = (role: string) =>
  run<{ name: string; rights: string[] }>(database.ownerUrl, RIGHTS, [role, accountTables])

describe('the catalogue', () => {
  it('has row-level security on every table but those with a reason', async () => {
    const rows = await run<{ name: string }>(
      database.ownerUrl,
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
         and not (relrowsecurity and relforcerowsecurity) order by 1`,
    )
    const names = rows.map(({ name }) => name)
    expect(names).toEqual(Object.keys(withoutRowSecurity).sort())
    const text = await readFile(path.join(import.meta.dirname, '..', 'docs', 'security.md'), 'utf8')
    const [, section = ''] = text.split('## Tables without row-level security')
    const listed = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| `(\w+)` +\| (server\/[\w/]+) /gm)]
    expect(listed.map(([, name, owner]) => `${name} ${owner}`).sort()).toEqual(
      names.map((name) => `${name} ${tableOwners[name]}`),
    )
  })

  it('gives the app no right to any table of accounts, nor a way to the role that has them', async () => {
    expect(await rightsOf('groundswell_app')).toEqual(accountTables.toSorted().map((name) => ({ name, rights: [] })))
    const [role] = await run(
      database.ownerUrl,
      `select pg_has_role('groundswell_app', 'groundswell_auth', 'member') as open, rolsuper or rolbypassrls or rolcreaterole as above
       from pg_roles where rolname = 'groundswell_auth'`,
    )
    expect(role).toEqual({ open: false, above: false })
  })

  it('gives the sign-in code what it needs, and names its tables as the source does', async () => {
    const all = ['delete', 'insert', 'select', 'update']
    expect(await rightsOf('groundswell_auth')).toEqual(
      accountTables.toSorted().map((name) => ({ name, rights: name === 'first_admin' ? ['select'] : all })),
    )
    const named = await run<{ name: string }>(database.ownerUrl, 'select name from account_tables() order by 1')
    expect(named.map(({ name }) => name)).toEqual(accountTables.toSorted())
  })

  it('lets the app call only those functions of the owner that tell nothing of sign-ins', async () => {
    const names = accountTables.filter((name) => name !== 'first_admin').join('|')
    const rows = await run<{ name: string }>(
      database.ownerUrl,
      `select proname as name from pg_proc where pronamespace = 'public'::regnamespace and prosecdef
         and has_function_privilege('groundswell_app', oid, 'execute') and prosrc ~ ('(from|join|update|into)\\s+(' || $1 || ')\\M') order by 1`,
      [names],
    )
    expect(rows.map(({ name }) => name)).toEqual(['people_of_workspace', 'requires_sso'])
  })
})

describe('a statement that somebody injected into one of the app', () => {
  const inApp = (text: string) =>
    withoutWorkspace(database.db, (tx) => tx.executeQuery(CompiledQuery.raw(text) as CompiledQuery<object>))

  it.each(accountTables)('does not read %s', async (table) => {
    await expect(inApp(`select * from ${table}`)).rejects.toThrow(`permission denied for table ${table}`)
  })

  it('nor changes a sign-in, hidden in a query, nor after it has set what policies read', async () => {
    for (const text of [
      `select name from workspace where name = '' union all select token_hash::text from refresh_token --'`,
      'with gone as (delete from session returning id) select id from gone',
      `update account set is_admin = true`,
      `select set_config('groundswell.account', gen_random_uuid()::text, true), id from account`,
      `insert into api_key (workspace_id, account_id, name) values (gen_random_uuid(), gen_random_uuid(), '')`,
      `select (select password_hash from account limit 1) from people_of_workspace()`,
    ])
      await expect(inApp(text)).rejects.toThrow('permission denied')
  })

  // Where one address is used for everything, its user may.
  const roles = process.env.TEST_DATABASE_URL ? [] : ['groundswell_auth', 'none']
  it.each(roles)('cannot become another role: %s', async (role) => {
    const outcome = withoutWorkspace(database.db, async (tx) => {
      await tx.executeQuery(CompiledQuery.raw(`select set_config('role', '${role}', true)`))
      await tx.executeQuery(CompiledQuery.raw('select * from session'))
    })
    await expect(outcome).rejects.toThrow('permission denied')
  })
})

describe('what the app may know of accounts', () => {
  it('is who is in the workspace of its transaction, and nothing that signs in', async () => {
    const world = await TeamWorld.start()
    try {
      const { ann, max, vera, bo } = await world.people()
      const { db } = world.test.services
      const people = CompiledQuery.raw('select * from people_of_workspace()') as CompiledQuery<{ account_id: string }>
      const seen = (await inWorkspace(db, ann.workspaceId, (tx) => tx.executeQuery(people))).rows
      expect(seen.map(({ account_id }) => account_id).sort()).toEqual(
        [ann, max, vera].map(({ accountId }) => accountId).sort(),
      )
      expect(Object.keys(seen[0] ?? {})).toEqual(['account_id', 'name', 'email', 'email_confirmed_at', 'banned_until'])
      const others = (await inWorkspace(db, bo.workspaceId, (tx) => tx.executeQuery(people))).rows
      expect(others.map(({ account_id }) => account_id)).toEqual([bo.accountId])
      expect((await withoutWorkspace(db, (tx) => tx.executeQuery(people))).rows).toEqual([])
    } finally {
      await world.stop()
    }
  })
})

async function* lines(text: string): AsyncGenerator<string> {
  yield* text.split('\n')
}

it('a restored backup of an earlier version leaves the tables of accounts apart', async () => {
  const migrations = await withNextMigration()
  const empty = await testDatabase({ migrations })
  const { ownerUrl } = empty
  try {
    await restoreBackup(ownerUrl, lines((await candidateBackup()).join('\n')), {
      migrations,
      keep: async () => undefined,
      hasKey: () => false,
    })
    for (const [role, rights] of [
      ['groundswell_app', 0],
      ['groundswell_auth', accountTables.length],
    ] as const) {
      const found = await run<{ rights: string[] }>(ownerUrl, RIGHTS, [role, accountTables])
      expect([role, found.filter((row) => row.rights.length > 0).length]).toEqual([role, rights])
    }
  } finally {
    await empty.cleanup()
    await rm(migrations, { recursive: true })
  }
})

it('only the sign-in code and the feature of accounts open transactions of accounts', async () => {
  const users = new Set<string>()
  for await (const file of glob('server/**/*.ts', { cwd: path.join(import.meta.dirname, '..') })) {
    if (/\.test\.ts$|(^|\/)testing\.ts$|^server\/platform\/db\//.test(file)) continue
    const text = await readFile(path.join(import.meta.dirname, '..', file), 'utf8')
    if (/\bdb\.accounts\b/.test(text))
      users.add(
        file
          .split('/')
          .slice(0, file.startsWith('server/auth/') ? 2 : 3)
          .join('/'),
      )
  }
  expect([...users].sort()).toEqual(['server/auth', 'server/features/accounts'])
  expect(Object.keys(tableOwners)).toEqual(expect.arrayContaining(Object.keys(withoutRowSecurity)))
})

const id = randomBytes(4).toString('hex')
const OWNER = `accounts_owner_${id}`
const STRANGER = `accounts_stranger_${id}`
const NAME = `groundswell_test_${process.pid}_${id}_accounts`

describe.skipIf(process.env.TEST_DATABASE_URL)('an installation with roles of its own', () => {
  let dataDir: string
  const asSuper = (statement: string) => run(database.ownerUrl, statement)
  const address = (role: string) => withDatabase(database.ownerUrl, NAME).replace(/:\/\/[^@]*@/, `://${role}@`)
  const configOf = (urls: Partial<Config>): Config => ({
    ...readConfig({ GROUNDSWELL_DATA: dataDir, PORT: '0', LOG_LEVEL: 'silent', AUTH_RATE_LIMITS: 'off' }),
    databaseUrl: address('groundswell_app'),
    ...urls,
  })
  const auth = () => ({ databaseAuthUrl: address('groundswell_auth') })
  const admin = () => ({ databaseAdminUrl: address(OWNER) })
  const mayRead = async () =>
    (
      await run<{ may: boolean }>(
        address(OWNER),
        `select has_table_privilege('groundswell_app', 'session', 'select') as may`,
      )
    )[0]?.may

  beforeAll(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'groundswell-accounts-'))
    for (const role of [OWNER, STRANGER]) await asSuper(`create role ${role} login nosuperuser nobypassrls`)
    await asSuper(`create database ${NAME} owner ${OWNER} template template0`)
  })
  afterAll(async () => {
    await asSuper(`drop database if exists ${NAME} with (force)`)
    for (const role of [OWNER, STRANGER]) await asSuper(`drop role if exists ${role}`)
    await rm(dataDir, { recursive: true, force: true })
  })

  it('is refused, before any change, where the new address does not lead to the role', async () => {
    for (const databaseAuthUrl of [address(STRANGER), address('groundswell_app'), address(`nobody_${id}`)])
      await expect(boot(configOf({ ...admin(), databaseAuthUrl }))).rejects.toThrow(
        /The user of DATABASE_AUTH_URL may not work as groundswell_auth.*\n.*create role groundswell_auth[^]*Nothing was changed/,
      )
    expect(await run(address(OWNER), `select from pg_class where relnamespace = 'public'::regnamespace`)).toEqual([])
  })

  it('works as before while the new address is not set, and doctor says what is missing', async () => {
    const { services, stop } = await boot(configOf(admin()))
    const api = await startApi(services)
    await signUp(api.url, 'before')
    expect(await mayRead()).toBe(true)
    expect(await checkDatabase(services.db)).toContainEqual(
      expect.objectContaining({ state: 'notice', advice: expect.stringContaining('DATABASE_AUTH_URL') }),
    )
    await api.close()
    await stop()
  })

  it('may be switched over one process after the other, until the owner separates the tables', async () => {
    const old = await boot(configOf({}))
    const early = await boot(configOf(auth()))
    const api = await startApi(early.services)
    await signUp(api.url, 'during')
    expect(await mayRead()).toBe(true)
    await old.stop()
    await (await boot(configOf({ ...auth(), ...admin() }))).stop()
    expect(await mayRead()).toBe(false)
    await signUp(api.url, 'after')
    const [role] = await run(
      address(OWNER),
      `select usename as user from pg_stat_activity where application_name = 'groundswell auth' and datname = '${NAME}' limit 1`,
    )
    expect(role).toEqual({ user: 'groundswell_auth' })
    expect(await checkDatabase(early.services.db)).toContainEqual({
      state: 'ok',
      what: 'Only groundswell_auth may read the tables of accounts.',
    })
    await api.close()
    await early.stop()
  })

  it('and starts nothing afterwards that could sign nobody in', async () => {
    await expect(boot(configOf({}))).rejects.toThrow('DATABASE_AUTH_URL is not set')
    await expect(boot(configOf(admin()))).rejects.toThrow('DATABASE_AUTH_URL is not set')
    expect(await mayRead()).toBe(false)
    await (await boot(configOf(auth()))).stop()
  })

  async function signUp(url: string, name: string): Promise<void> {
    const body = JSON.stringify({ email: `${name}@example.com`, name, password: 'seven large lanterns' })
    const made = await fetch(`${url}/api/auth/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    expect(made.status).toBe(200)
    const { token } = (await made.json()) as { token: string }
    const me = await fetch(`${url}/api/user/user-data`, { headers: { authorization: `Bearer ${token}` } })
    expect(me.status).toBe(200)
  }
})
