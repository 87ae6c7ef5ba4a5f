import type * as z from 'zod/mini'
import type { Context, HttpRequest } from '../connector.ts'
import { AuthExpired, type ConnectorFailure, Rejected } from '../kit/errors.ts'
import { type JsonCall, type JsonReply, jsonCall } from '../kit/http/json-call.ts'
import { exhausted, type LimitReader, resetHeader, tooManyRequests, waitHeader } from '../kit/http/rate-limits.ts'
import { ZendeskSecrets, ZendeskSettings } from './manifest.ts'
import { ErrorReply } from './schema.ts'

/** Zendesk refused a request with this status, which is neither 401 nor 429: 403, 404, 422 and the like. */
export class ZendeskRefusal extends Rejected {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** The settings of a connection; `Rejected` without a valid subdomain. */
export function settingsOf({ settings }: Pick<Context, 'settings'>): ZendeskSettings {
  const parsed = ZendeskSettings.safeParse(settings)
  if (!parsed.success) throw new Rejected('Zendesk is not set up: connect it again')
  return parsed.data
}

/** The address of the account, without a trailing slash. */
export function zendeskUrl(context: Pick<Context, 'baseUrl' | 'settings'>): string {
  const { subdomain } = settingsOf(context)
  return context.baseUrl?.replace(/\/+$/, '') ?? `https://${subdomain}.zendesk.com`
}

type FailedReply = Parameters<NonNullable<JsonCall<z.ZodMiniType>['failures']>>[0]

export type Call<T extends z.ZodMiniType> = {
  /** As in messages: no id, no path. */
  name: string
  path: string
  schema: T
  method?: HttpRequest['method']
  query?: JsonCall<T>['query']
  json?: unknown
  /** Null: without credentials. */
  authorization?: null
  /** Our own messages for a refusal, by status. */
  refusals?: Readonly<Record<number, ConnectorFailure>>
}

/** Sends one request with the connection's credentials, once. Throws the four kinds; a refusal has its status. */
export async function call<T extends z.ZodMiniType>(context: Context, asked: Call<T>): Promise<JsonReply<T>> {
  const { name, path, schema, method = 'GET', query, json, refusals = {} } = asked
  return await jsonCall(context, {
    who: 'Zendesk',
    name,
    method,
    url: `${zendeskUrl(context)}${path}`,
    query,
    authorization: asked.authorization === null ? null : authorizationOf(context),
    ...(json === undefined ? {} : { body: { json } }),
    schema,
    limits,
    failures: (reply) => refusals[reply.response.status] ?? refusal(name, reply),
  })
}

/** Sizes of a page, largest first: a smaller one is used where a response is too large. */
export const PAGE_SIZES = [100, 25, 5, 1]

function authorizationOf(context: Context): string {
  const secrets = ZendeskSecrets.safeParse(context.secrets)
  if (!secrets.success) throw new AuthExpired('Zendesk is not signed in: connect again')
  if ('access_token' in secrets.data) return `Bearer ${secrets.data.access_token}`
  const { email } = settingsOf(context)
  return `Basic ${Buffer.from(`${email ?? ''}/token:${secrets.data.api_token}`).toString('base64')}`
}

/** Seconds until the budget of one endpoint is back: `Zendesk-RateLimit-…: total=100; remaining=0; resets=41`. */
const endpointLimit: LimitReader = ({ headers }) => {
  for (const [name, value] of Object.entries(headers)) {
    const resets = name.startsWith('zendesk-ratelimit-') ? /remaining=0\b.*resets=(\d{1,5})\b/.exec(value)?.[1] : null
    if (resets) return Math.max(1, Number(resets))
  }
  return null
}
const accountLimit = exhausted('ratelimit-remaining', 'ratelimit-reset')
const refused = tooManyRequests(waitHeader(), endpointLimit, resetHeader('ratelimit-reset'))
/** A successful response may say that it was the last of this minute for the account. */
export const limits: LimitReader = (response, now) =>
  response.status < 300 ? accountLimit(response, now) : refused(response, now)

function refusal(name: string, { response, body }: FailedReply): ConnectorFailure | null {
  const { status } = response
  if (status < 400 || status >= 500 || [401, 408, 429].includes(status)) return null
  const scope = status === 403 ? missingScope(body) : null
  if (scope !== null) {
    return new AuthExpired(`Zendesk does not allow ${name}: the sign-in lacks ${scope}. Add it and connect again`)
  }
  return new ZendeskRefusal(status, `Zendesk answered ${status} to ${name}: it refused the request`)
}

/** The scope that a 403 names, as words for a message. */
function missingScope(body: unknown): string | null {
  const { description } = ErrorReply.safeParse(body).data ?? {}
  if (!/\bscopes?\b/i.test(description ?? '')) return null
  const named = /scopes?:? +([a-z_]+(?::[a-z_]+)?(?:,? +[a-z_]+(?::[a-z_]+)?){0,5})\.?$/i.exec(description ?? '')?.[1]
  return named ? `the scope ${named}` : 'a scope'
}
