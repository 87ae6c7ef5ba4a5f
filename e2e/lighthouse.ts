// Measures every screen with Lighthouse, as a phone on a slow connection, in a running demo, and writes docs/benchmarks/web.{md,json}.
//   node e2e/lighthouse.ts [--only=/insights,/auth] [--runs=3]
// With --only or a number of runs other than three it prints the figures and writes nothing.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { cpus, tmpdir } from 'node:os'
import path from 'node:path'
import readline from 'node:readline'
import { parseArgs } from 'node:util'
import lighthouse from 'lighthouse'
import { launchWithProfile } from './browser.ts'

const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const
const TARGETS: Record<Category, number> = { performance: 95, accessibility: 100, 'best-practices': 100 }
const SCREENS = [
  '/auth',
  '/insights',
  '/integrations',
  '/settings',
  '/eval?eval=two-weeks-sentences.json',
  '/comparisons',
  '/deliveries',
  '/import',
  '/admin/jobs',
]
const RUNS = 3

type Category = (typeof CATEGORIES)[number]
type Scores = Record<Category, number> & { lcpMs: number; cls: number; faults: string[] }
type Measured = { screen: string; runs: Scores[] }

const root = path.resolve(import.meta.dirname, '..')
const { values } = parseArgs({ options: { only: { type: 'string' }, runs: { type: 'string', default: String(RUNS) } } })
const screens = values.only === undefined ? SCREENS : values.only.split(',')
const runs = Number(values.runs)

const demo = spawn(process.execPath, [path.join(root, 'server/demo.ts')], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { ...process.env, PORT: '3971' },
})
const profile = await mkdtemp(path.join(tmpdir(), 'groundswell-lighthouse-'))
const measured: Measured[] = []
try {
  const { origin, token } = await demoAddress()
  const port = await freePort()
  const context = await launchWithProfile(profile, port)
  const [page = await context.newPage()] = context.pages()
  for (const screen of screens) {
    await page.goto(`${origin}/robots.txt`)
    await page.evaluate(
      (kept) => {
        localStorage.clear()
        if (kept) localStorage.setItem('token', kept)
      },
      screen === '/auth' ? '' : token,
    )
    const all: Scores[] = []
    for (let run = 0; run < runs; run += 1) all.push(await measure(`${origin}${screen}`, port))
    measured.push({ screen, runs: all })
    process.stdout.write(`${row(measured.at(-1) as Measured)}\n`)
  }
  await context.close()
} finally {
  demo.kill('SIGINT')
  await once(demo, 'exit')
  await rm(profile, { recursive: true, force: true })
}
if (values.only === undefined && runs === RUNS) await report()
const failed = measured.some((one) => CATEGORIES.some((category) => middle(one, category) < TARGETS[category]))
process.exitCode = failed ? 1 : 0

/** Waits until the demo has its data, and returns its address. */
async function demoAddress(): Promise<{ origin: string; token: string }> {
  let app = ''
  for await (const line of readline.createInterface({ input: demo.stdout })) {
    app = /^\s*or open\s+(\S+)/.exec(line)?.[1] ?? app
    if (line.includes('New messages now come in')) break
  }
  demo.stdout.resume()
  const { origin, hash } = new URL(app)
  return { origin, token: new URLSearchParams(hash.slice(1)).get('access_token') ?? '' }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** One visit by phone: a processor four times slower, 1.6 Mbit/s and 150 ms of latency, an empty cache. */
async function measure(url: string, port: number): Promise<Scores> {
  const outcome = await lighthouse(url, {
    port,
    logLevel: 'error',
    onlyCategories: [...CATEGORIES],
    disableStorageReset: true,
  })
  if (!outcome) throw new Error(`Lighthouse did not measure ${url}`)
  const { categories, audits } = outcome.lhr
  const broken = Object.values(audits).filter(({ scoreDisplayMode }) => scoreDisplayMode === 'error')
  if (categories['performance']?.score === null) {
    throw new Error(
      `${url} was not measured: ${broken.map(({ id, errorMessage }) => `${id} ${errorMessage}`).join('; ')}`,
    )
  }
  const score = (category: Category) => Math.round((categories[category]?.score ?? 0) * 100)
  const inScores = new Set(
    ['accessibility', 'best-practices'].flatMap((name) => categories[name]?.auditRefs.map(({ id }) => id) ?? []),
  )
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    'best-practices': score('best-practices'),
    lcpMs: Math.round(audits['largest-contentful-paint']?.numericValue ?? 0),
    cls: audits['cumulative-layout-shift']?.numericValue ?? 0,
    faults: Object.values(audits)
      .filter(({ id, score: given }) => inScores.has(id) && given !== null && given < 1)
      .map(({ id }) => id),
  }
}

function middle({ runs: all }: Measured, what: Exclude<keyof Scores, 'faults'>): number {
  return all.map((one) => one[what]).toSorted((one, other) => one - other)[Math.floor(all.length / 2)] ?? 0
}

function row(one: Measured): string {
  const scores = CATEGORIES.map((category) => middle(one, category))
  const met = CATEGORIES.every((category, index) => (scores[index] ?? 0) >= TARGETS[category])
  const faults = [...new Set(one.runs.flatMap(({ faults: names }) => names))].join(', ')
  const paint = `${(middle(one, 'lcpMs') / 1000).toFixed(1)} s`
  return `| ${[one.screen, ...scores, paint, middle(one, 'cls').toFixed(3), met ? 'met' : `missed ${faults}`].join(' | ')} |`
}

async function report(): Promise<void> {
  const folder = path.join(root, 'docs/benchmarks')
  const page = `# Screens on a phone

Written by \`npm run bench\`: Lighthouse ${(await import('lighthouse/package.json', { with: { type: 'json' } })).default.version}, mobile, medians of ${RUNS} visits with an empty cache to a demo whose
data is complete. Targets: performance ${TARGETS.performance}, accessibility and best practices 100. Measured ${new Date().toISOString().slice(0, 10)} on ${cpus().length} cores, Node ${process.versions.node}.

| screen | performance | accessibility | best practices | largest paint | layout shift | |
|---|---:|---:|---:|---:|---:|---|
${measured.map(row).join('\n')}

What a screen makes a browser fetch is bounded at build time by \`web/check-budget.ts\`: at most 130 KiB gzip for a first route,
60 for a lazy one; no fonts are fetched. How the list behaves at ten thousand insights is in [foundation.md](foundation.md).
`
  await writeFile(path.join(folder, 'web.md'), page)
  await writeFile(path.join(folder, 'web.json'), `${JSON.stringify(measured, null, 2)}\n`)
}
