import { mkdir, mkdtemp, open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { NO_OPTIONS } from '@groundswell/contract/evaluation/comparisons.ts'
import { boot } from '@groundswell/server/boot.ts'
import { comparisonRoutes, type Run } from '@groundswell/server/features/comparisons/index.ts'
import { readConfig } from '@groundswell/server/platform/config/config.ts'
import { queryAccounts, testWorkspace } from '@groundswell/server/platform/db/testing.ts'
import { believingServer } from '@groundswell/server/platform/http/testing.ts'
import { type Figure, figure } from '../engine/figures.ts'

const MADE = path.resolve(import.meta.dirname, '..', '..', 'server', 'demo', 'comparisons', 'two-weeks')
const BYTES = 200 * 1000 ** 2
const SOURCE = 'many'
const PAGES = 200
const TARGET_PAGE_MS = 50
const HOUR = 3_600_000

/** Milliseconds until the server has answered about one file of 200 MB: the options, before which it has not seen the file, and pages. */
export async function benchComparisons(runs: number): Promise<Figure[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'groundswell-bench-'))
  await mkdir(path.join(folder, 'comparisons', 'many'), { recursive: true })
  const config = readConfig({ GROUNDSWELL_DATA: folder, PORT: '0', LOG_LEVEL: 'silent', ENCODER: 'off' })
  const { services, stop } = await boot(config, { stopWithParent: true })
  try {
    const account = await testWorkspace(services.db)
    await queryAccounts(
      services.db,
      `insert into account (id, email, name, password_hash) values ($1, 'a@example.com', 'A', 'none')`,
      [account],
    )
    const app = await believingServer(services, comparisonRoutes(services))
    const ask = async (method: 'GET' | 'POST', call: string, payload?: object) => {
      const [start, used] = [performance.now(), process.cpuUsage()]
      const request = { method, url: `/comparison/${call}`, headers: { authorization: `Bearer ${account}` } }
      const { statusCode, body } = await app.inject(payload ? { ...request, payload } : request)
      if (statusCode !== 200) throw new Error(`${call} answered ${statusCode}: ${body.slice(0, 200)}`)
      const ms = performance.now() - start
      const { user, system } = process.cpuUsage(used)
      return { ms, cpu: (user + system) / 1_000, body }
    }
    const [opened, openedCpu, paged, pagedCpu]: [number[], number[], number[], number[]] = [[], [], [], []]
    let made = { bytes: 0, runs: 0 }
    for (let run = 0; run < runs; run++) {
      made = await writeMany(path.join(folder, 'comparisons', 'many', 'many.json'))
      await ask('POST', 'set_dir', { dir_name: 'many' })
      const options = await ask('GET', 'get_generator_options')
      opened.push(options.ms)
      openedCpu.push(options.cpu)
      await ask('POST', 'set_generator_filter', NO_OPTIONS)
      await ask('POST', 'set_input_filter', { input_filter: SOURCE })
      const { total } = JSON.parse((await ask('GET', 'pages?count=1')).body) as { total: number }
      const pages: { ms: number; cpu: number }[] = []
      for (let at = 0; at < PAGES; at++) {
        const from = (at * 7_919 + run) % total
        pages.push(await ask('GET', `pages?from=${from}&count=1`))
      }
      paged.push(percentile(pages.map(({ ms }) => ms)))
      pagedCpu.push(percentile(pages.map(({ cpu }) => cpu)))
    }
    const size = `comparison file with ${made.runs.toLocaleString('en')} runs, ${Math.round(made.bytes / 1024 ** 2)} MiB`
    return [
      figure(`${size}: options of the generators, first time`, 'ms', opened),
      figure(`${size}: options of the generators, first time, CPU`, 'ms', openedCpu),
      figure(`${size}: any comparison after it, 95th percentile of ${PAGES}`, 'ms', paged, { atMost: TARGET_PAGE_MS }),
      figure(`${size}: any comparison after it, CPU, 95th percentile of ${PAGES}`, 'ms', pagedCpu),
    ]
  } finally {
    await stop()
    await rm(folder, { recursive: true, force: true })
  }
}

function percentile(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? Number.NaN
}

/** Runs as the product makes them, again and again at other times. */
async function writeMany(file: string): Promise<{ bytes: number; runs: number }> {
  const made: Run[][] = []
  for (const name of (await readdir(MADE)).toSorted())
    made.push((JSON.parse(await readFile(path.join(MADE, name), 'utf8')) as { runs: Run[] }).runs)
  await rm(file, { force: true })
  const handle = await open(file, 'w')
  let [bytes, runs] = [0, 0]
  try {
    await handle.write('{"runs": [')
    for (let hour = 0; bytes < BYTES; hour++) {
      const from = Date.UTC(2020, 0, 1) + hour * HOUR
      const [datetime_from, datetime_to] = [new Date(from).toISOString(), new Date(from + HOUR).toISOString()]
      const texts = made.map((own) =>
        JSON.stringify({ ...own[hour % own.length], source_id: SOURCE, datetime_from, datetime_to }),
      )
      const text = `${hour === 0 ? '' : ','}${texts.join(',')}`
      await handle.write(text)
      bytes += Buffer.byteLength(text)
      runs += texts.length
    }
    await handle.write(']}\n')
  } finally {
    await handle.close()
  }
  return { bytes: (await stat(file)).size, runs }
}
