import { Worker } from 'node:worker_threads'

/** Where a process gets the threads for its computations from. */
export interface Threads {
  /** A thread that runs a module. It does not keep the process alive. */
  start(module: URL, name: string): Worker
  /**
   * Takes back a thread that has answered everything and holds nothing of what it was asked: it ends, or another caller of `start` gets it. The caller
   * has removed its listeners.
   */
  end(worker: Worker): Promise<void>
}

/** A new thread for each start. */
export const newThreads: Threads = {
  start(module, name) {
    const worker = new Worker(module, { name, execArgv: [] })
    worker.unref()
    return worker
  },
  async end(worker) {
    await worker.terminate()
  },
}
