import type { BodyOf, ParamsOf, QueryOf, ReplyOf, Route } from '@groundswell/contract/route.ts'

/** A response other than 2xx. */
export class Refused extends Error {
  override name = 'Refused'
  readonly status: number

  constructor(call: string, status: number, body: string) {
    super(`${call} answered ${status}: ${body.slice(0, 500)}`)
    this.status = status
  }
}

type InputOf<R extends Route> = {
  params?: ParamsOf<R>
  query?: Partial<QueryOf<R>>
  body?: BodyOf<R>
  /** The body of a raw call; a stream is sent chunk by chunk. */
  raw?: string | AsyncIterable<Uint8Array>
}

/** Uses the product over HTTP. The address is requested for each call, because a restart changes it. `limitMs`: how long a call may take. */
export class ApiClient {
  readonly #base: () => string
  readonly #limitMs: number | undefined
  token = ''

  constructor(base: () => string, limitMs?: number) {
    this.#base = base
    this.#limitMs = limitMs
  }

  get base(): string {
    return this.#base()
  }

  /** Makes one call of the contract; the reply is checked against its schema. Throws `Refused` for anything other than 2xx. */
  async call<R extends Route>(route: R, input: InputOf<R> = {}): Promise<ReplyOf<R>> {
    const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String((input.params as Record<string, unknown> | undefined)?.[name])),
    )
    const query = new URLSearchParams(Object.entries((input.query ?? {}) as Record<string, string>)).toString()
    const body = input.raw ?? (route.method === 'GET' ? undefined : JSON.stringify(input.body ?? {}))
    const response = await fetch(`${this.base}${path}${query === '' ? '' : `?${query}`}`, {
      method: route.method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': route.raw ? 'application/octet-stream' : 'application/json' }),
        ...(this.token === '' ? {} : { authorization: `Bearer ${this.token}` }),
      },
      ...(body === undefined ? {} : { body, duplex: 'half' as const }),
      ...(this.#limitMs === undefined ? {} : { signal: AbortSignal.timeout(this.#limitMs) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Refused(`${route.method} ${path}`, response.status, text)
    return route.reply.parse(JSON.parse(text)) as ReplyOf<R>
  }
}
