import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { boot } from '../../boot.ts'
import type { Child } from '../../faults/child.ts'
import { until } from '../../faults/until.ts'
import { requestGrouping } from '../../features/insights/index.ts'
import { readConfig } from '../../platform/config/config.ts'
import { inWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { medianOf, type Report, runCheckAlone, seconds } from '../check.ts'
import { type Loads, loadsOf, type MeasuredWorker, startMeasuredWorker } from '../group-loads.ts'
import { Postgres } from '../postgres.ts'
import { Product } from '../product.ts'
import { temporaryFolder } from '../temporary-folder.ts'

// 1,000 active workspaces (or as many as the argument says) with small groups on four workers: at most one run of grouping in ten loads the groups from the
// database. The first round is not counted, since then nothing is in memory anywhere. The workspaces of a killed worker move within 15 s.

const WORKSPACES = Number(process.argv[2] ?? 1_000)
const WORKERS = 4
const ROUNDS = 5
const MAX_COLD = 0.1
const KILLS = 5
/** How many of the killed worker's workspaces are followed: more would measure how fast the others group. */
const MOVED = 20
const MAX_MOVED_MS = 15_000
const ROUND_MS = 20 * 60_000
/** Workers renew their leases every 2 s, and lose them after 7. */
const FROZEN_MS = 4_000

await runCheckAlone('affinity', ['postgresql'], async (report, debian) => {
  const folder = temporaryFolder(report)
  const server = await Postgres.create(report, debian, { folder: `${folder}/server`, port: 5432 })
  const env = { ...server.addresses, ENCODER: 'off' }
  const product = new Product(report, { env, query: (text, values) => server.query(text, undefined, values) })
  await product.migrate()
  await server.query(
    `with made as (insert into workspace (name) select 'active ' || n from generate_series(1, ${WORKSPACES}) n returning workspace_id)
    insert into connection (workspace_id, connector, name) select workspace_id, 'file', 'File' from made`,
  )
  await server.query('analyze')
  const { services, stop } = await boot(
    readConfig({ ...env, GROUNDSWELL_DATA: `${folder}/data`, GROUNDSWELL_KEY: '0f'.repeat(32), LOG_LEVEL: 'silent' }),
  )
  report.onEnd(() => stop())
  const workers: MeasuredWorker[] = []
  for (let at = 0; at < WORKERS; at += 1) workers.push(await startMeasuredWorker(product))
  const everyone = (await product.query<Id>('select workspace_id as id from workspace')).map(({ id }) => id)

  let round = 0
  const counted: Loads = { memory: 0, database: 0 }
  for (; round <= ROUNDS; round += 1) {
    const before = await loadsOf(workers)
    const began = performance.now()
    await groupMessage(product, services, everyone, round, ROUND_MS)
    const loads = minus(await loadsOf(workers), before)
    report.say(
      `round ${round}: ${loads.database} of ${loads.database + loads.memory} runs loaded the groups, ${seconds(performance.now() - began)}` +
        (round === 0 ? ' (nothing was in memory: not counted)' : ''),
    )
    if (round === 0) continue
    counted.memory += loads.memory
    counted.database += loads.database
  }
  const share = counted.database / (counted.database + counted.memory)
  report.figure(
    `${WORKSPACES} workspaces, ${WORKERS} workers, ${ROUNDS} rounds: ${counted.database} of ${counted.database + counted.memory} runs loaded the groups (${(100 * share).toFixed(1)} %)`,
  )
  report.require(share <= MAX_COLD, 'that is at most 1 in 10')
  await reportBalance(report, product, workers)

  const times: number[] = []
  for (let kill = 0; kill < KILLS; kill += 1) {
    const victim = workers.shift()
    if (!victim) throw new Error('there is no worker to kill')
    const held = await heldBy(product, victim.child)
    const moving = held.slice(0, MOVED)
    await product.end(victim.child, 'SIGKILL')
    const ms = await groupMessage(product, services, moving, round + kill, ROUND_MS)
    report.say(`a killed worker had ${held.length} workspaces; ${moving.length} of them moved within ${seconds(ms)}`)
    report.require(moving.length > 0, 'it had some')
    times.push(ms)
    workers.push(await startMeasuredWorker(product))
  }
  const median = medianOf(times)
  report.figure(
    `${MOVED} of a killed worker's workspaces moved within ${seconds(median)} (median of ${KILLS}, at most ${seconds(Math.max(...times))})`,
  )
  report.require(median <= MAX_MOVED_MS, `that is at most ${seconds(MAX_MOVED_MS)}`)

  const [left] = await product.query<{ items: number; dead: number }>(`
    select (select count(*)::int from feedback_item i where grouped_seq is null
        or not exists (select from statement s where s.workspace_id = i.workspace_id and s.item_id = i.id)) as items,
      (select count(*)::int from queue.job where name = 'dead') as dead`)
  report.require(left?.items === 0 && left.dead === 0, 'every message is grouped, and no job died')
  report.require(product.fallen().length === 0, 'no process ended unexpectedly')
})

type Id = { id: string }

function minus(one: Loads, other: Loads): Loads {
  return { memory: one.memory - other.memory, database: one.database - other.database }
}

/**
 * Stores one message in each of the workspaces, requests its grouping as an import does, and waits until all are grouped. Returns how long that took.
 */
async function groupMessage(
  product: Product,
  services: Services,
  workspaces: readonly string[],
  round: number,
  deadlineMs: number,
): Promise<number> {
  const began = performance.now()
  await product.query(
    `insert into feedback_item (workspace_id, connection_id, external_id, text, said_at)
    select workspace_id, id, $2::text, $3::text, now() from connection where workspace_id = any($1::uuid[])`,
    [workspaces, `message ${round}`, `The export of report ${round % 3} stops after ${round + 10} rows`],
  )
  for (const id of workspaces) await inWorkspace(services.db, id, (tx) => requestGrouping(services)(tx, id))
  await until(
    `round ${round} to be grouped`,
    async () => {
      const [row] = await product.query<{ left: number }>(
        'select count(*)::int as left from feedback_item where grouped_seq is null',
      )
      return row?.left === 0 || undefined
    },
    { deadlineMs, everyMs: 100 },
  )
  return performance.now() - began
}

/** The workspaces that a worker has leased. It is identified by freezing it for a moment: it is the only one that does not renew. */
async function heldBy(product: Product, child: Child): Promise<string[]> {
  // Leases of killed workers have expired.
  const renewals = () =>
    product.query<Id & { until: string }>('select id, until::text from job_worker where until > now()')
  const worker = await until('a frozen worker to be the only one that renews nothing', async () => {
    child.process.kill('SIGSTOP')
    try {
      const before = new Map((await renewals()).map(({ id, until: time }) => [id, time]))
      await pause(FROZEN_MS)
      const silent = (await renewals()).filter(({ id, until: time }) => before.get(id) === time)
      return silent.length === 1 ? silent[0] : undefined
    } finally {
      child.process.kill('SIGCONT')
    }
  })
  await until('it to renew again', async () => {
    const now = (await renewals()).find(({ id }) => id === worker.id)
    return (now && now.until !== worker.until) || undefined
  })
  const keys = await product.query<{ key: string }>('select key from job_lease where worker = $1', [worker.id])
  return keys.map(({ key }) => key)
}

/** How many workspaces each worker has, the size of their groups, and the memory of the workers. */
async function reportBalance(report: Report, product: Product, workers: readonly MeasuredWorker[]): Promise<void> {
  const leases = await product.query<{ n: number }>(
    'select count(*)::int as n from job_lease group by worker order by 1',
  )
  const [size] = await product.query<{ kib: number }>(
    'select coalesce(avg(length(state)), 0)::float / 1024 as kib from engine_state',
  )
  const memory = workers.map(({ child }) => {
    const [, kib] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
    return Math.round(Number(kib) / 1024)
  })
  report.say(
    `the workers have ${leases.map(({ n }) => n).join(', ')} workspaces and use ${memory.join(', ')} MiB; a snapshot takes ${size?.kib.toFixed(1)} KiB on average`,
  )
}
