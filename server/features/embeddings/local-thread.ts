import { parentPort, workerData } from 'node:worker_threads'
import { type Extract, type LocalModel, LocalModelMissing, loadLocalModel } from './local-model.ts'

/** What the thread is given and answers, see `local.ts`. */
export type LocalRequest = { id: number; texts: string[] }
export type LocalAnswer =
  | { id: number; rows: number[][] }
  | { id: number; missing: string }
  | { id: number; failed: true }

let loading: Promise<Extract> | undefined

parentPort?.on('message', ({ id, texts }: LocalRequest) => {
  loading ??= loadLocalModel(workerData as LocalModel)
  const answer = (message: LocalAnswer) => parentPort?.postMessage(message)
  loading
    .then((extract) => extract(texts))
    .then(
      (rows) => answer({ id, rows }),
      (error: unknown) => {
        if (!(error instanceof LocalModelMissing)) return answer({ id, failed: true })
        loading = undefined
        return answer({ id, missing: error.message })
      },
    )
})
