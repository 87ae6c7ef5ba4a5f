import type { Worker } from 'node:worker_threads'
import { afterAll, beforeAll } from 'vitest'
import { newThreads, type Threads } from './threads.ts'

type End = () => PromiseLike<unknown>
/** What ends: a server, a stand-in, a database, a connection. */
type Ending = { stop: End } | { cleanup: End } | { end: End } | { close: End }

function endOf(started: Ending): PromiseLike<unknown> {
  if ('stop' in started) return started.stop()
  if ('cleanup' in started) return started.cleanup()
  return 'end' in started ? started.end() : started.close()
}

/** What `start` starts before the tests of a file and is stopped after them, the last one first. Throws when it is used before that. */
export function duringTests<T extends Ending>(start: () => Promise<T>): T {
  let started: T | undefined
  const running = (): T => {
    if (!started) throw new Error('This is started before the first test, not when the file is loaded')
    return started
  }
  beforeAll(async () => {
    started = await start()
  })
  afterAll(() => started && endOf(started))
  return new Proxy({} as T, {
    get(_, name) {
      const value: unknown = Reflect.get(running(), name)
      return typeof value === 'function' ? value.bind(running()) : value
    },
    set: (_, name, value) => Reflect.set(running(), name, value),
  })
}

const moduleOf = new WeakMap<Worker, string>()
/** The ended threads of each module. */
const kept = new Map<string, Worker[]>()

/** Threads that the next app gets again: they have loaded their modules and compiled what runs often, which takes longer than what a test asks of them. */
export const keptThreads: Threads = {
  start(module, name) {
    const [worker] = kept.get(module.href) ?? []
    if (worker) {
      leave(worker)
      return worker
    }
    const started = newThreads.start(module, name)
    moduleOf.set(started, module.href)
    return started
  },
  async end(worker, { busy }) {
    const module = moduleOf.get(worker)
    if (module === undefined) throw new Error('This thread was not started here')
    if (busy) {
      await worker.terminate()
      return
    }
    for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event)
    kept.set(module, [...(kept.get(module) ?? []), worker])
    worker.once('error', () => leave(worker)).once('exit', () => leave(worker))
  },
}

/** Takes a thread out of those that are kept. */
function leave(worker: Worker): void {
  for (const [module, workers] of kept)
    kept.set(
      module,
      workers.filter((one) => one !== worker),
    )
  worker.removeAllListeners('error').removeAllListeners('exit')
}
