import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../../faults/until.ts'
import { type Report, runCheckAlone, seconds } from '../check.ts'
import { cpuSeconds } from '../cpu.ts'
import { Postgres } from '../postgres.ts'
import { Product } from '../product.ts'
import { temporaryFolder } from '../temporary-folder.ts'

// 10,000 idle workspaces cost the workers and the database at most a tenth of a core, and a file of 200 rows is grouped within 5 s.

const WORKSPACES = 10_000
/** Without models: the sweeps that check changed workspaces. */
const SWEEPS = ['deliver-sweep', 'tag-sweep']
const ROWS = 200
const MAX_SHARE = 0.1
const MAX_GROUPED_MS = 5_000
const MEASURED_MS = 185_000
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
  await until('each sweep that looks for changes to mark a workspace', async () => {
    const [row] = await server.query<{ sweeps: number }>('select count(distinct sweep)::int as sweeps from sweep_mark')
    return row?.sweeps === SWEEPS.length || undefined
  })
  // The state after a day: each workspace was checked once, each at a different time of day.
  await server.query(
    `insert into sweep_mark (workspace_id, sweep, revision, group_version, rules, again_at)
    select workspace_id, marked.sweep, revision, 0, marked.rules, now() + random() * interval '1 day'
    from workspace, (select distinct on (sweep) sweep, rules from sweep_mark order by sweep) marked
    on conflict do nothing`,
  )
  const running = () =>
    server.query(`select from queue.job where name = any($1) and state = 'active'`, undefined, [SWEEPS])
  await until('the sweeps that have begun to end', async () => (await running()).length === 0 || undefined, {
    deadlineMs: SETTLE_MS,
    everyMs: 2_000,
  })

  const pids = [...workers.map((worker) => worker.process.pid ?? 0), server.pid]
  const before = cpuSeconds(pids)
  const from = performance.now()
  await pause(MEASURED_MS)
  const share = (cpuSeconds(pids) - before) / ((performance.now() - from) / 1000)
  report.figure(
    `two workers and the database use ${(100 * share).toFixed(1)} % of a core for ${WORKSPACES} idle workspaces`,
  )
  report.require(share <= MAX_SHARE, `that is at most ${100 * MAX_SHARE} %`)
  await group(report, product, 'among them')
  const [overlap] = await server.query<{ most: number }>(`
    select coalesce(max(beside), 0)::int as most from (
      select count(*) as beside from queue.job one join queue.job other on other.name = one.name and other.id <> one.id
        and other.started_on < one.completed_on and one.started_on < other.completed_on
      where one.name like '%-sweep' group by one.id) runs`)
  report.require(overlap?.most === 0, 'no sweep runs beside another of its kind')
})

/** Imports a file and measures how long it takes until all of it is grouped. */
async function group(report: Report, product: Product, when: string): Promise<void> {
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
  const ms = performance.now() - began
  report.figure(`${ROWS} rows are grouped ${when} after ${seconds(ms)}`)
  report.require(ms <= MAX_GROUPED_MS, `that is at most ${seconds(MAX_GROUPED_MS)}`)
}
