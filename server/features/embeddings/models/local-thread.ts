import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { type Extract, type LocalModel, LocalModelMissing, loadLocalModel } from './local-model.ts'

/** The messages to and from the thread, see `local.ts`. */
export type LocalRequest = { id: number; texts: string[] }
/** The answer to the request with this id: a vector for each of its texts, or why there is none. */
export type LocalReply =
  | { id: number; rows: number[][] }
  | { id: number; missing: string }
  | { id: number; failed: true }

/** Embeds what the port receives. The first request loads the model; if it was missing, the next one tries again. */
function serve(port: MessagePort, model: LocalModel): void {
  let loading: Promise<Extract> | undefined
  port.on('message', ({ id, texts }: LocalRequest) => {
    loading ??= loadLocalModel(model)
    const reply = (message: LocalReply) => port.postMessage(message)
    loading
      .then((extract) => extract(texts))
      .then(
        (rows) => reply({ id, rows }),
        (error: unknown) => {
          if (!(error instanceof LocalModelMissing)) return reply({ id, failed: true })
          loading = undefined
          return reply({ id, missing: error.message })
        },
      )
  })
}

if (parentPort) serve(parentPort, workerData as LocalModel)
