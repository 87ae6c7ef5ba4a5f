/** How the next delivery goes wrong, whatever the provider: it is never sent, or sent twice. */
type DeliveryFault = 'lost' | 'twice'

/** A request to the address of a webhook. `headers(retry)` is called for each attempt, 0 for the first. */
export type Delivery = {
  url: string
  body: string
  headers: Readonly<Record<string, string>> | ((retry: number) => Readonly<Record<string, string>>)
  /** Called with the status of each answer. Returns whether it ends the delivery although it is no success. */
  ended?: (status: number) => boolean
}

type Answer = { status: number; body: string }
type Sent = { url: string; body: string; headers: Readonly<Record<string, string>> }

/** The webhooks of a stand-in: sends events in the background, one after the other. `Fault`: how else one of them can be wrong. */
export abstract class Deliveries<Fault extends string = never> {
  /** The status of each answer, in order; 0 where there was none. */
  readonly replies: number[] = []
  readonly #retryDelays: readonly number[]
  readonly #faults: (Fault | DeliveryFault)[] = []
  readonly #stop = new AbortController()
  /** Aborted by `stop`. */
  protected readonly stopped = this.#stop.signal
  #running: Promise<unknown> = Promise.resolve()
  #last: Sent | null = null

  /** `retryDelays`: milliseconds before each retry of a delivery that was not accepted; none by default. */
  constructor(retryDelays: readonly number[] = []) {
    this.#retryDelays = retryDelays
  }

  /** Makes the next deliveries wrong, one each. */
  fail = (fault: Fault | DeliveryFault, times = 1): void => {
    this.#faults.push(...Array.from({ length: times }, () => fault))
  }

  /** Sends an event. `make` gets the fault that it has to show, if any, and is not called for one that is lost. */
  protected deliver(make: (fault: Fault | DeliveryFault | undefined) => Delivery): void {
    const fault = this.#faults.shift()
    if (fault === 'lost') return
    const delivery = make(fault)
    for (let time = fault === 'twice' ? 2 : 1; time > 0; time -= 1) {
      this.#running = this.#running.then(() => this.#attempt(delivery))
    }
  }

  /** Sends one request at once, and returns the answer. Status 0: there was none. */
  post = async ({ url, body, headers }: Sent): Promise<Answer> => {
    try {
      const answer = await fetch(url, { method: 'POST', body, headers, signal: this.stopped })
      return { status: answer.status, body: await answer.text() }
    } catch {
      return { status: 0, body: '' }
    }
  }

  /** Sends the bytes of the last request again, with their old signature, and returns the status. Null: nothing was sent. */
  replay = async (): Promise<number | null> => (this.#last ? (await this.post(this.#last)).status : null)

  /** Resolves when everything that was sent so far has been answered. */
  settled = (): Promise<unknown> => this.#running

  stop = (): void => this.#stop.abort()

  async #attempt({ url, body, headers, ended }: Delivery): Promise<void> {
    for (let retry = 0; retry <= this.#retryDelays.length; retry += 1) {
      if (retry > 0) await pause(this.#retryDelays[retry - 1] ?? 0, this.stopped)
      if (this.stopped.aborted) return
      this.#last = { url, body, headers: typeof headers === 'function' ? headers(retry) : headers }
      const { status } = await this.post(this.#last)
      this.replies.push(status)
      if ((status >= 200 && status < 300) || ended?.(status)) return
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
}
