import type * as z from 'zod/mini'
import type { Context } from '../connector.ts'
import { AuthExpired, type FailureOptions, RateLimited, Rejected, Unavailable } from '../kit/errors.ts'
import { type JsonCall, jsonCall } from '../kit/http/json-call.ts'
import { isRefused, outage } from '../kit/http/token-call.ts'
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

type Reply = Parameters<NonNullable<JsonCall<z.ZodMiniType>['failures']>>[0]
type Values = NonNullable<JsonCall<z.ZodMiniType>['query']>

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
  return call(context, method, { method: 'GET', query: values, authorization: bearer(context), schema })
}

/** Calls a method that changes something with the connection's token. It is sent once. */
export async function write<T extends z.ZodMiniType>(
  context: Context,
  method: string,
  values: Values,
  schema: T,
): Promise<z.infer<T>> {
  return call(context, method, { method: 'POST', body: { form: values }, authorization: bearer(context), schema })
}

function bearer(context: Context): string {
  const secrets = SlackSecrets.safeParse(context.secrets)
  if (!secrets.success) throw new AuthExpired('Slack is not signed in: connect it again')
  return `Bearer ${secrets.data.bot_token}`
}

/**
 * Requests tokens; it is sent once. Slack refuses with status 200: any other refusal is that of a proxy, for example, and says nothing about the sign-in.
 */
export async function requestTokens<T extends z.ZodMiniType>(
  context: Context,
  values: Values,
  schema: T,
): Promise<z.infer<T>> {
  const name = 'oauth.v2.access'
  const foreign = (reply: Reply) => (isRefused(reply.response.status) ? outage('Slack', name, reply) : null)
  return call(context, name, { method: 'POST', body: { form: values }, schema }, foreign)
}

/** Slack limits each method separately. */
async function call<T extends z.ZodMiniType>(
  context: Context,
  name: string,
  request: Pick<JsonCall<T>, 'method' | 'query' | 'body' | 'authorization' | 'schema'>,
  foreign: (reply: Reply) => Unavailable | null = () => null,
): Promise<z.infer<T>> {
  const { data } = await jsonCall(context, {
    who: 'Slack',
    name,
    url: `${slackUrl(context)}/api/${name}`,
    scope: name,
    failures: (reply) => {
      const { response, body, options } = reply
      if (response.status < 200 || response.status > 299) return foreign(reply)
      if (response.truncated) return null
      const envelope = Envelope.safeParse(body).data
      if (!envelope) return new Unavailable(`Slack’s response to ${request.method} ${name} could not be parsed`)
      return envelope.ok ? null : refusalOf(envelope, name, options)
    },
    ...request,
  })
  return data
}

type Refused = z.infer<typeof Envelope>

function refusalOf({ error, needed }: Refused, name: string, { retryAfter = WAIT_SECONDS }: FailureOptions) {
  const code = /^[a-z0-9_]{1,60}$/.test(error ?? '') ? String(error) : 'an unknown error'
  if (code === 'ratelimited' || code === 'rate_limited') {
    return new RateLimited(`Slack asked for a pause of ${retryAfter} seconds`, { retryAfter })
  }
  if (code === 'missing_scope') {
    const scope = /^[a-z:.,_]{1,80}$/.test(needed ?? '') ? ` (${needed})` : ''
    return new AuthExpired(`Slack does not allow ${name}: the app lacks a scope${scope}. Add it and connect again`)
  }
  if (AUTH.has(code)) return new AuthExpired(`Slack no longer accepts the sign-in (${code}). Connect again`)
  if (OUT_OF_ORDER.has(code)) return new Unavailable(`Slack is temporarily unavailable (${code})`)
  return new SlackRefusal(code, `Slack refused ${name}: ${code}`)
}
