import path from 'node:path'
import { Worker } from 'node:worker_threads'
import type { EmbeddingSettings } from '../../platform/config/config.ts'
import { ModelFailure } from '../models/index.ts'
import { checkedVectors, type Embedder, spaceOf } from './embedder.ts'
import type { LocalModel } from './local-model.ts'
import type { LocalAnswer, LocalRequest } from './local-thread.ts'

/** A slow machine works on one batch for so long; the first one also fetches and loads the model. */
const CALL_MS = 10 * 60_000

type Waiting = { resolve(rows: number[][]): void; reject(error: Error): void }
type Thread = { worker: Worker; waiting: Map<number, Waiting> }

/**
 * A model on this machine, in a thread of its own: it computes without a break, and the event loop must not wait for it. The
 * thread and the library are loaded when the first text comes.
 */
export function openLocal(settings: EmbeddingSettings, dataDir: string): Embedder {
  const { model, packageDir } = settings
  const where: LocalModel = { model, packageDir, cacheDir: path.join(dataDir, 'models') }
  let thread: Thread | undefined
  let nextId = 1

  const start = (): Thread => {
    const worker = new Worker(new URL('./local-thread.ts', import.meta.url), {
      name: 'embeddings',
      workerData: where,
      execArgv: [],
    })
    const started: Thread = { worker, waiting: new Map() }
    worker.on('message', (answer: LocalAnswer) => settle(started, answer))
    const lost = () => {
      if (thread === started) thread = undefined
      for (const one of started.waiting.values()) one.reject(new ModelFailure('unavailable', 'its thread ended'))
      started.waiting.clear()
    }
    worker.on('error', lost)
    worker.on('exit', lost)
    worker.unref()
    return started
  }

  return {
    space: spaceOf(settings),
    async embed(texts, stop) {
      thread ??= start()
      const { worker, waiting } = thread
      const id = nextId++
      const ended = AbortSignal.timeout(CALL_MS)
      const signal = AbortSignal.any([stop, ended])
      const rows = await new Promise<number[][]>((resolve, reject) => {
        stop.throwIfAborted()
        waiting.set(id, { resolve, reject })
        signal.addEventListener('abort', () => {
          waiting.delete(id)
          // What is stuck is not waited for by the next text.
          if (!stop.aborted) void worker.terminate()
          reject(stop.aborted ? (stop.reason as Error) : new ModelFailure('unavailable', 'it is too slow'))
        })
        worker.ref()
        worker.postMessage({ id, texts: [...texts] } satisfies LocalRequest)
      }).finally(() => {
        if (waiting.size === 0) worker.unref()
      })
      return checkedVectors(rows, texts.length)
    },
    async close() {
      await thread?.worker.terminate()
    },
  }
}

function settle({ waiting }: Thread, answer: LocalAnswer): void {
  const asked = waiting.get(answer.id)
  waiting.delete(answer.id)
  if ('rows' in answer) asked?.resolve(answer.rows)
  else if ('missing' in answer) asked?.reject(new ModelFailure('auth', answer.missing))
  else asked?.reject(new ModelFailure('rejected', 'the local model fails at a text'))
}
