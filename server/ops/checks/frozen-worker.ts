import { setTimeout as pause } from 'node:timers/promises'
import { listInsights } from '@groundswell/contract/insights.ts'
import { startReceiver } from '../../faults/receiver.ts'
import { until } from '../../faults/until.ts'
import { runCheckAlone, seconds } from '../check.ts'
import { Postgres } from '../postgres.ts'
import { Product } from '../product.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { textsOf } from '../texts.ts'
import { look } from '../watch.ts'

// A worker is frozen in the middle of a grouping's transaction, while it holds the workspace. Another worker continues and a person's change succeeds
// within 30 s; when the first one thaws, nothing happens twice.

const LIMIT_MS = 30_000
const ROUNDS = 3

/** Sessions of workers that hold a row of `workspace` and wait for their process. */
const HOLDERS = `select distinct a.pid from pg_stat_activity a join pg_locks l on l.pid = a.pid
  where a.application_name = 'groundswell' and a.state = 'idle in transaction' and l.mode = 'RowExclusiveLock'
    and l.relation = 'workspace'::regclass`

await runCheckAlone('frozen-worker', ['postgresql'], async (report, debian) => {
  const folder = temporaryFolder(report)
  const server = await Postgres.create(report, debian, { folder, port: 5432 })
  const product = new Product(report, {
    env: server.addresses,
    query: (text, values) => server.query(text, undefined, values),
  })
  const receiver = await startReceiver(() => 5)
  report.onEnd(() => receiver.stop())
  await product.migrate()
  await product.serve()
  let worker = await product.work()
  await product.furnish(receiver)
  await product.import('first', textsOf('first', 1))
  await product.settle()

  for (let round = 1; round <= ROUNDS; round += 1) {
    const texts = Array.from({ length: 3 }, (_, part) => textsOf(`round${round}${part}`, 10 * round + part)).flat()
    await product.import(`round ${round}`, texts)
    const frozen = worker
    await until(
      'the moment',
      async () => {
        if ((await server.query(HOLDERS)).length === 0) return undefined
        process.kill(frozen.pid, 'SIGSTOP')
        await pause(300)
        // The transaction may have ended just before.
        if ((await server.query(HOLDERS)).length > 0) return true
        process.kill(frozen.pid, 'SIGCONT')
        return undefined
      },
      { everyMs: 3 },
    )
    const began = performance.now()
    const ungrouped = async () => {
      const [row] = await server.query<{ n: number }>(
        'select count(*)::int as n from feedback_item where grouped_seq is null',
      )
      return row?.n ?? 0
    }
    const [left, second] = await Promise.all([ungrouped(), product.work()])
    const insight = (await product.client.call(listInsights))[0]
    const change = look(`${product.base}/api/insights/${insight?.issue_number}`, {
      method: 'DELETE',
      token: product.client.token,
      limitMs: 60_000,
    })
    await until('the other worker', async () => (await ungrouped()) < left || undefined)
    const continued = performance.now() - began
    const { status, at, ms } = await change
    const changed = at + ms - began
    report.figure(`another worker continued after ${seconds(continued)}, a change took ${seconds(changed)} (${status})`)
    report.require(continued <= LIMIT_MS, `another worker continues within ${LIMIT_MS / 1000} s`)
    report.require(status === 200 && changed <= LIMIT_MS, `a person's change succeeds within ${LIMIT_MS / 1000} s`)
    process.kill(frozen.pid, 'SIGCONT')
    await product.settle()
    await product.end(frozen)
    worker = second
  }
  await product.requireSound(receiver)
})
