import type { Worker } from 'node:worker_threads'
import type { Grouping, SentenceEncoder, SplitItem } from '@groundswell/engine/index.ts'
import { defineCache } from '../../../platform/caches.ts'
import type { Services } from '../../../platform/services.ts'
import { newThreads, type Threads } from '../../../platform/threads.ts'
import type { Run } from '../../comparisons/index.ts'
import type { Session } from '../evaluators/grade-run.ts'
import type { Answer, Result, Task } from './compute-protocol.ts'

type Waiting = { resolve(result: Result): void; reject(error: Error): void }
type Thread = { worker: Worker; waiting: Map<number, Waiting> }

/**
 * Groups and grades in a thread of its own, since both take seconds of CPU time. It starts when first needed. If it dies, what waits fails, and the next task
 * starts a new one.
 */
class Compute {
  readonly #threads: Threads
  #thread: Thread | null = null
  #nextId = 1

  constructor(threads: Threads = newThreads) {
    this.#threads = threads
  }

  async group(items: SplitItem[], options: { encoder?: SentenceEncoder }): Promise<Grouping> {
    const result = await this.#do({ op: 'group', items, options })
    if (result.op !== 'group') throw new Error('the evaluation thread answered another task')
    return result.grouping
  }

  /** The session of one answer: one page, graded without a model. */
  async grade(run: Run): Promise<Session> {
    const result = await this.#do({ op: 'grade', run })
    if (result.op !== 'grade') throw new Error('the evaluation thread answered another task')
    return result.session
  }

  async stop(): Promise<void> {
    const thread = this.#thread
    this.#thread = null
    if (!thread) return
    await this.#threads.end(thread.worker, { busy: thread.waiting.size > 0 })
  }

  #do(task: Task): Promise<Result> {
    const { worker, waiting } = this.#start()
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      worker.ref()
      worker.postMessage({ id, task })
    })
  }

  #start(): Thread {
    if (this.#thread) return this.#thread
    const worker = this.#threads.start(new URL('./compute-thread.ts', import.meta.url), 'evaluation')
    const thread: Thread = { worker, waiting: new Map() }
    this.#thread = thread
    worker.on('message', (answer: Answer) => {
      const one = thread.waiting.get(answer.id)
      thread.waiting.delete(answer.id)
      if (thread.waiting.size === 0) worker.unref()
      if ('result' in answer) one?.resolve(answer.result)
      else one?.reject(Object.assign(new Error(answer.error.message), { stack: answer.error.stack }))
    })
    const end = (error: Error) => {
      if (this.#thread === thread) this.#thread = null
      for (const one of thread.waiting.values()) one.reject(error)
      thread.waiting.clear()
    }
    worker.on('error', end)
    worker.on('exit', () => end(new Error('the evaluation thread ended')))
    return thread
  }
}

const computeCache = defineCache(
  'evaluation thread',
  ({ threads }) => new Compute(threads),
  (compute) => compute.stop(),
)

/** The thread of this process. */
export const computeOf = (services: Pick<Services, 'caches'>): Compute => services.caches.of(computeCache)
