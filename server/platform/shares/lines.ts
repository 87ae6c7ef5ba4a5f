/** One piece of work at a time for each key, in the order in which they came. `most`: those that run and wait for one key; any more are refused. */
export class Lines {
  readonly #most: number
  readonly #refusal: () => Error
  readonly #lines = new Map<string, { last: Promise<unknown>; size: number }>()

  constructor(most: number, refusal: () => Error) {
    this.#most = most
    this.#refusal = refusal
  }

  /** Runs `work` after what was taken before with the key, whether or not that succeeded. Throws the refusal when too many wait. */
  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(key) ?? { last: Promise.resolve(), size: 0 }
    if (line.size >= this.#most) throw this.#refusal()
    this.#lines.set(key, line)
    line.size += 1
    const mine = line.last.then(work, work)
    line.last = mine
    try {
      return await mine
    } finally {
      line.size -= 1
      if (line.size === 0) this.#lines.delete(key)
    }
  }
}
