import { type ChildProcess, fork } from 'node:child_process'
import { DIMENSIONS } from '@groundswell/encoder/index.ts'
import type { ChildMessage, ChildOptions, EncodeRequest, UnusableReason } from './protocol.ts'

/** The child ended, or was ended because it no longer answered. `isFault`: its own code made it crash. */
export class ChildGone extends Error {
  override name = 'ChildGone'
  readonly isFault: boolean

  constructor(message: string, isFault = false) {
    super(message)
    this.isFault = isFault
  }
}

/** The child started and said that the encoder cannot be used. */
export class Unusable extends Error {
  override name = 'Unusable'
  readonly reason: UnusableReason

  constructor(reason: UnusableReason, message: string) {
    super(message)
    this.reason = reason
  }
}

/** A child that is ready. `encode` takes one request at a time, and throws `ChildGone`. */
export type EncoderChild = {
  readonly model: string
  readonly pid: number | undefined
  encode(texts: readonly string[]): Promise<Float32Array[]>
  /** Ends the process, with the request that it works on. */
  end(): void
}

/** Far more than a start or a request takes at the lowest priority on a busy machine. */
const TIME_LIMIT_MS = 5 * 60_000
/** The child gets no other variables: it needs no secrets. */
const KEPT_VARIABLES = ['NODE_COMPILE_CACHE', 'SystemRoot']
const FAULTS: readonly (string | null)[] = ['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGTRAP', 'SIGABRT', 'SIGFPE']

/**
 * Starts a child and waits for its self-test. This process may end while the child is idle, and the child ends with it. `stop`
 * ends the child at any time. Throws `Unusable` and `ChildGone`. `program` replaces the child in tests.
 */
export async function startChild(
  options: ChildOptions,
  stop: AbortSignal,
  program = new URL('./child.ts', import.meta.url),
): Promise<EncoderChild> {
  const child = fork(program, [JSON.stringify(options)], {
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: Object.fromEntries(KEPT_VARIABLES.map((name) => [name, process.env[name]])),
  })
  const end = () => void child.kill()
  stop.addEventListener('abort', end)
  child.once('exit', () => stop.removeEventListener('abort', end))
  // What waits for an answer hears of it below.
  child.on('error', () => undefined)
  const first = await nextMessage(child)
  if (first.kind === 'unusable') {
    end()
    throw new Unusable(first.reason, first.message)
  }
  if (first.kind !== 'ready') throw new ChildGone('it gave an unexpected answer')
  let nextId = 1
  return {
    model: first.model,
    pid: child.pid,
    async encode(texts) {
      const request: EncodeRequest = { id: nextId++, texts: [...texts] }
      const reply = await nextMessage(child, request)
      if (reply.kind !== 'vectors' || reply.id !== request.id) {
        child.kill('SIGKILL')
        throw new ChildGone('it gave an unexpected answer')
      }
      return texts.map((_, index) => reply.vectors.slice(index * DIMENSIONS, (index + 1) * DIMENSIONS))
    },
    end,
  }
}

/** The next message of the child, after sending it a request. Until then it keeps this process alive. */
function nextMessage(child: ChildProcess, request?: EncodeRequest): Promise<ChildMessage> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      clearTimeout(limit)
      child.off('message', onMessage).off('exit', onExit).off('error', onError)
      child.unref()
      child.channel?.unref()
      finish()
    }
    const onMessage = (message: unknown) => settle(() => resolve(message as ChildMessage))
    const onExit = (code: number | null, signal: string | null) =>
      settle(() =>
        reject(new ChildGone(`its process ended (${signal ?? `exit code ${code}`})`, FAULTS.includes(signal))),
      )
    const onError = (error: Error) => settle(() => reject(new ChildGone(error.message)))
    const limit = setTimeout(() => {
      child.kill('SIGKILL')
      settle(() => reject(new ChildGone('it did not answer')))
    }, TIME_LIMIT_MS)
    child.on('message', onMessage).on('exit', onExit).on('error', onError)
    child.ref()
    child.channel?.ref()
    if (child.exitCode !== null || child.signalCode !== null) onExit(child.exitCode, child.signalCode)
    else if (request) child.send(request, (error) => error && onError(error))
  })
}
