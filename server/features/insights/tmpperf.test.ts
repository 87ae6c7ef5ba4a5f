import { readFileSync, readdirSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { sql } from 'kysely'
import { test } from 'vitest'
import { World } from './testing.ts'
import { groupWorkspace } from './grouping-run.ts'
import { considerPush } from '../deliveries/index.ts'

function pg(): { ms: number; rss: number } {
  let ticks = 0, rss = 0
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue
    try {
      const cmd = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      if (!/groundswell_test_|^postgres|\/postgres/.test(cmd) || !cmd.includes(MARK)) continue
      const st = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
      ticks += Number(st[11]) + Number(st[12])
    } catch {}
  }
  return { ms: ticks * 10, rss }
}
let MARK = 'postgres'
test('perf', async () => {
  const N = Number(process.env.N ?? 20000)
  const world = await World.start()
  MARK = String((await world.services.db.pool.query('select current_database() as d')).rows[0].d)
  const ws = await world.workspace()
  await world.inside(ws, (tx) => sql`insert into connection (workspace_id, connector) values (${ws}, 'file')`.execute(tx))
  const lines = readFileSync('/tmp/perf/100k.txt', 'utf8').split('\n').slice(0, N)
  const t0 = process.cpuUsage(), p0 = pg().ms
  for (let i = 0; i < N; i += 1000) await world.store(ws, lines.slice(i, i + 1000).map((text, k) => ({ id: `l${i + k}`, text, author: `a${(i + k) % 900}` })))
  const t1 = process.cpuUsage(t0), p1 = pg().ms
  console.log('store', N, 'node ms', (t1.user + t1.system) / 1000, 'pg ms', p1 - p0)
  const h = monitorEventLoopDelay({ resolution: 5 }); h.enable()
  const a = process.cpuUsage(), w = performance.now(), m0 = process.memoryUsage().rss
  const out = await groupWorkspace(world.services, ws, { changed: considerPush(world.services) })
  const b = process.cpuUsage(a)
  h.disable()
  const p2 = pg().ms
  const node = (b.user + b.system) / 1000
  const st = (await world.inside(ws, (tx) => sql<any>`select (select count(*) from insight where not hidden and ended_at is null) shown, (select length(state) from engine_state) bytes, (select count(*) from statement where issue_number is not null) joined`.execute(tx))).rows
  console.log(JSON.stringify({ out, st, wall: performance.now() - w, node, pg: p2 - p1, maxStall: h.max / 1e6, p99: h.percentile(99) / 1e6, rss: process.memoryUsage().rss / 1e6, m0: m0 / 1e6, peak: process.resourceUsage().maxRSS / 1e3 }))
  console.log('rows per cpu second', N / ((node + p2 - p0 + (t1.user + t1.system) / 1000) / 1000))
  await world.stop()
}, 900000)
