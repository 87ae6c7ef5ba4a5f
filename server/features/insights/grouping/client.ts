import type { Worker } from 'node:worker_threads'
import type { KnownThemes, PlannedTheme } from '@groundswell/engine/index.ts'
import { newThreads, type Threads } from '../../../platform/threads.ts'
import type { Answer, Forget, Judgement, PreparedStatement, Regrouped, Request, Step, StepResult } from './protocol.ts'
import type { GroupingModel } from './vector-source.ts'

type Pending = { resolve(answer: Answer): void; reject(error: Error): void }
type Thread = { worker: Worker; pending: Map<number, Pending> }

/** The stored state cannot be read: another version of the engine wrote it. */
export class OutdatedState extends Error {
  override name = 'OutdatedState'
}

/**
 * The client of the grouping thread, which is started when first needed: grouping takes seconds of CPU time and must not block the
 * event loop. When the thread dies, pending requests fail, and the next one starts a new, empty thread.
 */
export class GroupingClient {
  readonly #threads: Threads
  #thread: Thread | undefined
  #nextId = 1

  constructor(threads: Threads = newThreads) {
    this.#threads = threads
  }

  /** `model`: the one whose vectors the state is to use; null for that of the snapshot. Throws `OutdatedState`. */
  async open(workspaceId: string, snapshot: Uint8Array | null, model: GroupingModel | null): Promise<void> {
    await this.#request({ op: 'open', workspaceId, snapshot, model })
  }

  /** Ids of the statements whose vectors the state lacks. */
  async lacking(workspaceId: string): Promise<string[]> {
    const answer = await this.#request({ op: 'lacking', workspaceId })
    return answer.kind === 'lacking' ? answer.statementIds : []
  }

  /** The statements that a step will extract from these items. */
  async prepare(workspaceId: string, items: Step['items']): Promise<PreparedStatement[]> {
    const answer = await this.#request({ op: 'prepare', workspaceId, items })
    return answer.kind === 'prepared' ? answer.statements : []
  }

  /** Passes a model's vectors, by statement id, for the next step. A state of another model is dropped. */
  async giveVectors(workspaceId: string, space: string, vectors: Map<string, Float32Array>): Promise<void> {
    await this.#request({ op: 'vectors', workspaceId, space, vectors })
  }

  /** Revises all groups of a state. `settled`: see `Step`. */
  async regroup(workspaceId: string, settled: number[]): Promise<Regrouped> {
    const answer = await this.#request({ op: 'regroup', workspaceId, settled })
    if (answer.kind !== 'regrouped') throw new Error('unexpected answer from the grouping thread')
    return answer.regrouped
  }

  async replay(request: Extract<Request, { op: 'replay' }>): Promise<void> {
    await this.#request(request)
  }

  async loadConstraints(request: Extract<Request, { op: 'loadConstraints' }>): Promise<void> {
    await this.#request(request)
  }

  async ready(request: Extract<Request, { op: 'ready' }>): Promise<void> {
    await this.#request(request)
  }

  async teach(request: Extract<Request, { op: 'teach' }>): Promise<void> {
    await this.#request(request)
  }

  /** Takes one step; null when the thread has no state of this workspace at that version, `untaught` when it must be taught first. */
  async step(workspaceId: string, step: Step): Promise<StepResult | 'untaught' | null> {
    const answer = await this.#request({ op: 'step', workspaceId, ...step })
    if (answer.kind === 'untaught') return 'untaught'
    return answer.kind === 'step' ? answer.result : null
  }

  /** What follows from a language model's answers; null when the thread has no state of this workspace at that version. */
  async judge(request: Extract<Request, { op: 'judge' }>): Promise<Judgement | null> {
    const answer = await this.#request(request)
    return answer.kind === 'judged' ? answer.judgement : null
  }

  /** The themes of the insights at that version, with the known ones continued; null when the thread has no such state. */
  async themes(workspaceId: string, version: number, known: KnownThemes): Promise<PlannedTheme[] | null> {
    const answer = await this.#request({ op: 'themes', workspaceId, version, known })
    return answer.kind === 'themes' ? answer.themes : null
  }

  /** Drops a state, after a step that was not stored. */
  async drop(workspaceId: string): Promise<void> {
    if (this.#thread) await this.#request({ op: 'drop', workspaceId })
  }

  /** Ends the thread; the next request starts a new one. */
  async stop(): Promise<void> {
    const thread = this.#thread
    this.#thread = undefined
    if (!thread) return
    const { worker, pending } = thread
    worker.postMessage({ id: this.#nextId++, request: { op: 'forget' } satisfies Forget })
    await this.#threads.end(worker, { busy: pending.size > 0 })
  }

  async #request(request: Request): Promise<Answer> {
    const { worker, pending } = this.#start()
    const id = this.#nextId++
    const answer = await new Promise<Answer>((resolve, reject) => {
      pending.set(id, { resolve, reject })
      worker.ref()
      worker.postMessage({ id, request })
    })
    if (answer.kind === 'outdated') throw new OutdatedState('the stored state is of another version')
    if (answer.kind === 'failed') {
      const error = new Error(`grouping failed: ${answer.message}`)
      if (answer.stack !== undefined) error.stack = answer.stack
      throw error
    }
    return answer
  }

  #start(): Thread {
    if (this.#thread) return this.#thread
    const worker = this.#threads.start(new URL('./thread.ts', import.meta.url), 'grouping')
    const thread: Thread = { worker, pending: new Map() }
    this.#thread = thread
    worker.on('message', (answer: Answer) => {
      const waiting = thread.pending.get(answer.id)
      thread.pending.delete(answer.id)
      if (thread.pending.size === 0) worker.unref()
      waiting?.resolve(answer)
    })
    const onEnd = (error: Error): void => {
      if (this.#thread === thread) this.#thread = undefined
      for (const waiting of thread.pending.values()) waiting.reject(error)
      thread.pending.clear()
    }
    worker.on('error', onEnd)
    worker.on('exit', () => onEnd(new Error('the grouping thread ended')))
    return thread
  }
}
