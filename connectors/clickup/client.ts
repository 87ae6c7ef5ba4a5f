import type * as z from 'zod/mini'
import type { Context } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { hostUrl } from '../kit/http/host-url.ts'
import { type JsonCall, jsonCall } from '../kit/http/json-call.ts'
import { resetHeader, tooManyRequests, waitHeader } from '../kit/http/rate-limits.ts'
import { ClickUpSecrets } from './manifest.ts'
import { refusalOf, type Subject } from './refusal.ts'

const API_URL = 'https://api.clickup.com'
const SITE_URL = 'https://app.clickup.com'

/** The host of the API and of tokens, without a trailing slash. */
export const apiUrl = (context: Pick<Context, 'baseUrl' | 'hostUrls'>) => hostUrl(context, 'api', API_URL)
/** The host of the consent page, without a trailing slash. */
export const siteUrl = (context: Pick<Context, 'baseUrl' | 'hostUrls'>) => hostUrl(context, 'login', SITE_URL)

/** A limit is counted by the minute for each token; its reset is in epoch seconds. */
export const limits = tooManyRequests(waitHeader(), resetHeader('x-ratelimit-reset'))

type Call<T extends z.ZodMiniType> = Pick<JsonCall<T>, 'method' | 'name' | 'query' | 'headers' | 'schema'> & {
  /** Starts with `/`; built by `path`. */
  path: string
  json?: unknown
  /** What its id belongs to: named where ClickUp refuses it. */
  subject: Subject | null
  /** False where a response contains a secret. Default: the delivery ledger records responses. */
  ledger?: boolean
}

/** A path with encoded ids: `` path`/list/${id}/task` ``. */
export function path(parts: TemplateStringsArray, ...ids: readonly string[]): string {
  return parts.map((part, at) => part + (ids[at] === undefined ? '' : encodeURIComponent(ids[at]))).join('')
}

/** Sends one request, once. Throws the four kinds, `Missing` and `NoAccess` among them. */
export async function call<T extends z.ZodMiniType>(
  context: Context,
  { path, json, subject, ledger = true, ...rest }: Call<T>,
): Promise<z.infer<T>> {
  const secrets = ClickUpSecrets.safeParse(context.secrets)
  if (!secrets.success) throw new Rejected('ClickUp is not set up: connect it again')
  const { data } = await jsonCall(context, {
    ...rest,
    who: 'ClickUp',
    url: `${apiUrl(context)}/api/v2${path}`,
    authorization: 'token' in secrets.data ? secrets.data.token : `Bearer ${secrets.data.access_token}`,
    ...(json === undefined ? {} : { body: { json } }),
    failures: ({ response, body, options }) =>
      response.status >= 200 && response.status < 300 ? null : refusalOf(subject, response, body, options),
    limits,
    ledger,
  })
  return data
}
