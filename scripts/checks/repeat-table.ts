/** One line of the report of `scripts/test.mjs`; `failures` are names. */
export type Part = {
  name: string
  passed: number
  failed: number
  seconds: number
  failures: readonly string[]
  flaky: readonly string[]
}

/** One of several runs in a row. */
export type RepeatedRun = {
  number: number
  /** Processes that kept CPUs busy, and the mean load of the machine during the run. */
  asked: number
  measured: number
  seconds: number
  parts: readonly Part[]
  passed: number
  failed: number
  commit: string
  machine: string
}

/** Checks without tests are one column: each takes seconds. */
const STATIC = 'static checks'
const isSuite = (part: Part) => part.name.endsWith('tests')

const columnsOf = (run: RepeatedRun): string[] => [STATIC, ...run.parts.filter(isSuite).map(({ name }) => name)]

/** The head of the Markdown table for a run and those after it. */
export function tableHead(run: RepeatedRun): string {
  const names = [
    'run',
    'load asked',
    'measured',
    'all',
    ...columnsOf(run),
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
  const times = columnsOf(run).map((column) => {
    const parts = run.parts.filter((part) => (column === STATIC ? !isSuite(part) : part.name === column))
    return seconds(parts.reduce((sum, part) => sum + part.seconds, 0))
  })
  return line([
    String(run.number),
    String(run.asked),
    run.measured.toFixed(1),
    seconds(run.seconds),
    ...times,
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
