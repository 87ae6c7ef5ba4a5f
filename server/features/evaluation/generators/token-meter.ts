/** The next call could use more tokens than are left of the limit. */
export class BudgetReached extends Error {
  override name = 'BudgetReached'

  constructor(spent: number, limit: number) {
    super(`The budget of ${limit.toLocaleString('en')} tokens is reached: ${spent.toLocaleString('en')} are used.`)
  }
}

/** Makes a call that uses at most `maxTokens`, for example within a budget that others share; what it throws ends the call. */
export type Pay = (maxTokens: number, call: () => Promise<{ tokens: number }>) => Promise<void>

/** Counts the tokens of calls, and refuses one that could exceed the limit. */
export class TokenMeter {
  readonly #limit: number | null
  readonly #onSpent: (spent: number) => Promise<void>
  readonly #pay: Pay
  #spent: number
  #calls = 0

  /** `spent`: in earlier runs that count towards the limit. `onSpent` is told each new total. `pay`: makes the calls; default: makes them at once. */
  constructor(
    limit: number | null,
    {
      spent = 0,
      onSpent = async () => undefined,
      pay = async (_maxTokens, call) => void (await call()),
    }: { spent?: number; onSpent?: (spent: number) => Promise<void>; pay?: Pay } = {},
  ) {
    this.#limit = limit
    this.#pay = pay
    this.#spent = spent
    this.#onSpent = onSpent
  }

  get spent(): number {
    return this.#spent
  }

  get calls(): number {
    return this.#calls
  }

  /** Makes a call that uses at most `maxTokens`. A call that fails counts as nothing. Throws `BudgetReached` before it is made. */
  async spend(maxTokens: number, call: () => Promise<{ tokens: number }>): Promise<void> {
    if (this.#limit !== null && this.#spent + maxTokens > this.#limit) throw new BudgetReached(this.#spent, this.#limit)
    await this.#pay(maxTokens, async () => {
      const made = await call()
      this.#calls++
      this.#spent += made.tokens
      return made
    })
    await this.#onSpent(this.#spent)
  }
}
