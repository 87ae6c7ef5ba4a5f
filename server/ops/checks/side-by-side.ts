import { setTimeout as pause } from 'node:timers/promises'
import { startReceiver } from '../../faults/receiver.ts'
import { balancedProduct, Load, Pair, PORTS, startBalancer } from '../balancer.ts'
import { runCheckAlone, seconds } from '../check.ts'
import { earlierVersion } from '../earlier-version.ts'
import { loadsOf, type MeasuredWorker, startMeasuredWorker } from '../group-loads.ts'
import { Postgres } from '../postgres.ts'
import type { Product } from '../product.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { look } from '../watch.ts'

// The version before the newest migration and this one share a database under load: this one migrates while the earlier one works, API processes and workers of
// both serve the same workspace for a while, and then those of the earlier one are stopped. No call fails, and nothing is lost or done twice.

/** How long the earlier version works alone, before and after the migration. */
const ALONE_MS = 10_000
const MIXED_MS = 20_000
const STORED_ROWS = 300

const [REPLACED, KEPT] = PORTS

await runCheckAlone('side-by-side', ['postgresql', 'haproxy'], async (report, debian) => {
  const folder = temporaryFolder(report)
  const { checkout, commit, migration } = earlierVersion(folder)
  const server = await Postgres.create(report, debian, { folder: `${folder}/server`, port: 5432 })
  const product = balancedProduct(report, server)
  await product.migrate({ checkout })
  const pair = new Pair(report, product)
  for (const port of PORTS) await pair.start(port, { checkout })
  const earlierWorker = await startMeasuredWorker(product, { checkout })
  await startBalancer(report, debian, `${folder}/server`, product)
  const receiver = await startReceiver(() => 10)
  report.onEnd(() => receiver.stop())
  await product.furnish(receiver)
  await product.import(
    'stored before',
    Array.from({ length: STORED_ROWS }, (_, row) => `The invoice of month ${row % 50} shows a wrong total (${row})`),
  )
  await product.settle()

  const load = new Load(product, 'through HAProxy')
  await pause(ALONE_MS)
  const began = performance.now()
  await product.migrate()
  report.figure(`${migration} was added to ${commit} under load within ${seconds(performance.now() - began)}`)
  const [applied] = await product.query<{ name: string }>('select name from migration order by version desc limit 1')
  report.require(applied?.name === migration, `the database is migrated (${applied?.name})`)
  await pause(ALONE_MS)

  await pair.replace(REPLACED, 'earlier version')
  const worker = await startMeasuredWorker(product)
  const direct = PORTS.map((port) => {
    const name = port === KEPT ? 'through the earlier version' : 'through this version'
    return new Load(product, name, addressOf(port))
  })
  await pause(MIXED_MS)
  for (const one of [...direct, load]) await one.stop(report)
  report.require(
    (await groupsWithout(product, { frozen: earlierWorker, working: worker, importedOn: KEPT })) &&
      (await groupsWithout(product, { frozen: worker, working: earlierWorker, importedOn: REPLACED })),
    'each worker groups upon what the other one stored',
  )

  await product.settle()
  const [earlier, current] = await Promise.all([KEPT, REPLACED].map((port) => insightsAt(product, port)))
  report.require(
    earlier !== '[]' && earlier === current,
    `both versions list the same insights${earlier === current ? '' : `: ${earlier} and ${current}`}`,
  )

  const last = new Load(product, 'while the earlier version is stopped')
  const { code } = await product.end(earlierWorker.child)
  report.require(code === 0, `the earlier worker ends with exit code 0 (${code})`)
  await pair.replace(KEPT, 'earlier version')
  await pause(ALONE_MS)
  await last.stop(report)
  await product.requireSound(receiver)
  report.require(product.fallen().length === 0, 'no process ended unexpectedly')
})

function addressOf(port: number): string {
  return `http://127.0.0.1:${port}`
}

type Handover = { frozen: MeasuredWorker; working: MeasuredWorker; importedOn: number }

/** Imports a file while one of the workers is frozen, so that the other one has to group it. True: it loaded what had been stored and did so. */
async function groupsWithout(product: Product, { frozen, working, importedOn }: Handover): Promise<boolean> {
  await product.settle()
  const before = await loadsOf([working])
  frozen.child.process.kill('SIGSTOP')
  try {
    const texts = [`The export of report 1 fails while a worker is frozen (${importedOn})`]
    await product.import(`handover ${importedOn}`, texts, addressOf(importedOn))
    await product.settle()
  } finally {
    frozen.child.process.kill('SIGCONT')
  }
  return (await loadsOf([working])).database > before.database
}

/** The insights as one API process lists them; what only one version shows is left out. */
async function insightsAt(product: Product, port: number): Promise<string> {
  const { status, body } = await look(`${addressOf(port)}/api/insights/get-all`, { token: product.client.token })
  if (status !== 200) throw new Error(`the list of insights on port ${port} is ${status}`)
  const list = JSON.parse(body) as Record<string, unknown>[]
  return JSON.stringify(
    list.map(({ issue_number, issue_name, status: state, mention_count }) => [
      issue_number,
      issue_name,
      state,
      mention_count,
    ]),
  )
}
