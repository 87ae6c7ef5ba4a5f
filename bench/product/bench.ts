// Measures speed and size and writes them to docs/benchmarks/foundation.{json,md}. Linux only: it reads /proc.
// The screens on a phone are measured by e2e/lighthouse.ts, which writes docs/benchmarks/web.{md,json}.
//   node bench/product/bench.ts [--only=first-insights|first-minute|pipeline|polls|insights|starts|backfill|tokens|search|report|sizes|web] [--rows=100000] [--runs=3] [--profile=FOLDER]
// With --only or sizes other than the defaults it prints the figures and writes nothing.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Figure } from '../engine/figures.ts'
import { benchBackfill } from './backfill.ts'
import { benchFirstInsights, benchFirstMinute } from './first-minute.ts'
import { benchInsights } from './insights.ts'
import { benchPipeline } from './pipeline.ts'
import { benchPolls } from './polls.ts'
import { page, summary, thisMachine } from './report.ts'
import { benchReport } from './report-page.ts'
import { benchSearch } from './search.ts'
import { benchSizes } from './sizes.ts'
import { benchStarts } from './starts.ts'
import { benchTokens } from './tokens.ts'

const folder = path.resolve(import.meta.dirname, '..', '..', 'docs', 'benchmarks')
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    rows: { type: 'string', default: '100000' },
    runs: { type: 'string', default: '3' },
    profile: { type: 'string' },
  },
})
if (process.platform !== 'linux') throw new Error('The benchmarks read /proc, which only Linux has.')

const parts: Record<string, () => Promise<Figure[]>> = {
  pipeline: () => benchPipeline({ rows: Number(values.rows), runs: Number(values.runs), profile: values.profile }),
  'first-insights': () => benchFirstInsights({ runs: Number(values.runs) }),
  'first-minute': benchFirstMinute,
  polls: benchPolls,
  insights: benchInsights,
  starts: benchStarts,
  backfill: benchBackfill,
  tokens: benchTokens,
  search: () => benchSearch({ rows: values.rows === '100000' ? 200_000 : Number(values.rows) }),
  report: () => benchReport({ rows: Number(values.rows), runs: Number(values.runs) }),
  sizes: () => benchSizes({ rows: Number(values.rows) }),
  web: measureScreens,
}
const machine = thisMachine(new Date())
const figures: Figure[] = []
for (const [name, part] of Object.entries(parts)) {
  if (values.only && values.only !== name) continue
  process.stderr.write(`${name} …\n`)
  figures.push(...(await part()))
}
process.stdout.write(summary(machine, figures))

if (!values.only && !values.profile && values.rows === '100000') {
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, 'foundation.json'), `${JSON.stringify({ machine, figures }, null, 2)}\n`)
  writeFileSync(path.join(folder, 'foundation.md'), page(machine, figures))
}

/** Lighthouse writes its results to its own report; a screen that misses its target makes this run fail at the end. */
async function measureScreens(): Promise<Figure[]> {
  const script = path.resolve(import.meta.dirname, '..', '..', 'e2e', 'lighthouse.ts')
  const [code] = (await once(spawn(process.execPath, [script], { stdio: 'inherit' }), 'exit')) as [number | null]
  if (code !== 0) process.exitCode = 1
  return []
}
