/**
 * Runs work once for all who ask for the same key while it runs, and gives them the same result. A browser's tabs, and a
 * client that tries again too soon, ask for the same thing at the same moment: each would wait for the one before with a
 * database connection in hand.
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
