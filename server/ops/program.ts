import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { appendFileSync, chownSync } from 'node:fs'
import path from 'node:path'
import { until } from '../faults/until.ts'
import type { Report } from './check.ts'

const TAIL = 4_000
const STOP_MS = 20_000

type ProgramOptions = {
  env: Record<string, string>
  cwd?: string
  /** The network namespace that it runs in; by default that of the check. */
  namespace?: string
  /** Run as this user instead of root. */
  user?: string
}

/**
 * A server from Debian, such as PostgreSQL or HAProxy, that a check runs. It ends with the check. Its output is also kept in the folder that
 * OPS_LOGS names, if any.
 */
export class Program {
  readonly name: string
  output = ''
  readonly #child: ChildProcess
  readonly #gone: Promise<void>

  constructor(report: Report, command: readonly string[], options: ProgramOptions) {
    this.name = (command[0] ?? '').split('/').at(-1) ?? ''
    const [file = '', ...args] = wrapped(command, options)
    this.#child = spawn(file, args, { cwd: options.cwd ?? '/', env: options.env, stdio: ['ignore', 'pipe', 'pipe'] })
    const log = process.env.OPS_LOGS
    const hear = (text: string) => {
      this.output = (this.output + text).slice(-200_000)
      if (log) appendFileSync(path.join(log, `${this.name}-${this.pid}.log`), text)
    }
    this.#child.stdout?.setEncoding('utf8').on('data', hear)
    this.#child.stderr?.setEncoding('utf8').on('data', hear)
    this.#gone = new Promise((resolve) => this.#child.once('close', () => resolve()))
    this.#child.once('error', (error) => hear(error.message))
    report.killAtExit(() => this.#child.kill('SIGKILL'))
    report.onEnd(() => this.stop('SIGTERM'))
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  get tail(): string {
    return `${this.name}: ${this.output.slice(-TAIL)}`
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name)
  }

  /** Sends a signal and waits until it has ended; one that does not is killed. */
  async stop(name: NodeJS.Signals): Promise<void> {
    if (this.running) this.#child.kill(name)
    const late = setTimeout(() => this.#child.kill('SIGKILL'), STOP_MS)
    await this.#gone
    clearTimeout(late)
  }

  /** Waits until `look` succeeds; fails as soon as the program has ended. */
  async ready<T>(look: () => Promise<T | undefined>): Promise<T> {
    return until(`${this.name} to be ready`, async () => (this.running ? look() : undefined), {
      deadlineMs: 60_000,
      explain: () => this.tail,
    })
  }
}

/** Runs a program to its end and returns its output. Throws when it fails. */
export function runProgram(command: readonly string[], options: ProgramOptions): string {
  const [file = '', ...args] = wrapped(command, options)
  const { status, stdout, stderr } = spawnSync(file, args, {
    cwd: options.cwd ?? '/',
    env: options.env,
    encoding: 'utf8',
  })
  if (status !== 0)
    throw new Error(`${command.join(' ')} ended with ${status}: ${(stderr || stdout).trim().slice(-1_000)}`)
  return stdout
}

/** `ip netns exec` and `setpriv` replace themselves by the program, so its process is the one that was started. */
function wrapped(command: readonly string[], { namespace, user }: ProgramOptions): readonly string[] {
  return [
    ...(namespace === undefined ? [] : ['ip', 'netns', 'exec', namespace]),
    ...(user === undefined ? [] : ['setpriv', `--reuid=${user}`, `--regid=${idOf(user, '-g')}`, '--clear-groups']),
    ...command,
  ]
}

/** Makes a user the owner of a file or folder. */
export function giveTo(user: string, file: string): void {
  chownSync(file, idOf(user, '-u'), idOf(user, '-g'))
}

function idOf(user: string, which: '-u' | '-g'): number {
  return Number(spawnSync('id', [which, user], { encoding: 'utf8' }).stdout)
}
