import { spawn } from 'node:child_process'
import { loadavg } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { checks } from './checks.ts'

// Runs the checks of operations, all or those that are named, one after another. Each is a separate script that exits with 0 or 1.
//   npm run test:ops                     all of them
//   npm run test:ops -- restore pooling  the named ones, and those whose names start like this
//   npm run test:ops -- --times=3        all of them, three times in a row
//   npm run test:ops -- --list           what there is

const { names, times, list } = readArguments()
const wanted = checks.filter(({ name }) => names.length === 0 || names.some((start) => name.startsWith(start)))
const unknown = names.filter((start) => !checks.some(({ name }) => name.startsWith(start)))

if (list || unknown.length > 0) {
  for (const one of unknown) process.stderr.write(`There is no check called ${one}.\n`)
  for (const { name, about } of checks) process.stdout.write(`${name.padEnd(20)}${about}\n`)
  process.exit(unknown.length > 0 ? 2 : 0)
}

const verdicts: string[] = []
let failed = 0
for (let time = 1; time <= times; time += 1) {
  const of = times > 1 ? `, ${time} of ${times}` : ''
  for (const { name, about, minutes } of wanted) {
    process.stdout.write(`\n── ${name}: ${about} (load ${loadavg()[0]?.toFixed(1)}${of})\n`)
    const { code, verdict } = await run(name, minutes)
    if (code !== 0) failed += 1
    verdicts.push(verdict ?? `FAIL ${name}: it ended with ${code} and without a verdict`)
  }
}
process.stdout.write(`\n${verdicts.join('\n')}\n\n${verdicts.length - failed} passed, ${failed} failed\n`)
process.exitCode = failed > 0 ? 1 : 0

function readArguments(): { names: string[]; times: number; list: boolean } {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { times: { type: 'string', default: '1' }, list: { type: 'boolean', default: false } },
    })
    const times = Number(values.times)
    if (!Number.isInteger(times) || times < 1)
      throw new TypeError(`--times is a whole number from 1, not ${values.times}`)
    return { names: positionals, times, list: values.list }
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exit(2)
  }
}

/** `minutes`: when it is stopped. */
function run(name: string, minutes: number): Promise<{ code: number | string; verdict?: string }> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'checks', `${name}.ts`)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const late = setTimeout(() => child.kill('SIGTERM'), minutes * 60_000)
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    process.stdout.write(text)
  })
  return new Promise((resolve) => {
    child.on('close', (code, signal) => {
      clearTimeout(late)
      const verdict = /^(PASS|FAIL) .*$/m.exec(output)?.[0]
      resolve({ code: code ?? signal ?? 'unknown', ...(verdict === undefined ? {} : { verdict }) })
    })
  })
}
