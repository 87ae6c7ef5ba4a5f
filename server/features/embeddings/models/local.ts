import path from 'node:path'
import { Worker } from 'node:worker_threads'
import type { EmbeddingSettings } from '../../../platform/config/model-settings.ts'
import { ModelFailure } from '../../../platform/model-provider/failure.ts'
import { withTimeLimit } from '../../../platform/model-provider/http.ts'
import { checkedVectors, type Embedder, spaceOf } from './embedder.ts'
import type { LocalModel } from './local-model.ts'
import type { LocalReply, LocalRequest } from './local-thread.ts'

/** For one batch on a slow machine. The first call also downloads and loads the model. */
const TIME_LIMIT_MS = 10 * 60_000

type Waiting = { resolve(rows: number[][]): void; reject(error: Error): void }
type Thread = { worker: Worker; waiting: Map<number, Waiting> }

/**
 * A model on this machine, in its own thread so that it does not block the event loop. The thread and the library are
 * loaded by the first call.
 */
export function openLocal(settings: EmbeddingSettings, dataDir: string): Embedder {
  const { model, packageDir } = settings
  const localModel: LocalModel = { model, packageDir, cacheDir: path.join(dataDir, 'models') }
  let thread: Thread | undefined
  let nextId = 1

  const start = (): Thread => {
    const worker = new Worker(new URL('./local-thread.ts', import.meta.url), {
      name: 'embeddings',
      workerData: localModel,
      execArgv: [],
    })
    const started: Thread = { worker, waiting: new Map() }
    worker.on('message', (reply: LocalReply) => settle(started, reply))
    const onLost = () => {
      if (thread === started) thread = undefined
      for (const one of started.waiting.values()) one.reject(new ModelFailure('unavailable', 'its thread ended'))
      started.waiting.clear()
    }
    worker.on('error', onLost)
    worker.on('exit', onLost)
    worker.unref()
    return started
  }

  return {
    space: spaceOf(settings),
    async embed(texts, stop) {
      stop.throwIfAborted()
      thread ??= start()
      const { worker, waiting } = thread
      const id = nextId++
      const rows = await withTimeLimit(stop, TIME_LIMIT_MS, (signal) =>
        new Promise<number[][]>((resolve, reject) => {
          waiting.set(id, { resolve, reject })
          signal.addEventListener('abort', () => {
            waiting.delete(id)
            // A thread that is stuck must not hold up the next call.
            if (!stop.aborted) void worker.terminate()
            reject(signal.reason as Error)
          })
          worker.ref()
          worker.postMessage({ id, texts: [...texts] } satisfies LocalRequest)
        }).finally(() => {
          if (waiting.size === 0) worker.unref()
        }),
      )
      return checkedVectors(rows, texts.length)
    },
    async close() {
      await thread?.worker.terminate()
    },
  }
}

function settle({ waiting }: Thread, reply: LocalReply): void {
  const call = waiting.get(reply.id)
  waiting.delete(reply.id)
  if ('rows' in reply) call?.resolve(reply.rows)
  else if ('missing' in reply) call?.reject(new ModelFailure('auth', reply.missing))
  else call?.reject(new ModelFailure('rejected', 'the local model failed at a text'))
}
