import type * as z from 'zod/mini'
import type { Context, HttpRequest, HttpResponse } from '../connector.ts'
import {
  AuthExpired,
  type ConnectorFailure,
  isConnectorFailure,
  RateLimited,
  Rejected,
  Unavailable,
} from '../kit/errors.ts'
import { failureOf } from '../kit/failure.ts'
import { outsidePauses } from '../kit/pauses.ts'
import { retryAfter } from '../kit/retry-after.ts'
import { SlackSecrets } from './manifest.ts'
import { Envelope } from './schema.ts'

const HOME = 'https://slack.com'
/** Slack's limits count by the minute; used where a response does not specify how long to wait. */
const WAIT_SECONDS = 60

const AUTH = new Set([
  'account_inactive',
  'app_uninstalled',
  'ekm_access_denied',
  'invalid_auth',
  'not_authed',
  'org_login_required',
  'team_access_not_granted',
  'token_expired',
  'token_revoked',
])
const OUT_OF_ORDER = new Set([
  'fatal_error',
  'internal_error',
  'request_timeout',
  'service_unavailable',
  'team_added_to_org',
])

/** Slack returned an error: `code` is its error code, such as `not_in_channel`. */
export class SlackRefusal extends Rejected {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** A response longer than the limit: the same request with a smaller page may succeed. */
export class AnswerTooLong extends Unavailable {}

type Values = Readonly<Record<string, string | number | boolean | null | undefined>>

/** Slack's address: the configured one, or slack.com. The path of its API is added to it. */
export function slackUrl(context: Pick<Context, 'baseUrl'>): string {
  return context.baseUrl?.replace(/\/+$/, '').replace(/\/api$/, '') ?? HOME
}

/** Calls a read method with the connection's token, and parses the response. Throws by kind, never returns `{ok: false}`. */
export async function read<T extends z.ZodMiniType>(
  context: Context,
  method: string,
  values: Values,
  schema: T,
): Promise<z.infer<T>> {
  const secrets = SlackSecrets.safeParse(context.secrets)
  if (!secrets.success) throw new AuthExpired('Slack is not signed in: connect it again')
  const query = form(values).toString()
  const request: HttpRequest = {
    method: 'GET',
    url: `${slackUrl(context)}/api/${method}${query === '' ? '' : `?${query}`}`,
    headers: { authorization: `Bearer ${secrets.data.bot_token}` },
    signal: context.signal,
  }
  return call(context, method, request, schema)
}

/** Calls a method that changes something, without a token. It is sent once. */
export async function send<T extends z.ZodMiniType>(
  context: Context,
  method: string,
  values: Values,
  schema: T,
): Promise<z.infer<T>> {
  const request: HttpRequest = {
    method: 'POST',
    url: `${slackUrl(context)}/api/${method}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form(values).toString(),
    signal: context.signal,
  }
  return call(context, method, request, schema)
}

/** Slack limits each method separately. */
async function call<T extends z.ZodMiniType>(
  context: Context,
  method: string,
  request: HttpRequest,
  schema: T,
): Promise<z.infer<T>> {
  const { data } = await outsidePauses(context, { who: 'Slack', asked: method, scope: method }, async () => ({
    data: judge(context, method, await ask(context, request), schema),
    pause: null,
  }))
  return data
}

async function ask(context: Context, request: HttpRequest): Promise<HttpResponse> {
  try {
    return await context.http.request(request)
  } catch (error) {
    throw isConnectorFailure(error) ? withoutLedger(error) : error
  }
}

function form(values: Values): URLSearchParams {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    if (value !== null && value !== undefined) params.set(name, String(value))
  }
  return params
}

function judge<T extends z.ZodMiniType>(context: Context, method: string, answer: HttpResponse, schema: T): z.infer<T> {
  const now = context.now()
  if (answer.status === 429) throw limited(answer, now)
  if (answer.status < 200 || answer.status > 299) {
    const failure = failureOf(answer, { who: 'Slack', now, secrets: [] })
    throw failure.kind === 'auth' ? new AuthExpired(failure.message) : withoutLedger(failure)
  }
  if (answer.truncated) throw new AnswerTooLong(`Slack’s response to ${method} is larger than the limit`)
  const body = parseJson(answer.body)
  const envelope = Envelope.safeParse(body)
  if (!envelope.success) throw new Unavailable(`Slack’s response to ${method} could not be parsed`)
  if (!envelope.data.ok) throw refusal(method, envelope.data, answer, now)
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data as z.infer<T>
  const where = parsed.error.issues[0]?.path.map(safeKey).join('.') ?? ''
  throw new Unavailable(
    `Slack’s response to ${method} does not match Slack’s documentation (at ${where || 'its start'})`,
  )
}

/** A key of a response as a message may show it: positions and plain names only. */
const safeKey = (key: PropertyKey) => (/^[a-z_]{1,30}$|^\d{1,6}$/.test(String(key)) ? String(key) : '…')

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

/** Slack's responses, even partial ones, may contain what customers wrote: no ledger records them. */
function withoutLedger(failure: ConnectorFailure): ConnectorFailure {
  const options = { retryAfter: failure.retryAfter }
  return failure.kind === 'unavailable' ? new Unavailable(failure.message, options) : new Rejected(failure.message)
}

function limited(answer: HttpResponse, now: Date): RateLimited {
  const seconds = retryAfter(answer.headers, now) ?? WAIT_SECONDS
  return new RateLimited(`Slack asked for a pause of ${seconds} seconds`, { retryAfter: seconds })
}

function refusal(method: string, said: z.infer<typeof Envelope>, answer: HttpResponse, now: Date): ConnectorFailure {
  const code = /^[a-z0-9_]{1,60}$/.test(said.error ?? '') ? String(said.error) : 'an unknown error'
  if (code === 'ratelimited' || code === 'rate_limited') return limited(answer, now)
  if (code === 'missing_scope') {
    const needed = /^[a-z:.,_]{1,80}$/.test(said.needed ?? '') ? ` (${said.needed})` : ''
    return new AuthExpired(`Slack does not allow ${method}: the app lacks a scope${needed}. Add it and connect again`)
  }
  if (AUTH.has(code)) return new AuthExpired(`Slack no longer accepts the sign-in (${code}). Connect again`)
  if (OUT_OF_ORDER.has(code)) return new Unavailable(`Slack is temporarily unavailable (${code})`)
  return new SlackRefusal(code, `Slack refused ${method}: ${code}`)
}
