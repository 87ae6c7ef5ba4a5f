import type * as z from 'zod/mini'
import type { Context, HttpRequest } from '../connector.ts'
import { AuthExpired, type ConnectorFailure, Rejected } from '../kit/errors.ts'
import { hostUrl } from '../kit/http/host-url.ts'
import { type JsonCall, type JsonReply, jsonCall } from '../kit/http/json-call.ts'
import { TeamsSecrets, TeamsSettings } from './manifest.ts'
import { GraphError } from './schema.ts'

const GRAPH = 'https://graph.microsoft.com'

/** Microsoft Graph refused a request with this status, which is neither 401 nor 429: 400, 403, 404, 410 and the like. */
export class GraphRefusal extends Rejected {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** The settings of a connection; `Rejected` without a valid tenant. */
export function settingsOf({ settings }: Pick<Context, 'settings'>): TeamsSettings {
  const parsed = TeamsSettings.safeParse(settings)
  if (!parsed.success) throw new Rejected('Microsoft Teams is not set up: connect it again')
  return parsed.data
}

/** The address of Microsoft Graph, with its version. */
export const graphUrl = (context: Pick<Context, 'baseUrl' | 'hostUrls'>) => `${hostUrl(context, 'api', GRAPH)}/v1.0`

type FailedReply = Parameters<NonNullable<JsonCall<z.ZodMiniType>['failures']>>[0]

type Call<T extends z.ZodMiniType> = {
  /** As in messages: no id, no path. */
  name: string
  path: string
  schema: T
  method?: HttpRequest['method']
  /** Values to encode, or a query as `queryOfLink` returns it. */
  query?: Readonly<Record<string, string>> | string
  json?: unknown
  /** The permission without which Graph refuses the call. Null: any refusal is a `GraphRefusal`. */
  needs: string | null
}

/** Sends one request with the connection's token, once. Throws the four kinds; a refusal has its status. */
export async function call<T extends z.ZodMiniType>(context: Context, asked: Call<T>): Promise<JsonReply<T>> {
  const { name, path, schema, method = 'GET', query, json, needs } = asked
  const token = TeamsSecrets.safeParse(context.secrets).data?.access_token
  if (token === undefined) throw new AuthExpired('Microsoft Teams is not signed in: connect again')
  const search = typeof query === 'string' ? query : encodeQuery(query)
  return await jsonCall(context, {
    who: 'Microsoft Teams',
    name,
    method,
    url: `${graphUrl(context)}${path}${search === '' ? '' : `?${search}`}`,
    authorization: `Bearer ${token}`,
    ...(json === undefined ? {} : { body: { json } }),
    schema,
    failures: (reply) => refusal(name, needs, reply),
  })
}

function refusal(name: string, needs: string | null, { response, body }: FailedReply): ConnectorFailure | null {
  const { status } = response
  const isRefusal = (status >= 400 && status < 500 && ![401, 408, 429].includes(status)) || status === 501
  if (!isRefusal) return null
  const { code, message } = GraphError.safeParse(body).data?.error ?? {}
  if (status === 403 && /protected api/i.test(message ?? '')) {
    const request = 'Request access to them for the app from Microsoft and connect again'
    return new AuthExpired(`Microsoft does not allow ${name}: the app may not use its protected APIs. ${request}`)
  }
  if (status === 403 && needs !== null && isMissingPermission(code ?? '', message ?? '')) {
    const grant = `Grant it with admin consent and connect again`
    return new AuthExpired(`Microsoft does not allow ${name}: the permission ${needs} is missing. ${grant}`)
  }
  return new GraphRefusal(status, `Microsoft answered ${status} to ${name}: it refused the request`)
}

/** Other refusals with 403 are about one team or channel, such as a policy. */
const isMissingPermission = (code: string, message: string) =>
  code === 'Authorization_RequestDenied' ||
  /(?:role|scope) permissions|api requires one of|insufficient privileges/i.test(message)

/** OData reads a plus sign as itself in some places. */
export const encodeQuery = (query: Readonly<Record<string, string>> = {}) =>
  new URLSearchParams(query).toString().replaceAll('+', '%20')

/**
 * The query of a link to a next page, which replaces the one of the first request. Graph's links are never followed themselves: only
 * their OData parameters are sent, to the address that the first request went to. They stay encoded as Graph sent them, because its
 * tokens are opaque. Null for no link.
 */
export function queryOfLink(link: string | null | undefined): string | null {
  if (!link || !URL.canParse(link)) return null
  const parts = new URL(link).search.slice(1).split('&')
  return parts.filter((part) => /^(?:\$|%24)[a-z]{1,30}=/i.test(part)).join('&') || null
}

const isExpand = (part: string) => /^(?:\$|%24)expand=/i.test(part)

/** The same query without what it expands. */
export const withoutExpand = (query: string) =>
  query
    .split('&')
    .filter((part) => !isExpand(part))
    .join('&')

/** The same query with the replies of the posts. */
export const withExpand = (query: string) => `${withoutExpand(query)}&%24expand=replies`

/** The same query with another page size. */
export const withTop = (query: string, top: number) =>
  [...query.split('&').filter((part) => !/^(?:\$|%24)top=/i.test(part)), `%24top=${top}`].join('&')

/** `/teams/…/channels/…`, with what follows. */
export const channelPath = ({ team, channel }: { team: string; channel: string }, rest = '') =>
  `/teams/${encodeURIComponent(team)}/channels/${encodeURIComponent(channel)}${rest}`
