import type * as z from 'zod/mini'
import type { Context, HttpRequest } from '../connector.ts'
import { AuthExpired, type ConnectorFailure, Rejected, Unavailable } from '../kit/errors.ts'
import { hostUrl } from '../kit/http/host-url.ts'
import { type JsonCall, type JsonReply, jsonCall } from '../kit/http/json-call.ts'
import { exhausted, type LimitReader, resetHeader, tooManyRequests, waitHeader } from '../kit/http/rate-limits.ts'
import { IntercomSecrets, IntercomSettings, REGIONS, Region } from './manifest.ts'
import { ErrorReply } from './schema.ts'

/** The version of the API that everything here is written for. Without it, the app's own setting would decide. */
export const API_VERSION = '2.14'

/** Intercom refused a request with this status, which is neither 401 nor 429: 400, 404, 422 and the like. */
export class IntercomRefusal extends Rejected {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** The app lacks a permission. Another sign-in alone would not help: it has to be allowed in the app's settings first. */
export class MissingPermission extends IntercomRefusal {}

/** The settings of a connection; `Rejected` without a valid region and workspace. */
export function settingsOf({ settings }: Pick<Context, 'settings'>): IntercomSettings {
  const parsed = IntercomSettings.safeParse(settings)
  if (!parsed.success) throw new Rejected('Intercom is not set up: connect it again')
  return parsed.data
}

/** The region that was chosen; `Rejected` without a valid one. */
export function regionOf({ settings }: Pick<Context, 'settings'>): Region {
  const parsed = Region.safeParse(settings.region)
  if (!parsed.success) throw new Rejected('Intercom is not set up: choose a region and connect it again')
  return parsed.data
}

/** The address of the region's API, or of its app with the consent page, without a trailing slash. */
export function intercomUrl(
  context: Pick<Context, 'baseUrl' | 'hostUrls' | 'settings'>,
  host: 'api' | 'app' = 'api',
): string {
  return hostUrl(context, host === 'app' ? 'login' : 'api', REGIONS[regionOf(context)][host])
}

type FailedReply = Parameters<NonNullable<JsonCall<z.ZodMiniType>['failures']>>[0]

export type Call<T extends z.ZodMiniType> = {
  /** As in messages: no id, no path. */
  name: string
  path: string
  schema: T
  method?: HttpRequest['method']
  json?: unknown
  /** Null: without credentials. */
  authorization?: null
  /** The permission of the app that the call needs, as Intercom names it. */
  permission?: string
  /** Our own messages for a refusal, by status. */
  refusals?: Readonly<Record<number, ConnectorFailure>>
}

/** Sends one request with the connection's credentials, once. Throws the four kinds; a refusal has its status. */
export async function call<T extends z.ZodMiniType>(context: Context, asked: Call<T>): Promise<JsonReply<T>> {
  const { name, path, schema, method = 'GET', json, permission, refusals = {} } = asked
  return await jsonCall(context, {
    who: 'Intercom',
    name,
    method,
    url: `${intercomUrl(context)}${path}`,
    authorization: asked.authorization === null ? null : authorizationOf(context),
    headers: { 'intercom-version': API_VERSION },
    ...(json === undefined ? {} : { body: { json } }),
    schema,
    limits,
    failures: (reply) =>
      isUnauthorized(reply)
        ? missingPermission(context, name, permission, reply)
        : (refusals[reply.response.status] ?? refusal(context, name, permission, reply)),
  })
}

/** Sizes of a page, largest first: a smaller one is used where a response is too large. */
export const PAGE_SIZES = [150, 50, 10, 1]

/** Intercom's time of a response in epoch seconds, and without one ours. */
export function serverSeconds({ headers }: Pick<JsonReply<z.ZodMiniType>, 'headers'>, now: Date): number {
  const time = Date.parse(headers.date ?? '')
  return Math.floor((Number.isNaN(time) ? now.getTime() : time) / 1000)
}

function authorizationOf(context: Context): string {
  const secrets = IntercomSecrets.safeParse(context.secrets)
  if (!secrets.success) throw new AuthExpired('Intercom is not signed in: connect again')
  return `Bearer ${secrets.data.access_token}`
}

const budget = exhausted('x-ratelimit-remaining', 'x-ratelimit-reset')
const refused = tooManyRequests(waitHeader(), resetHeader('x-ratelimit-reset'))
/** A successful response may say that it was the last one until the reset. */
export const limits: LimitReader = (response, now) =>
  response.status < 300 ? budget(response, now) : refused(response, now)

/** The code of a token that is valid, but whose app lacks the permission for this call. An invalid token has others. */
const isUnauthorized = ({ response, body }: FailedReply) =>
  response.status === 401 && ErrorReply.safeParse(body).data?.errors[0]?.code === 'token_unauthorized'

function missingPermission(
  { settings }: Pick<Context, 'settings'>,
  name: string,
  permission: string | undefined,
  { response }: FailedReply,
): MissingPermission {
  const needed = permission ? `the permission ${permission}` : 'a permission'
  // An installed app keeps the permissions that were consented to.
  const then = settings.revocable === true ? ', then connect again' : ''
  const message = `Intercom does not allow ${name}: the app lacks ${needed}. Allow it in Intercom’s Developer Hub under Authentication${then}`
  return new MissingPermission(response.status, message)
}

function refusal(
  context: Pick<Context, 'settings'>,
  name: string,
  permission: string | undefined,
  reply: FailedReply,
): ConnectorFailure | null {
  const { response, body } = reply
  const { status } = response
  if (status < 400 || status >= 500 || [401, 408, 429].includes(status)) return null
  const errors = ErrorReply.safeParse(body).data?.errors
  if (status === 404 && errors === undefined) {
    // A proxy or a wrong address: nothing that Intercom says about a conversation.
    return new Unavailable(`The response to ${name} has the status 404, but is not one of Intercom’s API`)
  }
  if (status === 403) {
    const code = errors?.[0]?.code
    if (code === 'api_plan_restricted') {
      return new IntercomRefusal(403, `Intercom does not allow ${name}: the workspace has no active subscription`)
    }
    return missingPermission(context, name, permission, reply)
  }
  return new IntercomRefusal(status, `Intercom answered ${status} to ${name}: it refused the request`)
}
