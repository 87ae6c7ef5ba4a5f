import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CompanyMessage } from './company/company.ts'
import { readBody } from './request-body.ts'
import { serve } from './server.ts'

/** Where a stand-in listens. Port 0: any free one. */
export type ProviderOptions = { port?: number; host?: string }

export type SourceOptions = ProviderOptions & {
  /** The messages it holds; the demo company's by default. */
  company?: readonly CompanyMessage[]
  clientId?: string
  clientSecret?: string
  now?: () => Date
}

/** A call as it arrived, without credentials. `answer` is the body that was sent, if it was a correct one. */
type Call = {
  method: string
  /** As in the official description. */
  template: string
  query: Record<string, string>
  json: unknown
  status: number
  answer: unknown
}

/** A call of a source, by the name of its endpoint. */
export type NamedCall = Call & { name: string }

/** A call of a tracker. `template` is null or empty for a call that its API does not have. */
export type PathCall<Template = string> = Omit<Call, 'template'> & { path: string; template: Template }

/** The time of a stand-in, in epoch milliseconds. It can be moved forward. */
export class Clock {
  readonly #time: () => number
  #offset = 0

  constructor(now?: () => Date) {
    this.#time = now ? () => now().getTime() : Date.now
  }

  now = (): number => this.#time() + this.#offset

  /** Moves the clock forward. */
  advance = (seconds: number): void => {
    this.#offset += seconds * 1000
  }
}

/** A request with its body as text. `values`: the fields of its address, then those of a form. */
export type Incoming = {
  request: IncomingMessage
  response: ServerResponse
  method: string
  url: URL
  body: string
  values: URLSearchParams
}

/** What a stand-in that is started has in common with all others. */
export type Provider = {
  url: string
  /** Moves its clock forward. */
  advance(seconds: number): void
  stop(): Promise<void>
}

/**
 * Starts a stand-in over HTTP. `clock` is the one that it uses; `webhooks` send its events, and end with it. A request whose handling
 * fails is cut off.
 */
export async function startProvider(
  { host, port }: ProviderOptions,
  { clock, webhooks }: { clock: Clock; webhooks: { stop(): void } },
  handle: (incoming: Incoming) => void | Promise<void>,
): Promise<Provider> {
  const { url, stop } = await serve(
    async (request, response) => {
      const address = new URL(request.url ?? '/', 'http://provider')
      const body = await readBody(request)
      const values = new URLSearchParams([...address.searchParams, ...new URLSearchParams(body)])
      await handle({ request, response, method: request.method ?? '', url: address, body, values })
    },
    { host, port },
  )
  return {
    url,
    advance: clock.advance,
    stop: () => {
      webhooks.stop()
      return stop()
    },
  }
}
