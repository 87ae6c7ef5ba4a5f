// Runs every check in order, says how each went, and ends with one line: N passed, N failed.
//   node scripts/test.mjs          types, lint, format, dead code, web build and budget, unit and PostgreSQL, browser
//   node scripts/test.mjs --long   kills, fuzz and load
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
const long = process.argv.includes('--long')
const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice('--only='.length)
const results = path.join(root, 'node_modules', '.groundswell', 'results')
mkdirSync(results, { recursive: true })

const checks = [
  ['types', 'tsc', ['-p', 'tsconfig.json']],
  ['types of the web app', 'tsc', ['-p', 'web/tsconfig.json']],
  ['lint and rooms', 'oxlint', ['--max-warnings=0']],
  ['format', 'biome', ['check', '--error-on-warnings']],
  ['dead code', 'knip', ['--no-progress']],
  ['web budget', 'node', ['web/check-budget.ts']],
]
const suites = long
  ? [['long tests', 'vitest.long.config.ts']]
  : [
      ['unit and PostgreSQL tests', 'vitest.config.ts'],
      ['browser tests', 'e2e/vitest.config.ts'],
    ]

const totals = { passed: 0, failed: 0 }
const rows = []
if (!long) for (const [name, command, args] of checks) await check(name, command, args)
for (const [name, config] of suites) await suite(name, config)

process.stdout.write(`\n${rows.join('\n')}\n\n${totals.passed} passed, ${totals.failed} failed\n`)
process.exitCode = totals.failed > 0 ? 1 : 0

async function check(name, command, args) {
  if (only && only !== name) return
  const { code, seconds } = await run(name, command, args)
  report(name, code === 0 ? 1 : 0, code === 0 ? 0 : 1, seconds)
}

async function suite(name, config) {
  if (only && only !== name) return
  const file = path.join(results, `${path.basename(path.dirname(config))}-${path.basename(config)}.json`)
  rmSync(file, { force: true })
  const args = ['run', '--config', config, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const { code, seconds } = await run(name, 'vitest', args)
  let passed = 0
  let failed = 0
  try {
    const outcome = JSON.parse(readFileSync(file, 'utf8'))
    passed = outcome.numPassedTests
    failed = outcome.numFailedTests
  } catch {
    failed = 1
  }
  // A suite that could not be loaded, or a run that was cut off, fails although no single test did.
  if (code !== 0 && failed === 0) failed = 1
  if (passed === 0 && failed === 0) failed = 1
  report(name, passed, failed, seconds)
}

function report(name, passed, failed, seconds) {
  totals.passed += passed
  totals.failed += failed
  const state = failed > 0 ? 'FAILED' : 'ok'
  rows.push(
    `${state.padEnd(7)}${name.padEnd(28)}${`${passed} passed, ${failed} failed`.padEnd(28)}${seconds.toFixed(1)} s`,
  )
}

function run(name, command, args) {
  const started = Date.now()
  process.stdout.write(`\n── ${name}\n`)
  return new Promise((resolve) => {
    const executable = path.join(root, 'node_modules', '.bin', command)
    const child = spawn(executable, args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      shell: process.platform === 'win32',
      env: { ...process.env, FORCE_COLOR: process.env.FORCE_COLOR ?? (process.stdout.isTTY ? '1' : '0') },
    })
    child.on('error', () => resolve({ code: 1, seconds: 0 }))
    child.on('close', (code) => resolve({ code: code ?? 1, seconds: (Date.now() - started) / 1000 }))
  })
}
