// Measures evaluation and writes docs/benchmarks/evaluation.md: generators over windows by the built-in engine, and sessions of many response evaluations and
// comparisons of many runs over HTTP. Linux only: it reads /proc.
//   node bench/product/evaluation.ts [--runs=3]

import { writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, open, readFile, rm, stat } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { EvalSession } from '@groundswell/contract/evaluation/evals.ts'
import { boot } from '@groundswell/server/boot.ts'
import { encodeTexts } from '@groundswell/server/cli/encode-texts.ts'
import { companyFeedback } from '@groundswell/server/demo/made-evaluations.ts'
import { evalRoutes } from '@groundswell/server/features/evals/index.ts'
import { openGrid, parseGrid, windowsOf } from '@groundswell/server/features/evaluation/index.ts'
import { readConfig } from '@groundswell/server/platform/config/config.ts'
import { believingServer } from '@groundswell/server/platform/http/testing.ts'
import { type Figure, figure, table } from '../engine/figures.ts'
import { headingOf, thisMachine } from '../engine/machine.ts'
import { benchComparisons } from './evaluation-comparisons.ts'
import { cpuSeconds } from './processes.ts'

const PAGE = path.resolve(import.meta.dirname, '..', '..', 'docs', 'benchmarks', 'evaluation.md')
const SESSIONS = path.resolve(import.meta.dirname, '..', '..', 'server', 'demo', 'evals')
const WORKSPACE = '00000000-0000-4000-8000-000000000001'
const WINDOWS = 20
const TARGET_CPU_SECONDS = 60
const RESPONSES = 10_000
const TARGET_OPEN_MS = 1_000
const TARGET_PAGE_MS = 50
const PAGES = 200
/** The server returns no larger session whole. */
const WHOLE_BYTES = 64 * 1024 ** 2

const { values } = parseArgs({ options: { runs: { type: 'string', default: '3' } } })

async function main(): Promise<void> {
  const runs = Number(values.runs)
  const began = loadavg()[0] ?? 0
  const figures = [...(await benchGrid(runs)), ...(await benchSessions(runs)), ...(await benchComparisons(runs))]
  const text = page(table(figures), [began, loadavg()[0] ?? 0])
  process.stdout.write(text)
  writeFileSync(PAGE, text)
}

/** Seconds of CPU, of the encoder's process too, each time into an empty folder. */
async function benchGrid(runs: number): Promise<Figure[]> {
  const grid = parseGrid(
    JSON.stringify({
      name: 'bench',
      generators: [
        {
          method: 'built-in',
          llm_model_name: ['words', 'sentences'],
          verbosity: ['low', 'medium', 'high'],
          response_class: ['IssueName', 'Issue', 'IssueWithQuotes', 'IssueWithQuotesAndTags'],
        },
      ],
      windows: { datetime_from: '2026-09-07T00:00:00Z', datetime_to: '2027-09-07T00:00:00Z', days: 7 },
    }),
  )
  const windows = windowsOf(companyFeedback(Date.parse('2026-09-07T00:00:00Z')), grid).slice(0, WINDOWS)
  const messages = windows.reduce((sum, one) => sum + one.messages.length, 0)
  const taken: number[] = []
  for (let count = 0; count < runs; count++) {
    const folder = await mkdtemp(path.join(tmpdir(), 'groundswell-bench-'))
    const surroundings = {
      llm: undefined,
      encodeAll: (texts: readonly string[]) => encodeTexts(texts, readConfig()),
      encode: async () => null,
      signal: new AbortController().signal,
    }
    const before = cpuSeconds(process.pid)
    const outcome = await openGrid(grid, windows, { folder, surroundings }).run(() => undefined)
    taken.push(cpuSeconds(process.pid) - before)
    await rm(folder, { recursive: true })
    if (outcome.made !== grid.generators.length * WINDOWS) throw new Error(`${outcome.made} answers were made`)
  }
  const what = `${grid.generators.length} generators × ${windows.length} windows, ${messages} messages, built-in engine: CPU`
  return [figure(what, 's', taken, { atMost: TARGET_CPU_SECONDS })]
}

/** Milliseconds until the server has answered: the first page of a file that it has not seen, and the pages after it. */
async function benchSessions(runs: number): Promise<Figure[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'groundswell-bench-'))
  const evals = path.join(folder, 'evals')
  await mkdir(evals)
  const config = readConfig({ GROUNDSWELL_DATA: folder, PORT: '0', LOG_LEVEL: 'silent', ENCODER: 'off' })
  const { services, stop } = await boot(config, { stopWithParent: true })
  try {
    const app = await believingServer(services, evalRoutes(services))
    const headers = { authorization: `Bearer ${WORKSPACE}` }
    const ask = async (url: string) => {
      const [start, used] = [performance.now(), process.cpuUsage()]
      const { statusCode, body } = await app.inject({ method: 'GET', url, headers })
      if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}: ${body.slice(0, 200)}`)
      const ms = performance.now() - start
      const { user, system } = process.cpuUsage(used)
      return { ms, cpu: (user + system) / 1_000, body }
    }
    const made = JSON.parse(await readFile(path.join(SESSIONS, 'two-weeks-words.json'), 'utf8')) as EvalSession
    const figures: Figure[] = []
    for (const [name, session] of [
      ['short', short(made)],
      ['as made by the product', made],
    ] as const) {
      const file = path.join(evals, 'many.json')
      const [opened, openedCpu, paged, whole, wholeCpu]: [number[], number[], number[], number[], number[]] = [
        [],
        [],
        [],
        [],
        [],
      ]
      let bytes = 0
      for (let run = 0; run < runs; run++) {
        bytes = await writeMany(file, session)
        const first = await ask('/eval/pages?filename=many.json&from=0&count=1')
        if ((JSON.parse(first.body) as { total: number }).total !== RESPONSES)
          throw new Error('not all of them are there')
        opened.push(first.ms)
        openedCpu.push(first.cpu)
        const pages: number[] = []
        for (let at = 0; at < PAGES; at++) {
          const from = (at * 7_919 + run) % RESPONSES
          pages.push((await ask(`/eval/pages?filename=many.json&from=${from}&count=1`)).ms)
        }
        paged.push(pages.toSorted((a, b) => a - b)[Math.floor(PAGES * 0.95)] as number)
        if (bytes > WHOLE_BYTES) continue
        const all = await ask('/eval/get_eval?filename=many.json')
        whole.push(all.ms)
        wholeCpu.push(all.cpu)
      }
      const size = `${RESPONSES.toLocaleString('en')} response evaluations, ${Math.round(bytes / 1024 ** 2)} MiB, ${name}`
      figures.push(
        figure(`${size}: first page`, 'ms', opened, { atMost: TARGET_OPEN_MS }),
        figure(`${size}: first page, CPU`, 'ms', openedCpu),
        figure(`${size}: any page after it, 95th percentile of ${PAGES}`, 'ms', paged, { atMost: TARGET_PAGE_MS }),
      )
      if (whole.length === 0) continue
      figures.push(
        figure(`${size}: the whole session`, 'ms', whole, { atMost: TARGET_OPEN_MS }),
        figure(`${size}: the whole session, CPU`, 'ms', wholeCpu),
      )
    }
    return figures
  } finally {
    await stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Two evaluators and the beginning of each input: about as much as the specification's example has. */
function short(session: EvalSession): EvalSession {
  return {
    evaluators: session.evaluators.slice(0, 2),
    response_evaluations: session.response_evaluations.map((one) => ({
      ...one,
      responses: one.responses?.slice(0, 2),
      rubrics_responses_evaluations: one.rubrics_responses_evaluations.slice(0, 2).map((grades) => ({
        ...grades,
        rubric_response_evaluations: grades.rubric_response_evaluations?.slice(0, 2),
      })),
      formatted_user_input: one.formatted_user_input?.slice(0, 1_000),
    })),
  }
}

/** A session of the same pages again and again. Returns its size in bytes. */
async function writeMany(file: string, { evaluators, response_evaluations: pages }: EvalSession): Promise<number> {
  await rm(file, { force: true })
  const handle = await open(file, 'w')
  try {
    const texts = pages.map((one) => JSON.stringify(one))
    await handle.write(`{"evaluators": ${JSON.stringify(evaluators)}, "response_evaluations": [`)
    for (let at = 0; at < RESPONSES; at++) await handle.write(`${at === 0 ? '' : ','}${texts[at % texts.length]}`)
    await handle.write(']}\n')
  } finally {
    await handle.close()
  }
  return (await stat(file)).size
}

function page(measured: string, [before, after]: readonly [number, number]): string {
  return `# Evaluation

${headingOf(thisMachine(new Date()))}. Load of the machine (1 minute): ${before.toFixed(1)} at first, ${after.toFixed(1)} at the end.

${measured}

CPU is that of the process and of the encoder, whose vectors are made again in each run. Sessions are asked for over HTTP within one process; their file is written
again before each run, so that the server has not seen it. A session of more than 64 MiB is read page by page only, and so are
comparisons. The options of the generators are the first that a comparison file is read for. On a machine with load, the time on the clock
is mostly waiting: there, CPU is what can be compared. Made by \`npm run bench:evaluation\`.
`
}

await main()
