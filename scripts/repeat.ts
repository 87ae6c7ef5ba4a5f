import { execFileSync, spawn } from 'node:child_process'
import { appendFileSync, createWriteStream, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { cpus, platform, totalmem } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { type CpuLoad, measureLoad, startCpuLoad } from './checks/cpu-load.ts'
import { type Part, type RepeatedRun, type Report, tableHead, tableRow } from './checks/repeat-table.ts'

/**
 * Runs all of `npm test` several times in a row, with retries off, on a machine that is kept busy, and prints a table. Fails if a run does.
 *   npm run test:repeat -- [--runs=5] [--load=8] [--nice=0] [--only=NAME] [--sample]
 * `--load` is the number of processes that keep CPUs busy beside the tests, 0 for a quiet machine; `--nice`, from 0 to 19, lets the tests go
 * before them. `--sample` runs the sample of the long tests too. The table is appended to node_modules/.groundswell/repeat.md, what each run printed is beside it.
 */
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    load: { type: 'string', default: '8' },
    nice: { type: 'string', default: '0' },
    only: { type: 'string' },
    sample: { type: 'boolean', default: false },
  },
})
const runs = wholeNumber('runs', values.runs)
const load = wholeNumber('load', values.load)
const nice = wholeNumber('nice', values.nice, 19)

/** A run that hangs is not kept company by busy processes for ever. */
const LONGEST_RUN_SECONDS = 2 * 60 * 60

const root = path.resolve(import.meta.dirname, '..')
const cache = path.join(root, 'node_modules', '.groundswell')
const report = path.join(cache, 'results', 'report.json')
const logs = path.join(cache, 'repeat')
const table = path.join(cache, 'repeat.md')
mkdirSync(logs, { recursive: true })

const done: RepeatedRun[] = []
for (let number = 1; number <= runs; number += 1) {
  const log = path.join(logs, `run-${number}.log`)
  process.stdout.write(`run ${number} of ${runs}, load ${load}: ${path.relative(root, log)}\n`)
  const run = await repeat(number, log)
  if (done.length === 0) appendFileSync(table, `\n${tableHead(run)}\n`)
  appendFileSync(table, `${tableRow(run)}\n`)
  done.push(run)
  process.stdout.write(`${tableHead(run)}\n${tableRow(run)}\n`)
}
const [first] = done
if (first)
  process.stdout.write(`\n${tableHead(first)}\n${done.map(tableRow).join('\n')}\n\n${path.relative(root, table)}\n`)
process.exitCode = done.some(({ failed }) => failed > 0) ? 1 : 0

async function repeat(number: number, log: string): Promise<RepeatedRun> {
  const busy = startCpuLoad(load, LONGEST_RUN_SECONDS, nice)
  const measured = measureLoad()
  const started = Date.now()
  const parts: Part[] = []
  let checksSeconds = 0
  let failed = 0
  try {
    const only = values.only === undefined ? [] : [`--only=${values.only}`]
    const commands = [['test', '--', '--no-retry', ...only], ...(values.sample ? [['run', 'test:sample']] : [])]
    for (const [at, command] of commands.entries()) {
      rmSync(report, { force: true })
      const code = await npm(command, log, at > 0)
      const own = existsSync(report) ? (JSON.parse(readFileSync(report, 'utf8')) as Report) : null
      parts.push(...(own?.parts ?? []))
      checksSeconds += own?.checksSeconds ?? 0
      // A run that ends badly without saying what failed has failed too.
      if (code !== 0 && !own?.parts.some((part) => part.failed > 0)) failed += 1
    }
  } finally {
    await endLoad(busy)
  }
  return {
    number,
    asked: load,
    nice,
    measured: measured(),
    seconds: (Date.now() - started) / 1000,
    checksSeconds,
    parts,
    passed: parts.reduce((sum, part) => sum + part.passed, 0),
    failed: parts.reduce((sum, part) => sum + part.failed, failed),
    commit: commit(),
    machine: `${platform()}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'CPU'}, ${Math.round(totalmem() / 2 ** 30)} GB`,
  }
}

async function endLoad(busy: CpuLoad): Promise<void> {
  if (busy.pids().length < load) process.stdout.write('Some of the busy processes ended before the tests.\n')
  await busy.end()
}

async function npm(args: readonly string[], log: string, append: boolean): Promise<number> {
  const child = spawn('npm', args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
    env: { ...process.env, FORCE_COLOR: '0' },
  })
  const ended = new Promise<number>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 1))
  })
  const file = createWriteStream(log, { flags: append ? 'a' : 'w' })
  child.stderr.pipe(file, { end: false })
  await pipeline(child.stdout, file, { end: false })
  const code = await ended
  await new Promise<void>((resolve) => {
    file.end(resolve)
  })
  return code
}

function commit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  return `${git('rev-parse', '--short=8', 'HEAD')}${git('status', '--porcelain') === '' ? '' : ' + changes'}`
}

function wholeNumber(name: string, text: string, largest = 99): number {
  if (!/^\d{1,2}$/.test(text) || Number(text) > largest)
    throw new Error(`--${name} is a number from 0 to ${largest}, not "${text}"`)
  return Number(text)
}
