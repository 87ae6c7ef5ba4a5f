import { Worker } from 'node:worker_threads'
import type { Undecided } from '@groundswell/engine/index.ts'
import type { Answer, PreparedStatement, Regrouped, Request, Step, StepResult } from './protocol.ts'

type Waiting = { resolve(answer: Answer): void; reject(error: Error): void }
type Thread = { worker: Worker; waiting: Map<number, Waiting> }

/** The stored state is of another version of the engine. */
export class OutdatedState extends Error {
  override name = 'OutdatedState'
}

/**
 * The thread that groups, started when it is first needed. Grouping takes whole seconds of computing: it must not hold up
 * the event loop. A thread that dies fails what was asked of it, and the next question starts another, empty one.
 */
export class GroupingClient {
  #thread: Thread | undefined
  #nextId = 1

  /** `space`: the model whose vectors the state must hold, '' for none; null: whatever it holds. */
  async open(workspaceId: string, snapshot: Uint8Array | null, space: string | null): Promise<void> {
    await this.#ask({ op: 'open', workspaceId, snapshot, space })
  }

  /** The statements that a step will make of these items. */
  async prepare(workspaceId: string, items: Step['items']): Promise<PreparedStatement[]> {
    const answer = await this.#ask({ op: 'prepare', workspaceId, items })
    return answer.kind === 'prepared' ? answer.statements : []
  }

  /** Gives vectors of a model, by statement id, for the next step. A state of another model is let go. */
  async giveVectors(workspaceId: string, space: string, vectors: Map<string, Float32Array>): Promise<void> {
    await this.#ask({ op: 'vectors', workspaceId, space, vectors })
  }

  /** Looks at all groups of a state anew. */
  async regroup(workspaceId: string): Promise<Regrouped> {
    const answer = await this.#ask({ op: 'regroup', workspaceId })
    if (answer.kind !== 'regrouped') throw new Error('the grouping thread gave another answer')
    return answer.regrouped
  }

  async replay(request: Extract<Request, { op: 'replay' }>): Promise<void> {
    await this.#ask(request)
  }

  async loadConstraints(request: Extract<Request, { op: 'loadConstraints' }>): Promise<void> {
    await this.#ask(request)
  }

  async ready(request: Extract<Request, { op: 'ready' }>): Promise<void> {
    await this.#ask(request)
  }

  /** Takes one step; null when the thread has no state of this workspace at that version. */
  async step(workspaceId: string, step: Step): Promise<StepResult | null> {
    const answer = await this.#ask({ op: 'step', workspaceId, ...step })
    return answer.kind === 'step' ? answer.result : null
  }

  /** What was nearly joined; null when the thread has no state of this workspace at that version. */
  async undecided(request: Extract<Request, { op: 'undecided' }>): Promise<Undecided[] | null> {
    const answer = await this.#ask(request)
    return answer.kind === 'undecided' ? answer.found : null
  }

  /** Forgets a state that took a step which was not stored. */
  async drop(workspaceId: string): Promise<void> {
    if (this.#thread) await this.#ask({ op: 'drop', workspaceId })
  }

  /** Ends the thread; the next question starts a new one. */
  async stop(): Promise<void> {
    const thread = this.#thread
    this.#thread = undefined
    await thread?.worker.terminate()
  }

  async #ask(request: Request): Promise<Answer> {
    const { worker, waiting } = this.#start()
    const id = this.#nextId++
    const answer = await new Promise<Answer>((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      worker.ref()
      worker.postMessage({ id, request })
    })
    if (answer.kind === 'outdated') throw new OutdatedState('the stored groups are of another version')
    if (answer.kind === 'failed') {
      const error = new Error(`grouping failed: ${answer.message}`)
      if (answer.stack !== undefined) error.stack = answer.stack
      throw error
    }
    return answer
  }

  #start(): Thread {
    if (this.#thread) return this.#thread
    const worker = new Worker(new URL('./thread.ts', import.meta.url), { name: 'grouping', execArgv: [] })
    const thread: Thread = { worker, waiting: new Map() }
    this.#thread = thread
    worker.on('message', (answer: Answer) => {
      const asked = thread.waiting.get(answer.id)
      thread.waiting.delete(answer.id)
      if (thread.waiting.size === 0) worker.unref()
      asked?.resolve(answer)
    })
    const lost = (error: Error): void => {
      if (this.#thread === thread) this.#thread = undefined
      for (const asked of thread.waiting.values()) asked.reject(error)
      thread.waiting.clear()
    }
    worker.on('error', lost)
    worker.on('exit', () => lost(new Error('the grouping thread ended')))
    worker.unref()
    return thread
  }
}
