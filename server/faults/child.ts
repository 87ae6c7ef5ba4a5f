import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { until } from './until.ts'

const root = path.resolve(import.meta.dirname, '..', '..')
const TAIL = 6_000
/** Generous: it fails at once when the process has ended. */
const SAYS_MS = 600_000

/** How a process is started. */
export type ChildOptions = {
  /** Settings of the process. From this process's own environment it gets only PATH, HOME and the place of compiled code. */
  env?: Record<string, string>
  /** Open an IPC channel. */
  ipc?: boolean
  /** Flags for node, before the script. */
  flags?: string[]
  /** The checkout to run, instead of this one. */
  checkout?: string
  /** The network namespace to run it in. */
  namespace?: string
}

/** A real process of the product, with all its output. */
export class Child {
  readonly process: ChildProcess
  readonly name: string
  /** Everything from standard output and error. */
  output = ''
  #gone: Promise<void>

  /** Starts node with a script of this repository, given from its root. */
  constructor(script: readonly string[], options: ChildOptions = {}) {
    this.name = script.join(' ')
    const node = [process.execPath, ...(options.flags ?? []), ...script]
    // `ip netns exec` is replaced by the program, so that its process is the one that was started.
    const command = options.namespace === undefined ? node : ['ip', 'netns', 'exec', options.namespace, ...node]
    const [file = '', ...args] = command
    this.process = spawn(file, args, {
      cwd: options.checkout ?? root,
      stdio: options.ipc ? ['ignore', 'pipe', 'pipe', 'ipc'] : ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        ...options.env,
      },
    })
    const hear = (text: string) => {
      this.output += text
    }
    this.process.stdout?.setEncoding('utf8').on('data', hear)
    this.process.stderr?.setEncoding('utf8').on('data', hear)
    const atExit = () => this.process.kill('SIGKILL')
    process.once('exit', atExit)
    this.#gone = new Promise((resolve, reject) => {
      this.process.once('error', reject)
      this.process.once('close', () => {
        process.removeListener('exit', atExit)
        resolve()
      })
    })
    this.#gone.catch(() => undefined)
  }

  get pid(): number {
    if (this.process.pid === undefined) throw new Error(`${this.name} could not be started`)
    return this.process.pid
  }

  get running(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null
  }

  /** Fulfilled when the process has ended and its output is complete. */
  get ended(): Promise<void> {
    return this.#gone
  }

  /** The end of its output. */
  get tail(): string {
    return `── ${this.name} (${this.running ? 'runs' : `ended: ${this.process.exitCode ?? this.process.signalCode}`})\n${this.output.slice(-TAIL)}`
  }

  /** Waits until its output matches; fails immediately when the process ends first. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    const match = await until(
      `${this.name} to say ${pattern}`,
      () => pattern.exec(this.output) ?? (this.running ? undefined : null),
      { deadlineMs: SAYS_MS, everyMs: 10, explain: () => this.tail },
    )
    if (!match) throw new Error(`it ended without saying ${pattern}\n${this.tail}`)
    return match
  }

  /** Sends a signal and waits until the process has ended. */
  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.running) this.process.kill(signal)
    await this.#gone
  }
}
