import { setTimeout as wait } from 'node:timers/promises'
import { ErrorBody } from '@groundswell/contract/errors.ts'
import type { GivenTo, ReplyOf, Route } from '@groundswell/contract/route.ts'
import { ApiError } from './api-error.ts'
import { calls, REPEATABLE } from './calls.ts'

type Calls = typeof calls
type CallOptions = { signal?: AbortSignal }

/** The arguments of a call: its params, query and body as in the contract. Where none is needed, they may be omitted. */
type Arguments<R extends Route> =
  Record<never, never> extends GivenTo<R>
    ? [given?: GivenTo<R>, options?: CallOptions]
    : [given: GivenTo<R>, options?: CallOptions]

/** One function for each call that an API key may make. Each throws `ApiError`. */
export type Client = { readonly [N in keyof Calls]: (...given: Arguments<Calls[N]>) => Promise<ReplyOf<Calls[N]>> }

/**
 * `url`: the address of the server. `retries`: how often a call is retried after a temporary failure, if it may be repeated; 3 by default.
 * `timeoutMs`: for each attempt, a minute by default. `fetch`: for tests and proxies.
 */
export type ClientOptions = {
  url: string
  key: string
  retries?: number
  timeoutMs?: number
  fetch?: typeof globalThis.fetch
}

const PASSING = new Set([0, 429, 502, 503, 504])
const FIRST_WAIT_MS = 500
const MAX_WAIT_MS = 120_000

/**
 * A client of the calls that an API key may make. Calls that change nothing, or nothing more when repeated, are retried after the server's
 * Retry-After, or after a growing pause: if there was no answer, at a rate limit, and while the server is unavailable.
 */
export function createClient(options: ClientOptions): Client {
  const base = new URL(options.url.endsWith('/') ? options.url : `${options.url}/`)
  const made = Object.entries(calls).map(([name, route]) => {
    const call = (given: LooseInput = {}, { signal }: CallOptions = {}) =>
      retrying(options, route, signal, () => once(base, options, route, given, signal))
    return [name, call]
  })
  return Object.fromEntries(made) as Client
}

type Values = Readonly<Record<string, string | number | undefined>>
type LooseInput = { params?: Values; query?: Values; body?: unknown }

async function retrying<T>(
  { retries = 3 }: ClientOptions,
  route: Route,
  signal: AbortSignal | undefined,
  attempt: () => Promise<T>,
): Promise<T> {
  const mayRepeat = route.method === 'GET' || REPEATABLE.has(route.name)
  for (let failed = 0; ; failed += 1) {
    try {
      return await attempt()
    } catch (error) {
      const passes = error instanceof ApiError && PASSING.has(error.status)
      if (!passes || !mayRepeat || failed >= retries || signal?.aborted) throw error
      // Random, so that programs that failed together do not retry together.
      const pause = FIRST_WAIT_MS * 2 ** failed * (0.5 + Math.random())
      const asked = error.retryAfter === null ? pause : error.retryAfter * 1000
      if (asked > MAX_WAIT_MS) throw error
      await wait(asked, undefined, signal ? { signal } : {})
    }
  }
}

async function once(
  base: URL,
  { key, timeoutMs = 60_000, fetch = globalThis.fetch }: ClientOptions,
  route: Route,
  given: LooseInput,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const { body } = given
  let response: Response
  let text: string
  try {
    response = await fetch(addressOf(base, route, given), {
      method: route.method,
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
    })
    text = await response.text()
  } catch (cause) {
    signal?.throwIfAborted()
    throw new ApiError({ code: 'no_answer', status: 0, message: 'The server cannot be reached' }, { cause })
  }
  const answer = jsonOf(text)
  if (response.ok && answer !== undefined) return answer
  throw refusalOf(response, answer)
}

/** The address of a call. Throws when a parameter of the path is missing. */
function addressOf(base: URL, route: Route, { params = {}, query = {} }: LooseInput): URL {
  const path = route.path.slice(1).replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new TypeError(`${route.name} needs ${name}`)
    return encodeURIComponent(String(value))
  })
  const address = new URL(path, base)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) address.searchParams.set(name, String(value))
  }
  return address
}

function refusalOf({ status, headers }: Response, answer: unknown): ApiError {
  const refused = ErrorBody.safeParse(answer)
  const retryAfter = secondsOf(headers.get('retry-after'))
  if (refused.success) return new ApiError({ ...refused.data, status, retryAfter })
  return new ApiError({
    code: 'no_answer',
    status,
    message: `The server answered ${status}, not as this API does`,
    retryAfter,
  })
}

/** The seconds of a Retry-After, which may be a date. */
function secondsOf(header: string | null): number | null {
  if (header === null) return null
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
