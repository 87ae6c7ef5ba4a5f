import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { type Debian, type DebianProgram, fromDebian } from './debian.ts'

/** What one check reports while it runs. */
export class Report {
  /** Conditions that do not hold. */
  readonly faults: string[] = []
  readonly #figures: string[] = []
  readonly #cleanups: (() => unknown)[] = []
  readonly #kills = new Set<() => void>()

  /** A line of progress. */
  say(text: string): void {
    process.stdout.write(`  ${text}\n`)
  }

  /** A measured figure, for the verdict. */
  figure(text: string): void {
    this.say(text)
    this.#figures.push(text)
  }

  /** A condition of the criterion. The check continues when it does not hold, so that one run shows every fault. */
  require(holds: boolean, condition: string): void {
    this.say(`${holds ? 'ok' : 'NOT'}: ${condition}`)
    if (!holds) this.faults.push(condition)
  }

  /** Called when the check ends, however it ends; the last one first. */
  onEnd(cleanup: () => unknown): void {
    this.#cleanups.push(cleanup)
  }

  /** Called when the process ends, even without a clean-up: nothing that was started may be left. */
  killAtExit(kill: () => void): void {
    this.#kills.add(kill)
  }

  kill(): void {
    for (const kill of this.#kills) kill()
  }

  async cleanUp(): Promise<void> {
    for (const cleanup of this.#cleanups.splice(0).reverse()) {
      try {
        await cleanup()
      } catch (error) {
        this.say(`clean-up: ${(error as Error).message}`)
      }
    }
  }

  get figures(): string {
    return this.#figures.join('; ')
  }
}

/** Set in the process that runs in its own network namespace. */
const ALONE = 'GROUNDSWELL_OPS_ALONE'

/**
 * The same with programs from Debian, in a separate network namespace: every port is free there, and changes to its network affect nothing else.
 * Needs root.
 */
export async function runCheckAlone(
  name: string,
  programs: readonly DebianProgram[],
  check: (report: Report, debian: Debian) => Promise<void>,
): Promise<never> {
  if (process.env[ALONE]) {
    execFileSync('ip', ['link', 'set', 'lo', 'up'])
    return runCheck(name, (report) => check(report, fromDebian(programs)))
  }
  try {
    // Done here, because the separate network has no connection to the outside.
    fromDebian(programs)
  } catch (error) {
    process.stdout.write(`FAIL ${name}: ${(error as Error).message}\n`)
    process.exit(1)
  }
  const child = spawn('unshare', ['--net', process.execPath, ...process.argv.slice(1)], {
    stdio: 'inherit',
    env: { ...process.env, [ALONE]: '1' },
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  const [code] = await once(child, 'close')
  process.exit(typeof code === 'number' ? code : 1)
}

/** Runs a check as a script: prints its progress and one line PASS or FAIL with its figures, and exits with 0 or 1. */
export async function runCheck(name: string, check: (report: Report) => Promise<void>): Promise<never> {
  const report = new Report()
  // Each process of the product has one.
  process.setMaxListeners(100)
  process.once('exit', () => report.kill())
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void report.cleanUp().finally(() => process.exit(1)))
  }
  const started = performance.now()
  try {
    await check(report)
  } catch (error) {
    report.faults.push(error instanceof Error ? error.message : String(error))
    report.say(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
  await report.cleanUp()
  const passed = report.faults.length === 0
  const seconds = Math.round((performance.now() - started) / 1000)
  const faults = report.faults.map((fault) => fault.split('\n')[0]).join(' | ')
  process.stdout.write(
    `${passed ? 'PASS' : 'FAIL'} ${name}: ${[faults, report.figures].filter((text) => text !== '').join(' — ')} ` +
      `(${seconds} s, load ${loadavg()[0]?.toFixed(1)})\n`,
  )
  process.exit(passed ? 0 : 1)
}

/** The middle one of an odd number of figures. */
export function medianOf(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN
}

/** Seconds with one decimal. */
export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
