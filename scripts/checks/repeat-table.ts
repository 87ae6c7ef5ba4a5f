/** One line of the report of `scripts/test.mjs`; `failures` are names. */
export type Part = {
  name: string
  passed: number
  failed: number
  seconds: number
  failures: readonly string[]
  flaky: readonly string[]
}

/** What `scripts/test.mjs` leaves behind: its parts, and how long those without tests took together. */
export type Report = { checksSeconds: number; parts: readonly Part[] }

/** One of several runs in a row. */
export type RepeatedRun = {
  number: number
  /** Processes that kept CPUs busy, their niceness, and the mean load of the machine during the run. */
  asked: number
  nice: number
  measured: number
  seconds: number
  checksSeconds: number
  parts: readonly Part[]
  passed: number
  failed: number
  commit: string
  machine: string
}

/** Checks without tests are one column: two run at a time, and each takes seconds. */
const suitesOf = (run: RepeatedRun) => run.parts.filter(({ name }) => name.endsWith('tests'))

/** The head of the Markdown table for a run and those after it. */
export function tableHead(run: RepeatedRun): string {
  const names = [
    'run',
    'load asked',
    'measured',
    'all',
    'static checks',
    ...suitesOf(run).map(({ name }) => name),
    'passed',
    'failed',
    'flaky',
    'commit',
    'machine',
  ]
  return `${line(names)}\n${line(names.map(() => '---'))}`
}

/** One run as a row of the table, its times in seconds. */
export function tableRow(run: RepeatedRun): string {
  return line([
    String(run.number),
    run.nice > 0 ? `${run.asked} (nice ${run.nice})` : String(run.asked),
    run.measured.toFixed(1),
    seconds(run.seconds),
    seconds(run.checksSeconds),
    ...suitesOf(run).map((part) => seconds(part.seconds)),
    String(run.passed),
    counted(
      run.failed,
      run.parts.flatMap(({ failures, failed, name }) => (failed > 0 && failures.length === 0 ? [name] : failures)),
    ),
    counted(
      run.parts.reduce((sum, { flaky }) => sum + flaky.length, 0),
      run.parts.flatMap(({ flaky }) => flaky),
    ),
    run.commit,
    run.machine,
  ])
}

const seconds = (value: number) => `${value.toFixed(0)} s`
const counted = (count: number, names: readonly string[]) => [count, ...names].join('<br>')
const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
