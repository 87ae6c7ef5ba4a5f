import type * as z from 'zod/mini'
import type { Context, HttpRequest } from '../connector.ts'
import { AuthExpired, type ConnectorFailure, Rejected } from '../kit/errors.ts'
import { hostUrl } from '../kit/http/host-url.ts'
import { type JsonCall, type JsonReply, jsonCall } from '../kit/http/json-call.ts'
import { tooManyRequests, waitHeader } from '../kit/http/rate-limits.ts'
import { HelpScoutSecrets, HelpScoutSettings } from './manifest.ts'

const API = 'https://api.helpscout.net'
const SIGN_IN = 'https://secure.helpscout.net'

/** Help Scout refused a request with this status, which is neither 401 nor 429. `movedTo`: the conversation a 301 leads to. */
export class HelpScoutRefusal extends Rejected {
  readonly status: number
  readonly movedTo: number | null

  constructor(status: number, message: string, movedTo: number | null = null) {
    super(message)
    this.status = status
    this.movedTo = movedTo
  }
}

/** The settings of a connection; `Rejected` where they are not such. */
export function settingsOf({ settings }: Pick<Context, 'settings'>): HelpScoutSettings {
  const parsed = HelpScoutSettings.safeParse(settings)
  if (!parsed.success) throw new Rejected('Help Scout is not set up: connect it again')
  return parsed.data
}

/** The address of the API, and that of the page where people sign in. A configured address replaces both. */
export const apiUrl = (context: Pick<Context, 'baseUrl' | 'hostUrls'>) => hostUrl(context, 'api', API)
/** Where people sign in: another host than that of the API. */
export const signInUrl = (context: Pick<Context, 'baseUrl' | 'hostUrls'>) => hostUrl(context, 'login', SIGN_IN)

type Call<T extends z.ZodMiniType> = {
  /** As in messages: no id, no path. */
  name: string
  path: string
  schema: T
  method?: HttpRequest['method']
  query?: JsonCall<T>['query']
  body?: JsonCall<T>['body']
  /** Null: without credentials. */
  authorization?: null
  /** Our own messages for a refusal, by status. */
  refusals?: Readonly<Record<number, ConnectorFailure>>
}

/** How Help Scout asks for a pause: with its own header name, in seconds. */
export const limits = tooManyRequests(waitHeader('x-ratelimit-retry-after'))

/** Sends one request with the connection's credentials, once. Throws the four kinds; a refusal has its status. */
export async function call<T extends z.ZodMiniType>(context: Context, asked: Call<T>): Promise<JsonReply<T>> {
  const { name, path, schema, method = 'GET', query, body, refusals = {} } = asked
  return await jsonCall(context, {
    who: 'Help Scout',
    name,
    method,
    url: `${apiUrl(context)}${path}`,
    query,
    authorization: asked.authorization === null ? null : `Bearer ${tokenOf(context)}`,
    ...(body ? { body } : {}),
    schema,
    limits,
    failures: ({ response: { status, headers } }) => refusals[status] ?? refusal(name, status, headers.location),
  })
}

function tokenOf({ secrets }: Context): string {
  const token = HelpScoutSecrets.safeParse(secrets).data?.access_token
  if (token === undefined) throw new AuthExpired('Help Scout is not signed in: connect again')
  return token
}

function refusal(name: string, status: number, location: string | undefined): ConnectorFailure | null {
  if (status < 300 || status >= 500 || [401, 408, 429].includes(status)) return null
  const moved = status < 400 ? Number(/\/conversations\/(\d{1,15})(?:[/?#]|$)/.exec(location ?? '')?.[1] ?? 0) : 0
  return new HelpScoutRefusal(status, `Help Scout answered ${status} to ${name}: it refused the request`, moved || null)
}

/** Null where Help Scout refuses: a name is not worth stopping a sync for. Pauses and outages still stop it. */
export async function unlessRefused<T>(reply: Promise<T>): Promise<T | null> {
  try {
    return await reply
  } catch (error) {
    if (error instanceof HelpScoutRefusal) return null
    throw error
  }
}
