import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

const root = path.resolve(import.meta.dirname, '../..')
/** Compiled code of the processes that tests start, some of them dozens of times: a start takes half the CPU with it. */
const compiled = path.join(root, 'node_modules', '.groundswell', 'compiled')

/** How a command ended, by which signal if by one, and what it printed if that was collected. */
export type Ended = { code: number; signal: string | null; seconds: number; output: string }

/**
 * `label` begins each line that is printed, which tells programs that run at the same time apart. With `collect`, nothing is printed and
 * `Ended.output` has all of it. With neither, the program has the terminal to itself.
 */
export type CommandOptions = { variables?: Record<string, string>; label?: string | undefined; collect?: boolean }

/** Runs a program of node_modules/.bin in the project's folder. */
export function runCommand(command: string, args: readonly string[], options: CommandOptions = {}): Promise<Ended> {
  const started = Date.now()
  mkdirSync(compiled, { recursive: true })
  return new Promise((resolve) => {
    const { label, collect = false } = options
    const out = collect || label !== undefined ? 'pipe' : 'inherit'
    const child = spawn(path.join(root, 'node_modules', '.bin', command), args, {
      cwd: root,
      stdio: ['ignore', out, out],
      shell: process.platform === 'win32',
      env: {
        ...process.env,
        ...options.variables,
        FORCE_COLOR: process.env['FORCE_COLOR'] ?? (process.stdout.isTTY ? '1' : '0'),
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? compiled,
      },
    })
    const output: Buffer[] = []
    for (const stream of [child.stdout, child.stderr]) {
      if (collect) stream?.on('data', (chunk: Buffer) => output.push(chunk))
      else if (stream && label !== undefined) printLines(stream, label)
    }
    const end = (code: number | null, signal: string | null, more = '') =>
      resolve({
        code: code ?? 1,
        signal,
        seconds: (Date.now() - started) / 1000,
        output: Buffer.concat(output).toString() + more,
      })
    child.on('error', (error) => end(1, null, String(error)))
    child.on('close', end)
  })
}

/** Prints whole lines, so that those of two programs do not mix; an empty one stays empty. */
function printLines(stream: Readable, label: string): void {
  createInterface({ input: stream }).on('line', (text) =>
    process.stdout.write(text === '' ? '\n' : `${label}${text}\n`),
  )
}

/** Runs all tasks, `width` at a time, in the order given. */
export async function runAtATime(width: number, tasks: readonly (() => Promise<void>)[]): Promise<void> {
  const waiting = [...tasks]
  const runNext = async (): Promise<void> => {
    for (let task = waiting.shift(); task; task = waiting.shift()) await task()
  }
  await Promise.all(Array.from({ length: width }, runNext))
}
