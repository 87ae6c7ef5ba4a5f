import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startReceiver } from '../../faults/receiver.ts'
import { until } from '../../faults/until.ts'
import { type Report, runCheckAlone, seconds } from '../check.ts'
import { Postgres } from '../postgres.ts'
import { Product } from '../product.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { textsOf } from '../texts.ts'
import { type Look, look, statuses, Watch } from '../watch.ts'

// A database that is down, full, read-only or without a free connection: every failure is a 503 with an explanation, never a 500, and everything works
// again afterwards.

const LASTS_MS = 8_000

/** Reads, writes, sign-ins and uploads while something is wrong. */
async function during(
  report: Report,
  product: Product,
  what: string,
  state: { begin: () => unknown; end: () => unknown },
): Promise<void> {
  const token = product.client.token
  const { base } = product
  const password = JSON.stringify({ email: 'ops@tallybrook.example', password: 'wrong' })
  const requests: Record<string, () => Promise<Look>> = {
    read: () => look(`${base}/api/imports`, { token, limitMs: 60_000 }),
    list: () => look(`${base}/api/insights/get-all`, { token, limitMs: 60_000 }),
    upload: () =>
      look(`${base}/api/imports?name=x.jsonl`, {
        token,
        method: 'POST',
        body: '{"id":"x","text":"x"}',
        limitMs: 60_000,
      }),
    change: () => look(`${base}/api/insights/1/restore`, { token, method: 'POST', body: '{}', limitMs: 60_000 }),
    login: () => look(`${base}/api/auth/login`, { method: 'POST', body: password, limitMs: 60_000 }),
    protocol: () =>
      look(`${base}/auth/v1/token?grant_type=password`, { method: 'POST', body: password, limitMs: 60_000 }),
    jobs: () => look(`${base}/api/admin/dead-jobs`, { token, limitMs: 60_000 }),
    health: () => look(`${base}/api/health`, { limitMs: 60_000 }),
  }
  const watches = Object.entries(requests).map(([name, request]) => ({ name, watch: new Watch(request, 100) }))
  await state.begin()
  await pause(LASTS_MS)
  await state.end()
  const ended = performance.now()
  const usable = await until('the API', async () => {
    const all = await Promise.all([requests.read?.(), requests.health?.()])
    return all.every((one) => one?.status === 200) ? performance.now() - ended : undefined
  })
  const looks: Look[] = []
  for (const { name, watch } of watches) {
    const found = await watch.stop()
    looks.push(...found)
    report.say(`${what}: ${name} ${JSON.stringify(statuses(found))}`)
  }
  const failures = looks.filter(({ status }) => typeof status !== 'number' || status >= 500)
  const bad = failures.filter(({ status, body }) => status !== 503 || !/"(message|msg)":"(The|This) \w+.*"/.test(body))
  report.figure(`${what}: ${failures.length} of ${looks.length} calls failed, usable after ${seconds(usable)}`)
  report.require(failures.length > 0, `${what}: something fails`)
  report.require(
    bad.length === 0,
    `${what}: every failure is a 503 with an explanation${bad[0] ? ` (${bad.length} are not: ${bad[0].status} ${bad[0].body.slice(0, 120)})` : ''}`,
  )
}

/** Takes every connection of the server, and those of the product too, until the returned function is called. */
function starve(server: Postgres): () => Promise<void> {
  const taken: pg.Client[] = []
  let goesOn = true
  const done = (async () => {
    while (goesOn) {
      const client = new pg.Client({ connectionString: server.url('admin') })
      client.on('error', () => undefined)
      try {
        await client.connect()
        taken.push(client)
      } catch {
        await taken[0]?.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'groundswell%'`,
        )
        await pause(20)
      }
    }
  })()
  return async () => {
    goesOn = false
    await done
    await Promise.all(taken.map((client) => client.end()))
  }
}

/** Fills a disk to its last byte. */
function fill(file: string): () => void {
  const handle = openSync(file, 'w')
  const block = Buffer.alloc(64 * 1024, 1)
  try {
    for (;;) writeSync(handle, block)
  } catch {
    closeSync(handle)
  }
  return () => rmSync(file)
}

await runCheckAlone('unavailable', ['postgresql'], async (report, debian) => {
  const folder = temporaryFolder(report)
  const disk = path.join(folder, 'disk')
  mkdirSync(disk)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'tmpfs', disk])
  report.onEnd(() => execFileSync('umount', ['-l', disk]))
  const server = await Postgres.create(report, debian, {
    folder: path.join(disk, 'postgres'),
    port: 5432,
    settings: { max_connections: 50, max_wal_size: '64MB' },
  })
  const product = new Product(report, {
    env: { ...server.addresses, AUTH_RATE_LIMITS: 'off' },
    query: (text, values) => server.query(text, undefined, values),
  })
  const receiver = await startReceiver(() => 5)
  report.onEnd(() => receiver.stop())
  await product.migrate()
  await product.serve()
  await product.work()
  await product.furnish(receiver)
  await product.import('first', textsOf('first', 1))
  await product.settle()

  let feed: () => unknown = () => undefined
  await during(report, product, 'no free connection', {
    begin() {
      feed = starve(server)
    },
    end: () => feed(),
  })
  await during(report, product, 'read-only', {
    begin: () => setDefault(server, `set default_transaction_read_only = 'on'`),
    end: () => setDefault(server, 'reset default_transaction_read_only'),
  })
  await during(report, product, 'stopped', { begin: () => server.stop('SIGINT'), end: () => server.start() })
  await during(report, product, 'killed', { begin: () => server.stop('SIGQUIT'), end: () => server.start() })
  let empty: () => void = () => undefined
  await during(report, product, 'full disk', {
    begin() {
      empty = fill(path.join(disk, 'filler'))
    },
    async end() {
      empty()
      if (!server.running) await server.start()
    },
  })
  await product.import('last', textsOf('last', 2))
  await product.settle()
  report.require(product.fallen().length === 0, 'no process ended')
})

async function setDefault(server: Postgres, change: string): Promise<void> {
  await server.query(`alter system ${change}`)
  await server.query('select pg_reload_conf()')
}
