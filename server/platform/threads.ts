import { Worker } from 'node:worker_threads'

/** Where a process gets the threads for its computations from. */
export interface Threads {
  /** A thread that runs a module. It does not keep the process alive. */
  start(module: URL, name: string): Worker
  /**
   * Takes back a thread. A busy one ends, and its listeners learn that; an idle one, which must hold no state of its requests, ends, or is returned
   * by a later `start` without its listeners.
   */
  end(worker: Worker, state: { busy: boolean }): Promise<void>
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
