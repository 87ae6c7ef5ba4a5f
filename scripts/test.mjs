// Runs every check, prints the result of each, and ends with one line: N passed, N failed. docs/testing.md describes the checks.
//   npm test                        types, lint, format, dead code, web budget, unit and PostgreSQL, browser
//   npm test -- --only=NAME         one of these, by the name that the report shows
//   npm test -- --fast              everything except the browser
//   npm test -- --changed[=REF]     within two minutes, what the changes since REF (default: main's merge base) can break first: the
//                                   static checks, the nearest tests in the graph of imports, browser tests of the changed features
//   npm test -- --no-retry          no second try for a browser test (or RETRIES=0)
//   npm run test:long               kills, fuzz and load; SEED= repeats a run
//   npm run test:sample             a little of each, chosen by the commit
//   npm run test:repeat             the whole of it several times in a row, on a busy machine
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { chooseTests } from './checks/choose-tests.ts'
import { rememberDurations } from './checks/durations.ts'
import { readOutcome } from './checks/outcome.ts'
import { retriesOf } from './checks/retries.ts'
import { runAtATime, runCommand } from './checks/run-command.ts'
import { staticChecks } from './checks/static-checks.ts'

const root = path.resolve(import.meta.dirname, '..')
const args = process.argv.slice(2)
const sample = args.includes('--sample')
const long = sample || args.includes('--long')
const fast = args.includes('--fast')
const only = valueOf('--only')
const changedSince = args.includes('--changed') ? mergeBase() : valueOf('--changed')
const cache = path.join(root, 'node_modules', '.groundswell')
const results = path.join(cache, 'results')
const durations = path.join(cache, 'durations.json')
mkdirSync(results, { recursive: true })

const suites = long
  ? [{ name: sample ? 'sample of the long tests' : 'long tests', config: 'vitest.long.config.ts' }]
  : [
      { name: 'unit and PostgreSQL tests', label: 'unit     ', config: 'vitest.config.ts' },
      { name: 'browser tests', label: 'browser  ', config: 'e2e/vitest.config.ts' },
    ]

const rows = []
const notes = []
/** The static checks together; two run at a time. */
let checksSeconds = 0
const choice = changedSince === undefined ? null : chooseTests(root, changedFiles(changedSince), cache, durations)
if (!long) await check(choice?.checks ?? staticChecks(cache))
const planned = suites.flatMap((suite) => {
  const browser = suite.config.startsWith('e2e/')
  if ((only && only !== suite.name) || (browser && fast)) return []
  if (choice === null) return [suite]
  const { chosen, left } = browser ? choice.browser : choice.unit
  if (left > 0) notes.push(`${left} more files of the ${suite.name} depend on the change: npm test runs them`)
  return chosen.length > 0 ? [{ ...suite, files: chosen }] : []
})
// Together: either suite alone leaves CPUs idle while it waits for pages, timers and disks.
if (planned.length > 0) process.stdout.write(`\n── ${planned.map(({ name }) => name).join(', ')}\n`)
rows.push(
  ...(await Promise.all(planned.map((suite) => run(planned.length > 1 ? suite : { ...suite, label: undefined })))),
)
report()

/** The static checks, two at a time; what one printed is shown in one piece when it has ended. */
async function check(all) {
  const chosen = all.filter(({ name }) => !only || only === name)
  const done = new Map()
  const tasks = chosen.map(({ name, command, args: options }) => async () => {
    const { code, signal, seconds, output } = await runCommand(command, options, { collect: true })
    process.stdout.write(`\n── ${name}\n${output}`)
    if (code !== 0) process.stdout.write(`${name} ended with ${signal ?? `exit code ${code}`}\n`)
    const failures = code === 0 ? [] : [{ name, message: output.trim() }]
    done.set(name, { name, passed: code === 0 ? 1 : 0, failed: failures.length, seconds, failures, flaky: [] })
  })
  if (chosen.length > 1) process.stdout.write(`\n── ${chosen.map(({ name }) => name).join(', ')}: two at a time\n`)
  const started = Date.now()
  await runAtATime(2, tasks)
  checksSeconds = (Date.now() - started) / 1000
  rows.push(...chosen.map(({ name }) => done.get(name)))
}

/** Runs a suite, or the given files of it; `label` begins its lines while another one runs. */
async function run({ name, label, config, files = [] }) {
  const file = path.join(results, `${path.basename(path.dirname(config))}-${path.basename(config)}.json`)
  rmSync(file, { force: true })
  const { retries, flakyAllowed } = retriesOf({ browser: config.startsWith('e2e/') }, args, process.env)
  const options = [
    'run',
    '--config',
    config,
    `--retry=${retries}`,
    `--reporter=${path.join(root, 'scripts/vitest-progress.ts')}`,
    ...(config === 'vitest.config.ts' ? [`--reporter=${path.join(root, 'connectors/vitest-matrix.ts')}`] : []),
    ...(long && !sample ? [`--reporter=${path.join(root, 'server/faults/vitest-record.ts')}`] : []),
    ...files,
  ]
  const variables = {
    OUTCOME_FILE: file,
    FLAKY_ALLOWED: String(flakyAllowed),
    ...(long ? { LONG_TESTS: sample ? 'sample' : 'whole' } : {}),
    ...(files.length === 0 ? { MATRIX: 'complete' } : {}),
  }
  const { code, signal, seconds } = await runCommand('vitest', options, { variables, label })
  const outcome = readOutcome(file) ?? endedEarly(name, signal ?? `exit code ${code}`)
  rememberDurations(durations, outcome.seconds)
  let { failed } = outcome
  // An interrupted run, or one whose matrix is not complete, fails although no single test did; so does a suite that tested nothing.
  if (failed === 0 && (code !== 0 || (outcome.passed === 0 && files.length === 0))) failed = 1
  return { ...outcome, name, failed, seconds }
}

/** The outcome of a suite that could not say what it came to, because it could not begin or somebody ended it. */
function endedEarly(name, message) {
  return {
    passed: 0,
    failed: 1,
    failures: [{ name: `${name}: ended before its report`, message }],
    flaky: [],
    firstTries: {},
    seconds: {},
  }
}

/** What failed and what was flaky is repeated below the table: in a run of thousands of lines, people read the end. */
function report() {
  if (rows.length === 0 && only) process.stdout.write(`\nNo check is named "${only}".\n`)
  const total = (count) => rows.reduce((sum, row) => sum + row[count], 0)
  const lines = rows.map(({ name, passed, failed, flaky, seconds }) => {
    const state = failed > 0 ? 'FAILED' : 'ok'
    const counts = `${passed} passed, ${failed} failed${flaky.length > 0 ? `, ${flaky.length} flaky` : ''}`
    return `${state.padEnd(7)}${name.padEnd(28)}${counts.padEnd(36)}${seconds.toFixed(1)} s`
  })
  if (checksSeconds > 0) lines.push(`the checks before the tests took ${checksSeconds.toFixed(1)} s together`)
  const flaky = rows.flatMap((row) => row.flaky.map((name) => `flaky: ${name}\n${firstLines(row.firstTries[name])}`))
  const failures = rows.flatMap((row) =>
    row.failures.map(({ name, message }) => `\nFAILED ${name}\n${firstLines(message)}`),
  )
  process.stdout.write(`\n${[...lines, ...notes, ...flaky, ...failures].join('\n')}\n\n`)
  process.stdout.write(`${total('passed')} passed, ${total('failed')} failed\n`)
  const parts = rows.map((row) => ({ ...row, failures: row.failures.map(({ name }) => name) }))
  writeFileSync(path.join(results, 'report.json'), JSON.stringify({ checksSeconds, parts }))
  process.exitCode = total('failed') > 0 || (rows.length === 0 && only) ? 1 : 0
}

function firstLines(message) {
  return message
    .split('\n')
    .slice(0, 8)
    .map((line) => `  ${line.slice(0, 300)}`)
    .join('\n')
}

function valueOf(flag) {
  return args.find((argument) => argument.startsWith(`${flag}=`))?.slice(flag.length + 1)
}

function git(...words) {
  return execFileSync('git', words, { cwd: root, encoding: 'utf8' })
}

function mergeBase() {
  return git('merge-base', 'HEAD', 'main').trim()
}

function changedFiles(since) {
  const tracked = git('diff', '--name-only', since).split('\n')
  const untracked = git('ls-files', '--others', '--exclude-standard').split('\n')
  return [...tracked, ...untracked].filter((file) => file !== '')
}
