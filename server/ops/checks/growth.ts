import { getImport, startImport } from '@groundswell/contract/feedback.ts'
import { asBytes, perturbed } from '../../faults/perturb.ts'
import { seeded } from '../../faults/random.ts'
import { until } from '../../faults/until.ts'
import { runCheckAlone } from '../check.ts'
import { cpuSeconds } from '../cpu.ts'
import { Postgres } from '../postgres.ts'
import { Product } from '../product.ts'
import { temporaryFolder } from '../temporary-folder.ts'

// A row costs about as much in a workspace that has up to a million as in one that has up to 100,000.

const FIRST = 100_000
const ALL = 1_000_000
const MIN_RATIO = 0.8
const MAX_DATABASE_SHARE = 0.35
const DEADLINE_MS = 100 * 60_000

const PARTS = [
  'CSV export',
  'login page',
  'invoice',
  'calendar',
  'mobile app',
  'search',
  'dashboard',
  'billing address',
]
const PLACES = ['on my phone', 'for large accounts', 'in the report', 'after the update', 'in the team settings']
const PROBLEMS = [
  'fails with an error',
  'is missing a filter',
  'shows the wrong numbers',
  'takes minutes to load',
  'cannot be shared',
]
const MESSAGES = PARTS.flatMap((part) =>
  PLACES.flatMap((place) =>
    PROBLEMS.map((problem) => ({ text: `The ${part} ${place} ${problem}`, author: `Customer of ${part}` })),
  ),
)

type Part = { rate: number; databaseShare: number }

await runCheckAlone('growth', ['postgresql'], async (report, debian) => {
  const folder = temporaryFolder(report)
  const server = await Postgres.create(report, debian, {
    folder: `${folder}/server`,
    port: 5432,
    settings: { shared_buffers: '1GB', max_wal_size: '4GB' },
  })
  const product = new Product(report, {
    env: { ...server.addresses, ENCODER: 'off' },
    query: (text, values) => server.query(text, undefined, values),
  })
  await product.migrate()
  const processes = [await product.serve(), await product.work()]
  await product.furnish()
  const database = [server.pid]
  const own = processes.map((child) => child.process.pid ?? 0)

  const rows = perturbed(MESSAGES, ALL, seeded(1))
  const add = async (count: number): Promise<Part> => {
    const before = { database: cpuSeconds(database), own: cpuSeconds(own) }
    for (let left = count; left > 0; left -= FIRST) await addFile(product, next(Math.min(FIRST, left), rows))
    const databaseSeconds = cpuSeconds(database) - before.database
    const seconds = databaseSeconds + cpuSeconds(own) - before.own
    return { rate: count / seconds, databaseShare: databaseSeconds / seconds }
  }
  const text = ({ rate, databaseShare }: Part) =>
    `${Math.round(rate)} rows per CPU-second, ${(100 * databaseShare).toFixed(0)} % of it in PostgreSQL`

  const first = await add(FIRST)
  report.figure(`up to ${FIRST} rows: ${text(first)}`)
  const rest = await add(ALL - FIRST)
  report.figure(`from there to ${ALL} rows: ${text(rest)}`)
  const ratio = rest.rate / first.rate
  report.figure(`${ratio.toFixed(2)} times the rate`)
  report.require(ratio >= MIN_RATIO, `that is at least ${MIN_RATIO} times the rate up to ${FIRST}`)
  report.require(
    rest.databaseShare <= MAX_DATABASE_SHARE,
    `PostgreSQL has at most ${100 * MAX_DATABASE_SHARE} % of the processor time`,
  )
})

/** Imports a file and waits until all of it is grouped. */
async function addFile(product: Product, rows: Iterable<object>): Promise<void> {
  await product.signIn()
  const { id } = await product.client.call(startImport, { query: { name: 'rows.jsonl' }, raw: asBytes(rows) })
  await until(
    'all rows to be grouped',
    async () => {
      const found = await product.client.call(getImport, { params: { id } })
      if (found.state === 'failed') throw new Error(`the import failed: ${found.error}`)
      return (found.state === 'done' && found.bad === 0 && found.grouped === found.added) || undefined
    },
    { deadlineMs: DEADLINE_MS, everyMs: 2_000 },
  )
}

/** The next items of a generator, which stays open for those after them. */
function* next<T>(count: number, items: Iterator<T>): Generator<T> {
  for (let taken = 0; taken < count; taken += 1) {
    const { value, done } = items.next()
    if (done) return
    yield value
  }
}
