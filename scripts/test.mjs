// Runs every check in order, prints the result of each, and ends with one line: N passed, N failed.
//   npm test                        types, lint, format, dead code, web build and budget, unit and PostgreSQL, browser
//   npm test -- --only=NAME         one of these, by the name that the report shows
//   npm test -- --fast              everything except the browser
//   npm test -- --changed[=REF]     what the changes since REF (default: main's merge base) can break: the static checks, the tests that
//                                   import a changed file, and the browser tests of the features whose screens or calls changed
//   npm run test:long               kills, fuzz and load; SEED= repeats a run
//   npm run test:sample             a little of each, chosen by the commit
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
const sample = process.argv.includes('--sample')
const long = sample || process.argv.includes('--long')
const fast = process.argv.includes('--fast')
const only = valueOf('--only')
const changedSince = process.argv.includes('--changed') ? mergeBase() : valueOf('--changed')
const results = path.join(root, 'node_modules', '.groundswell', 'results')
/** Compiled code of the processes that tests start, some of them dozens of times: a start takes half the CPU with it. */
const compiled = path.join(root, 'node_modules', '.groundswell', 'compiled')
mkdirSync(results, { recursive: true })

const checks = [
  ['types', 'tsc', ['-p', 'tsconfig.json']],
  ['types of the web app', 'tsc', ['-p', 'web/tsconfig.json']],
  ['lint', 'oxlint', ['--max-warnings=0']],
  ['format', 'biome', ['check', '--error-on-warnings']],
  ['dead code', 'knip', ['--no-progress']],
  ['web budget', 'node', ['web/check-budget.ts']],
]
const suites = long
  ? [[sample ? 'sample of the long tests' : 'long tests', 'vitest.long.config.ts']]
  : [
      ['unit and PostgreSQL tests', 'vitest.config.ts'],
      ['browser tests', 'e2e/vitest.config.ts'],
    ]

const totals = { passed: 0, failed: 0 }
const rows = []
const failures = []
if (!long) for (const [name, command, args] of checks) await check(name, command, args)
for (const [name, config] of suites) {
  const browser = config.startsWith('e2e/')
  if (browser && fast) continue
  if (changedSince === undefined) await suite(name, config)
  else if (!browser) await suite(name, config, ['--changed', changedSince, '--passWithNoTests'])
  else {
    const files = browserTestsFor(changedFiles(changedSince))
    if (files.length > 0) await suite(name, config, files)
  }
}

process.stdout.write(`\n${[...rows, ...failures].join('\n')}\n\n${totals.passed} passed, ${totals.failed} failed\n`)
process.exitCode = totals.failed > 0 ? 1 : 0

async function check(name, command, args) {
  if (only && only !== name) return
  const { code, seconds } = await run(name, command, args)
  report(name, code === 0 ? 1 : 0, code === 0 ? 0 : 1, seconds)
}

async function suite(name, config, extra = []) {
  if (only && only !== name) return
  const file = path.join(results, `${path.basename(path.dirname(config))}-${path.basename(config)}.json`)
  const unhandled = `${file}.unhandled`
  for (const stale of [file, unhandled]) rmSync(stale, { force: true })
  const args = [
    'run',
    '--config',
    config,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
    `--reporter=${path.join(root, 'scripts/vitest-unhandled-errors.ts')}`,
    ...(config === 'vitest.config.ts' ? [`--reporter=${path.join(root, 'connectors/vitest-matrix.ts')}`] : []),
    ...(long && !sample ? [`--reporter=${path.join(root, 'server/faults/vitest-record.ts')}`] : []),
    ...extra,
  ]
  const extent = long ? { LONG_TESTS: sample ? 'sample' : 'whole' } : {}
  const variables = {
    ...extent,
    UNHANDLED_ERRORS_FILE: unhandled,
    ...(extra.length === 0 ? { MATRIX: 'complete' } : {}),
  }
  const { code, seconds } = await run(name, 'vitest', args, variables)
  let passed = 0
  let failed = 0
  try {
    const outcome = JSON.parse(readFileSync(file, 'utf8'))
    passed = outcome.numPassedTests
    failed = outcome.numFailedTests
    failures.push(...failuresOf(outcome))
    const errors = JSON.parse(readFileSync(unhandled, 'utf8'))
    failed += errors.length
    failures.push(...errors.map((error) => `\nFAILED outside any test\n${firstLines(error)}`))
  } catch {
    failed = 1
  }
  // A suite that could not be loaded, or an interrupted run, fails although no single test did.
  if (code !== 0 && failed === 0) failed = 1
  if (passed === 0 && failed === 0 && changedSince === undefined) failed = 1
  report(name, passed, failed, seconds)
}

/** What failed, repeated below the report: in a run of thousands of lines, people read the end. */
function failuresOf(outcome) {
  return outcome.testResults.flatMap(({ name, message, assertionResults }) => {
    const file = path.relative(root, name)
    const failed = assertionResults.filter((test) => test.status === 'failed')
    if (failed.length === 0 && message) return [`\nFAILED ${file}\n${firstLines(message)}`]
    return failed.map((test) => `\nFAILED ${file}: ${test.fullName}\n${firstLines(test.failureMessages.join('\n'))}`)
  })
}

function firstLines(message) {
  return message
    .split('\n')
    .slice(0, 8)
    .map((line) => `  ${line.slice(0, 300)}`)
    .join('\n')
}

function valueOf(flag) {
  return process.argv.find((argument) => argument.startsWith(`${flag}=`))?.slice(flag.length + 1)
}

function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' })
}

function mergeBase() {
  return git('merge-base', 'HEAD', 'main').trim()
}

function changedFiles(since) {
  const tracked = git('diff', '--name-only', since).split('\n')
  const untracked = git('ls-files', '--others', '--exclude-standard').split('\n')
  return [...tracked, ...untracked].filter((file) => file !== '')
}

/** Browser tests by feature: a change in a feature's folder or contract runs the files of its name, a change below the features runs all. */
function browserTestsFor(files) {
  const all = [
    ...readdirSync(path.join(root, 'e2e')),
    ...readdirSync(path.join(root, 'e2e/spec')).map((file) => `spec/${file}`),
  ]
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `e2e/${file}`)
  const chosen = new Set()
  for (const file of files) {
    const noun = /^(?:web|server)\/features\/([^/]+)\/|^contract\/([^/.]+)/.exec(file)
    const word = file.startsWith('server/auth/') ? 'account' : (noun?.[1] ?? noun?.[2] ?? '').replace(/s$/, '')
    const own = all.filter((test) => word !== '' && path.basename(test).includes(word))
    if (file.endsWith('.test.ts') && all.includes(file)) chosen.add(file)
    else if (/\.(test\.tsx?|md|jsonl|tsv)$/.test(file) || /^(bench|docs|fixtures|engine)\//.test(file)) continue
    else if (own.length > 0) for (const test of own) chosen.add(test)
    else if (/^(web|server|contract|connectors|e2e)\//.test(file)) return all
  }
  return [...chosen]
}

function report(name, passed, failed, seconds) {
  totals.passed += passed
  totals.failed += failed
  const state = failed > 0 ? 'FAILED' : 'ok'
  rows.push(
    `${state.padEnd(7)}${name.padEnd(28)}${`${passed} passed, ${failed} failed`.padEnd(28)}${seconds.toFixed(1)} s`,
  )
}

function run(name, command, args, variables = {}) {
  const started = Date.now()
  process.stdout.write(`\n── ${name}\n`)
  return new Promise((resolve) => {
    const executable = path.join(root, 'node_modules', '.bin', command)
    const child = spawn(executable, args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      shell: process.platform === 'win32',
      env: {
        ...process.env,
        ...variables,
        FORCE_COLOR: process.env.FORCE_COLOR ?? (process.stdout.isTTY ? '1' : '0'),
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? compiled,
      },
    })
    child.on('error', () => resolve({ code: 1, seconds: 0 }))
    child.on('close', (code) => resolve({ code: code ?? 1, seconds: (Date.now() - started) / 1000 }))
  })
}
