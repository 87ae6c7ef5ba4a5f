/**
 * Runs work once for all concurrent callers with the same key and gives them the same result. A browser's tabs, and a client
 * that retries too soon, send the same request at the same moment: each would otherwise wait for the previous one while
 * holding a database connection.
 */
export class SingleFlight<T> {
  readonly #running = new Map<string, Promise<T>>()

  run(key: string, work: () => Promise<T>): Promise<T> {
    const found = this.#running.get(key)
    if (found) return found
    const started = work().finally(() => this.#running.delete(key))
    this.#running.set(key, started)
    return started
  }
}
