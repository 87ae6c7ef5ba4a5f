import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startReceiver } from '../../faults/receiver.ts'
import { type Report, runCheckAlone } from '../check.ts'
import { groundswell } from '../command.ts'
import { startPooler } from '../pooler.ts'
import { Postgres } from '../postgres.ts'
import { Product } from '../product.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { textsOf } from '../texts.ts'
import { look, statuses, Watch } from '../watch.ts'

// Behind PgBouncer in transaction mode: workspaces are isolated whoever signs in, ten API processes need at most 20 connections of the server for
// each of their two pools, and limits hold over all processes.

const PROCESSES = 10
const MAX_CONNECTIONS = 20
const SERVER_PORT = 5432
const root = path.resolve(import.meta.dirname, '../../..')
/** The tests of isolation and of roles, which are run through the pooler. */
const ISOLATION = ['server/auth/isolation.test.ts', 'server/matrix.test.ts', 'server/platform/db/database.test.ts']

/** The connections of the server that belong to the product's pools, to those of accounts, and all others of the product. */
const CONNECTIONS = `select count(*) filter (where application_name = 'groundswell')::int as pooled,
  count(*) filter (where usename = 'groundswell_auth')::int as accounts,
  count(*) filter (where usename <> 'groundswell_auth' and application_name <> 'groundswell')::int as direct
  from pg_stat_activity where usename in ('groundswell_app', 'groundswell_auth', 'login') and datname = 'groundswell'`

type Pooled = { DATABASE_URL: string; DATABASE_AUTH_URL: string }

async function tenProcesses(report: Report, server: Postgres, pooled: Pooled): Promise<void> {
  const product = new Product(report, {
    env: { ...server.addresses, ...pooled, DATABASE_DIRECT_URL: server.url('groundswell_app') },
    query: (text, values) => server.query(text, undefined, values),
  })
  const receiver = await startReceiver(() => 5)
  report.onEnd(() => receiver.stop())
  await product.migrate()
  const bases: string[] = []
  for (let number = 0; number < PROCESSES; number += 1) {
    await product.serve()
    bases.push(product.base)
  }
  await product.work()
  await product.furnish(receiver)
  const token = product.client.token
  let most = { pooled: 0, accounts: 0, direct: 0 }
  const load = bases.flatMap((base) =>
    Array.from({ length: 6 }, () => new Watch(() => look(`${base}/api/imports`, { token }), 5)),
  )
  for (let number = 0; number < 6; number += 1) {
    await product.import(`load ${number}`, textsOf(`load${number}`, number))
    for (let sample = 0; sample < 20; sample += 1) {
      const [now] = await server.query<typeof most>(CONNECTIONS)
      most = {
        pooled: Math.max(most.pooled, now?.pooled ?? 0),
        accounts: Math.max(most.accounts, now?.accounts ?? 0),
        direct: Math.max(most.direct, now?.direct ?? 0),
      }
      await pause(100)
    }
  }
  const looks = (await Promise.all(load.map((watch) => watch.stop()))).flat()
  report.figure(
    `${PROCESSES} API processes and a worker under load: ${most.pooled} connections for pools, ${most.accounts} for accounts, ${most.direct} direct ones; ` +
      `${looks.length} calls ${JSON.stringify(statuses(looks))}`,
  )
  report.require(most.pooled <= MAX_CONNECTIONS, `at most ${MAX_CONNECTIONS} connections of the server for pools`)
  report.require(
    most.accounts > 0 && most.accounts <= MAX_CONNECTIONS,
    `accounts are read as groundswell_auth, over at most ${MAX_CONNECTIONS} connections`,
  )
  report.require(most.direct > PROCESSES, 'LISTEN and jobs go to the server itself')
  report.require(
    looks.every(({ status }) => status === 200),
    'every call succeeds',
  )
  await product.requireSound(receiver)

  const body = JSON.stringify({ email: 'nobody@tallybrook.example', password: 'wrong' })
  const tries = await Promise.all(
    Array.from({ length: 40 }, (_, number) =>
      look(`${bases[number % PROCESSES]}/api/auth/login`, { method: 'POST', body }),
    ),
  )
  const counts = statuses(tries)
  report.figure(`40 wrong passwords to ${PROCESSES} processes: ${JSON.stringify(counts)}`)
  report.require(counts['429'] === 30, 'ten attempts of an account and address are left, over all processes')
}

/** A start that must fail, and what it reports. */
async function requireRefusal(
  report: Report,
  what: string,
  env: Record<string, string>,
  reason: RegExp,
): Promise<void> {
  const { code, output } = await groundswell(['worker'], { GROUNDSWELL_KEY: '0f'.repeat(32), ...env }, 30_000)
  report.require(code === 1 && reason.test(output), `${what} does not start: ${output.split('\n')[0]}`)
}

await runCheckAlone('pooling', ['postgresql', 'pgbouncer'], async (report, debian) => {
  const folder = temporaryFolder(report)
  const server = await Postgres.create(report, debian, { folder: path.join(folder, 'server'), port: SERVER_PORT })
  const users = ['groundswell_app', 'groundswell_auth', 'admin', 'login', 'stranger']
  let pooler = await startPooler(report, debian, {
    folder: path.join(folder, 'pooler'),
    serverPort: SERVER_PORT,
    users,
  })

  // A login that may take the role of the app; without that role it would see every workspace.
  await server.query('create role login login superuser')
  // One that may take neither role.
  await server.query('create role stranger login')
  const DATABASE_AUTH_URL = pooler.urlOf('groundswell_auth')
  await tenProcesses(report, server, { DATABASE_URL: pooler.urlOf('login'), DATABASE_AUTH_URL })

  const { DATABASE_ADMIN_URL } = server.addresses
  const data = { GROUNDSWELL_DATA: folder, DATABASE_AUTH_URL }
  const direct = {
    ...data,
    DATABASE_URL: pooler.urlOf('groundswell_app'),
    DATABASE_DIRECT_URL: server.url('groundswell_app'),
  }
  await requireRefusal(
    report,
    'a process without the address of the sign-in code',
    { ...direct, DATABASE_AUTH_URL: '' },
    /DATABASE_AUTH_URL is not set/,
  )
  await requireRefusal(
    report,
    'a sign-in to accounts that may not take their role',
    { ...direct, DATABASE_AUTH_URL: pooler.urlOf('stranger') },
    /may not work as groundswell_auth/,
  )
  await requireRefusal(
    report,
    'a process without a direct address',
    { ...data, DATABASE_URL: pooler.urlOf('groundswell_app'), DATABASE_ADMIN_URL },
    /set DATABASE_DIRECT_URL/,
  )
  await pooler.stop()
  pooler = await startPooler(report, debian, {
    folder: path.join(folder, 'ignorant'),
    serverPort: SERVER_PORT,
    users,
    settings: { ignore_startup_parameters: 'options' },
  })
  await requireRefusal(
    report,
    'a superuser behind a pooler that ignores the role',
    { ...data, DATABASE_URL: pooler.urlOf('login') },
    /works as login instead of groundswell_app/,
  )
  await pooler.stop()

  pooler = await startPooler(report, debian, {
    folder: path.join(folder, 'tests'),
    serverPort: SERVER_PORT,
    users,
    everyDatabase: true,
  })
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs')
  const { status, stdout, stderr } = spawnSync(process.execPath, [vitest, 'run', ...ISOLATION], {
    cwd: root,
    encoding: 'utf8',
    env: {
      ...process.env,
      NO_COLOR: '1',
      TEST_DATABASE_URL: server.url('admin', 'postgres'),
      TEST_POOL_URL: pooler.urlOf('groundswell_app', 'postgres'),
    },
  })
  const summary = /Tests .*$/m.exec(stdout)?.[0] ?? `${stdout}${stderr}`.slice(-500)
  report.figure(`tests of isolation through the pooler: ${summary.trim()}`)
  report.require(status === 0, 'the tests of isolation pass through the pooler')
})
