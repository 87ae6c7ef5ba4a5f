import type * as z from 'zod/mini'
import type { Context, HttpRequest, HttpResponse } from '../../connector.ts'
import {
  AuthExpired,
  type ConnectorFailure,
  type FailureOptions,
  isConnectorFailure,
  RateLimited,
  Rejected,
  Unavailable,
} from '../errors.ts'
import { failureOf } from '../failure.ts'
import { ledgerAnswer, ledgerEntry } from '../ledger.ts'
import { parseJson } from './parse-json.ts'
import { keepingPause, requireTurn } from './pauses.ts'
import { type LimitReader, tooManyRequests } from './rate-limits.ts'
import { retryAfter } from './retry-after.ts'

/** Values of a query or a form. Null and undefined are omitted. */
type Values = Readonly<Record<string, string | number | boolean | null | undefined>>

/**
 * What a reader of failures sees: the response and its body as JSON, null where it is none. Pass `options` to the failure that is
 * returned: they contain the ledger entry, if there is one, and how long to wait.
 */
type FailedReply = { response: HttpResponse; body: unknown; options: FailureOptions }

/** One request whose reply is JSON: see `jsonCall`. */
export type JsonCall<T extends z.ZodMiniType> = {
  /** The provider's name, as its users know it. */
  who: string
  /** Identifies the call in messages, such as `tickets.list`. It must not contain an id, a path or a query. */
  name: string
  method: HttpRequest['method']
  url: string
  /** Added to the URL. */
  query?: Values
  /** The whole `Authorization` header: `Bearer …`, `Basic …`, or a bare key. */
  authorization?: string | null
  headers?: Readonly<Record<string, string>>
  /** The content type is set accordingly; one in `headers` replaces it. */
  body?: { json: unknown } | { form: Values }
  /** Parses the JSON of a successful response. An empty body is null. */
  schema: T
  /** How this provider says that a limit is reached. Without it: 429 and `Retry-After`. */
  limits?: LimitReader
  /** What a pause is about, where the provider limits parts of its API separately: it must not contain an id. Default: everything. */
  scope?: string
  /**
   * What a pause stops: the next request, or only the next task, which then begins with `requireTurn`: where nearly every response asks
   * for a pause, a task of two requests would never end. Default: the request.
   */
  pauseStops?: 'request' | 'task'
  /** The provider's own errors, also those with status 200. Null: judged by status alone. */
  failures?: (reply: FailedReply) => ConnectorFailure | null
  /** True for destinations. A source's responses contain what customers wrote, so its failures carry no ledger entry. */
  ledger?: boolean
  /** Further secrets to remove from the ledger, besides the credentials of `authorization`. */
  secrets?: readonly (string | null | undefined)[]
}

/**
 * A successful response. `answer` is the part that the delivery ledger records, empty without `ledger`. `pause` is in seconds: the
 * request succeeded, but the provider asks to wait before the next one.
 */
export type JsonReply<T extends z.ZodMiniType> = {
  data: z.infer<T>
  status: number
  headers: Readonly<Record<string, string>>
  answer: string
  durationMs: number
  pause: number | null
}

/** A response that is larger than the limit: the same request with a smaller page may succeed. */
export class ReplyTooLong extends Unavailable {}

type CallContext = Pick<Context, 'http' | 'signal' | 'now' | 'pauses'>

/**
 * Sends one request, once, and parses its response. During a pause that the provider asked for, nothing is sent: it fails as
 * `RateLimited`. Every failure is one of `kit/errors.ts`: `AuthExpired` for 401, `RateLimited`
 * by `limits`, what `failures` returns, `Unavailable` for 5xx, 408, no response, and a response that is not the JSON that the
 * schema describes; `Rejected` otherwise. A message names the provider, the method, `name` and the field, never a value.
 */
export async function jsonCall<T extends z.ZodMiniType>(
  context: CallContext,
  call: JsonCall<T>,
): Promise<JsonReply<T>> {
  const asked = `${call.method} ${call.name}`
  const { who, scope, pauseStops = 'request' } = call
  if (pauseStops === 'request') await requireTurn(context, { who, asked, scope })
  return keepingPause(context, scope, () => request(context, call, asked))
}

async function request<T extends z.ZodMiniType>(
  context: CallContext,
  call: JsonCall<T>,
  asked: string,
): Promise<JsonReply<T>> {
  const response = await send(context, call)
  const now = context.now()
  const secrets = [call.authorization?.replace(/^\S+ +/, ''), ...(call.secrets ?? [])]
  const ok = response.status >= 200 && response.status < 300
  const wait = (call.limits ?? tooManyRequests())(response, now)
  const options: FailureOptions = {
    retryAfter: wait ?? retryAfter(response.headers, now),
    ledger: call.ledger ? { ...ledgerEntry(response, '', secrets), error: null } : undefined,
  }
  if (!ok && wait !== null)
    throw new RateLimited(`${call.who} asked for a pause of ${wait} seconds (${asked})`, options)
  const body = response.body.trim() === '' ? null : parseJson(response.body)
  const own = call.failures?.({ response, body: body ?? null, options })
  if (own) throw own
  if (!ok) {
    const failure = failureOf(response, { who: call.who, call: asked, now, secrets })
    throw call.ledger ? failure : withoutLedger(failure)
  }
  if (response.truncated) throw new ReplyTooLong(`${call.who}’s response to ${asked} is larger than the limit`, options)
  if (body === undefined) throw new Unavailable(`${call.who}’s response to ${asked} could not be parsed`, options)
  const parsed = call.schema.safeParse(body)
  if (!parsed.success) {
    const where = parsed.error.issues[0]?.path.map(safeKey).join('.') || 'its start'
    throw new Unavailable(mismatch(call.who, asked, where), options)
  }
  return {
    data: parsed.data as z.infer<T>,
    status: response.status,
    headers: response.headers,
    answer: call.ledger ? ledgerAnswer(response.body, secrets) : '',
    durationMs: response.durationMs,
    pause: wait,
  }
}

/** The message for a response that does not match its schema. `where`: a field, never a value. */
export const mismatch = (who: string, asked: string, where: string): string =>
  `${who}’s response to ${asked} does not match its documentation (at ${where})`

async function send<T extends z.ZodMiniType>(
  { http, signal }: CallContext,
  { method, url, query, authorization, headers, body, ledger }: JsonCall<T>,
): Promise<HttpResponse> {
  const content = body && ('json' in body ? JSON.stringify(body.json) : parameters(body.form).toString())
  const type = body && ('json' in body ? 'application/json' : 'application/x-www-form-urlencoded')
  const search = query ? parameters(query).toString() : ''
  try {
    return await http.request({
      method,
      url: search === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${search}`,
      headers: {
        accept: 'application/json',
        ...(type ? { 'content-type': type } : {}),
        ...(authorization ? { authorization } : {}),
        ...headers,
      },
      ...(content === undefined ? {} : { body: content }),
      signal,
    })
  } catch (error) {
    throw !ledger && isConnectorFailure(error) ? withoutLedger(error) : error
  }
}

function parameters(values: Values): URLSearchParams {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    if (value !== null && value !== undefined) params.set(name, String(value))
  }
  return params
}

/** A key of a response as a message may show it: positions and plain names only, since a key may be a customer's word. */
const safeKey = (key: PropertyKey) => (/^[A-Za-z_]{1,30}$|^\d{1,6}$/.test(String(key)) ? String(key) : '…')

/** Even partial responses of a source may contain what customers wrote. The cause is omitted for the same reason. */
function withoutLedger({ kind, message, retryAfter, unsent }: ConnectorFailure): ConnectorFailure {
  switch (kind) {
    case 'auth':
      return new AuthExpired(message)
    case 'rate-limited':
      return new RateLimited(message, { retryAfter })
    case 'rejected':
      return new Rejected(message)
    case 'unavailable':
      return new Unavailable(message, { retryAfter, unsent })
  }
}
