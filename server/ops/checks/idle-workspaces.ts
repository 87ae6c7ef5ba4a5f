import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../../faults/until.ts'
import { medianOf, runCheckAlone, seconds } from '../check.ts'
import { cpuSeconds } from '../cpu.ts'
import { Postgres } from '../postgres.ts'
import { Product } from '../product.ts'
import { temporaryFolder } from '../temporary-folder.ts'

// 10,000 idle workspaces cost the workers and the database at most a tenth of a core, and a file of 200 rows is grouped within 5 s.

const WORKSPACES = 10_000
/** The sweeps that look at every workspace that changed, by their jobs. Without models and alerts no other one does. */
const SWEEPS = { deliveries: 'deliver-sweep', tags: 'tag-sweep' }
const ROWS = 200
const MAX_SHARE = 0.1
const MAX_GROUPED_MS = 5_000
const RUNS = 5
/** Whole minutes: sweeps run every minute. */
const MEASURED_MS = 60_000
const SETTLE_MS = 30 * 60_000

await runCheckAlone('idle-workspaces', ['postgresql'], async (report, debian) => {
  const folder = temporaryFolder(report)
  const server = await Postgres.create(report, debian, { folder: `${folder}/server`, port: 5432 })
  const product = new Product(report, {
    env: { ...server.addresses, ENCODER: 'off' },
    query: (text, values) => server.query(text, undefined, values),
  })
  await product.migrate()
  await server.query(
    `with made as (insert into workspace (name) select 'idle ' || n from generate_series(1, ${WORKSPACES}) n returning workspace_id)
    insert into connection (workspace_id, connector, name) select workspace_id, 'file', 'File' from made`,
  )
  await server.query('analyze')
  await product.serve()
  const workers = [await product.work(), await product.work()]
  await product.furnish()
  report.say('the sweeps find new workspaces')
  const marks = async () =>
    (await server.query<{ sweep: string }>('select distinct sweep from sweep_mark order by 1')).map(
      ({ sweep }) => sweep,
    )
  const expected = Object.keys(SWEEPS).join(', ')
  await until('each of the two sweeps to mark a workspace', async () => {
    const found = await marks()
    return Object.keys(SWEEPS).every((sweep) => found.includes(sweep)) || undefined
  })
  // The state after a day: each workspace was checked once, each at a different time of day.
  await server.query(
    `insert into sweep_mark (workspace_id, sweep, revision, group_version, rules, again_at)
    select workspace_id, marked.sweep, revision, 0, marked.rules, now() + random() * interval '1 day'
    from workspace, (select distinct on (sweep) sweep, rules from sweep_mark order by sweep) marked
    on conflict do nothing`,
  )
  const running = () =>
    server.query(`select from queue.job where name = any($1) and state = 'active'`, undefined, [Object.values(SWEEPS)])
  await until('the sweeps that have begun to end', async () => (await running()).length === 0 || undefined, {
    deadlineMs: SETTLE_MS,
    everyMs: 2_000,
  })

  const pids = [...workers.map((worker) => worker.process.pid ?? 0), server.pid]
  const shares: number[] = []
  for (let run = 0; run < RUNS; run += 1) {
    const before = cpuSeconds(pids)
    const from = performance.now()
    await pause(MEASURED_MS)
    shares.push((cpuSeconds(pids) - before) / ((performance.now() - from) / 1000))
  }
  const share = medianOf(shares)
  report.figure(
    `two workers and the database use ${(100 * share).toFixed(1)} % of a core for ${WORKSPACES} idle workspaces (median of ${RUNS} minutes)`,
  )
  report.require(share <= MAX_SHARE, `that is at most ${100 * MAX_SHARE} %`)
  const marked = (await marks()).join(', ')
  report.require(marked === expected, `no other sweep looks at idle workspaces (${marked})`)
  const times: number[] = []
  for (let run = 1; run <= RUNS; run += 1) times.push(await group(product, `among them, time ${run}`))
  const ms = medianOf(times)
  report.figure(`${ROWS} rows are grouped among them after ${seconds(ms)} (median of ${RUNS})`)
  report.require(ms <= MAX_GROUPED_MS, `that is at most ${seconds(MAX_GROUPED_MS)}`)
  const [overlap] = await server.query<{ most: number }>(`
    select coalesce(max(beside), 0)::int as most from (
      select count(*) as beside from queue.job one join queue.job other on other.name = one.name and other.id <> one.id
        and other.started_on < one.completed_on and one.started_on < other.completed_on
      where one.name like '%-sweep' group by one.id) runs`)
  report.require(overlap?.most === 0, 'no sweep runs beside another of its kind')
})

/** Imports a file and returns how many milliseconds it takes until all of it is grouped. */
async function group(product: Product, when: string): Promise<number> {
  const began = performance.now()
  const texts = Array.from({ length: ROWS }, (_, at) => `The export of report ${at % 7} stops after ${at} rows ${when}`)
  await product.import(`file-${Math.round(began)}`, texts)
  await until('the file to be grouped', async () => {
    const [row] = await product.query<{ grouped: number }>(
      `select count(*)::int as grouped from feedback_item where grouped_seq is not null and text like $1`,
      [`%${when}`],
    )
    return row?.grouped === ROWS || undefined
  })
  return performance.now() - began
}
