import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { inWorkspace, withoutWorkspace } from '../../platform/db/tenant.ts'
import { testWorkspace } from '../../platform/db/testing.ts'
import { testServices } from '../../platform/http/testing.ts'
import { defineJob } from '../../platform/queue/job.ts'
import { jobWorker } from '../../platform/queue/queue.ts'
import { duringTests } from '../../platform/testing.ts'
import { fileConnection } from '../connections/index.ts'
import { storeItems } from '../feedback/index.ts'
import { CollectedFigures } from './figures.ts'
import { checkWorker, startMonitoring } from './index.ts'
import { type FigureRow, readFigures } from './store.ts'

const server = duringTests(() => testServices())

const read = () => withoutWorkspace(server.services.db, readFigures)
const valueOf = (rows: readonly FigureRow[], figure: string, state = '', kind = '') =>
  rows
    .filter((row) => row.figure === figure && row.state === state && row.kind === kind)
    .reduce((sum, { value }) => sum + (value ?? 0), 0)

/** The first figures. Who asks waits three seconds for them, which is too short on a slow machine. */
async function readFirst(figures: CollectedFigures) {
  const read: Awaited<ReturnType<CollectedFigures['get']>>[] = []
  await expect.poll(async () => read.unshift(await figures.get()) > 0 && read[0] !== null).toBe(true)
  return read[0]
}

/** Stores one message in a new workspace, as if that had been some time ago. */
async function storeMessage(secondsAgo: number): Promise<void> {
  const workspace = await testWorkspace(server.services.db)
  await inWorkspace(server.services.db, workspace, async (tx) => {
    const { id } = await fileConnection(tx, workspace)
    const item = {
      externalId: 'a',
      text: 'It is slow',
      author: null,
      at: new Date(),
      link: null,
      thread: null,
      place: null,
    }
    await storeItems(tx, workspace, id, [item])
    await sql`update feedback_item set stored_at = now() - ${secondsAgo} * interval '1 second'`.execute(tx)
  })
}

describe('figures of the database', () => {
  test('the oldest message that waits, over all workspaces', async () => {
    expect(valueOf(await read(), 'ungrouped')).toBe(0)
    for (const secondsAgo of [100, 5_000, 900]) await storeMessage(secondsAgo)
    const age = valueOf(await read(), 'ungrouped') ?? 0
    expect([age >= 5_000, age < 5_600]).toEqual([true, true])
  })

  test('syncs by state, over all workspaces, without disconnected ones', async () => {
    const changes = ['', `error = 'x'`, 'signed_out = true', 'disconnected_at = now()']
    for (const change of changes) {
      const workspace = await testWorkspace(server.services.db)
      await inWorkspace(server.services.db, workspace, async (tx) => {
        const { id } = await fileConnection(tx, workspace)
        await sql`
          insert into sync_state (workspace_id, connection_id, status, moved_at)
          values (${workspace}, ${id}, 'idle', now())`.execute(tx)
        if (change) await sql.raw(`update connection set ${change}`).execute(tx)
      })
    }
    const rows = await read()
    const syncs = rows.filter(({ figure }) => figure === 'syncs').map(({ state, value }) => [state, value])
    expect(new Map(syncs as [string, number][])).toEqual(
      new Map([
        ['failing', 1],
        ['idle', 1],
        ['signed out', 1],
      ]),
    )
  })

  test('jobs by kind and state, and a worker that is missing', async () => {
    const { queue, db } = server.services
    expect(await checkWorker(server.services)).toMatchObject([{ state: 'notice', what: 'No worker has run yet.' }])
    const job = defineJob({ name: 'each-minute', schema: z.object({}) })
    await queue.schedule(job, '* * * * *', {})
    expect(valueOf(await read(), 'worker')).toBe(0)
    expect(await checkWorker(server.services)).toMatchObject([{ state: 'ok' }])
    await queue.send(job, {})
    await queue.send(job, {}, { startAfter: 3_600 })
    await db.pool.query(`update queue.job set start_after = now() - interval '10 minutes' where start_after <= now()`)
    const rows = await read()
    expect([valueOf(rows, 'jobs', 'waiting', 'each-minute'), valueOf(rows, 'jobs', 'later', 'each-minute')]).toEqual([
      1, 1,
    ])
    expect(await checkWorker(server.services)).toMatchObject([
      {
        state: 'problem',
        what: 'No worker is running: background jobs have waited for 10 min.',
        advice: expect.any(String),
      },
    ])
    await queue.work(jobWorker(job, async () => undefined))
    await expect.poll(async () => (await checkWorker(server.services))[0]?.state).toBe('ok')
  })

  test('are answered to the role of the app, and to no other', async () => {
    const { rows } = await server.services.db.pool.query(
      `select has_function_privilege('groundswell_app', f, 'execute') as app, has_function_privilege('public', f, 'execute') as public
        from (select 'monitoring_figures()'::regprocedure) as named (f)`,
    )
    expect(rows).toEqual([{ app: true, public: false }])
  })

  test('are read when they are requested, and not again before their time', async () => {
    const rarely = new CollectedFigures(server.services, 3_600_000)
    const first = await readFirst(rarely)
    expect(first?.disk?.size).toBeGreaterThan(0)
    expect(await rarely.get()).toBe(first)
    const often = new CollectedFigures(server.services, 0)
    const before = await readFirst(often)
    await expect.poll(async () => (await often.get()) !== before).toBe(true)
  })

  test('remain those before while the database does not answer', async () => {
    const db = { ...server.services.db }
    const figures = new CollectedFigures({ ...server.services, db }, 0)
    const before = await readFirst(figures)
    Object.defineProperty(db, 'kysely', {
      get: () => {
        throw new Error('the database is away')
      },
    })
    expect(await figures.get()).toBe(before)
  })
})

describe('the port', () => {
  const withPort = (metrics: { host: string; port: number }) => ({
    ...server.services,
    config: { ...server.services.config, metrics },
  })

  test('is off unless it is set', async () => {
    expect(await startMonitoring(server.services, 'serve')).toBeUndefined()
  })

  test('that is taken is an error for the operator', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as { port: number }
    const attempt = startMonitoring(withPort({ host: '127.0.0.1', port }), 'serve')
    await expect(attempt).rejects.toThrow(`Port ${port} is taken: set METRICS_PORT to one that only this process uses.`)
    other.close()
  })

  test('has the metrics and the life of the process, and nothing else', async () => {
    const monitoring = await startMonitoring(withPort({ host: '127.0.0.1', port: 0 }), 'serve')
    const get = async (path: string) => {
      const answer = await fetch(`${monitoring?.url}${path}`)
      return { status: answer.status, type: answer.headers.get('content-type'), body: await answer.text() }
    }
    const { status, type, body } = await get('/metrics')
    expect([status, type]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
    expect(body).toMatch(/^groundswell_info\{version="[\d.]+",role="serve"\} 1$/m)
    expect(body).toMatch(/^groundswell_event_loop_stalled_seconds 0$/m)
    expect(await get('/api/live')).toMatchObject({ status: 200, body: '{"live":true}' })
    expect((await get('/api/insights/get-all')).status).toBe(404)
    await monitoring?.close()
    await expect(get('/api/live')).rejects.toThrow('fetch failed')
  })

  test('says that the event loop hangs, while it does and not afterwards', async () => {
    const monitoring = await startMonitoring(withPort({ host: '127.0.0.1', port: 0 }), 'serve')
    const statusOf = async () => (await fetch(`${monitoring?.url}/api/live`)).status
    const stalled = async () => {
      const metrics = await (await fetch(`${monitoring?.url}/metrics`)).text()
      return Number(/^groundswell_event_loop_stalled_seconds ([\d.]+)$/m.exec(metrics)?.[1])
    }
    expect([await statusOf(), await stalled()]).toEqual([200, 0])
    const script = `
      for (;;) {
        const { status } = await fetch(process.argv[1] + '/api/live')
        if (status === 503) break
        await new Promise((next) => setTimeout(next, 100))
      }
      process.stdout.write(await (await fetch(process.argv[1] + '/metrics')).text())`
    // Blocks this process until the other one has seen that it hangs.
    const seen = execFileSync(process.execPath, ['--input-type=module', '-e', script, monitoring?.url ?? ''], {
      encoding: 'utf8',
      timeout: 300_000,
    })
    expect(seen).toMatch(/^groundswell_event_loop_stalled_seconds [1-9]/m)
    await expect.poll(statusOf).toBe(200)
    expect(await stalled()).toBe(0)
    await monitoring?.close()
  })
})
