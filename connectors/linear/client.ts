import type * as z from 'zod/mini'
import type { Context } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { graphqlCall } from '../kit/http/graphql-call.ts'
import { hostUrl } from '../kit/http/host-url.ts'
import {
  exhausted,
  first,
  graphqlLimit,
  longest,
  resetHeader,
  tooManyRequests,
  waitHeader,
} from '../kit/http/rate-limits.ts'
import { LinearSecrets } from './manifest.ts'
import { refusalOf } from './refusal.ts'

const API_URL = 'https://api.linear.app'
const SITE_URL = 'https://linear.app'

/** The host of the API and of tokens, without a trailing slash. */
export const apiUrl = (context: Pick<Context, 'baseUrl' | 'hostUrls'>) => hostUrl(context, 'api', API_URL)
/** The host of the consent page, without a trailing slash. */
export const siteUrl = (context: Pick<Context, 'baseUrl' | 'hostUrls'>) => hostUrl(context, 'login', SITE_URL)

/** One operation with the fields that are read of its `data`. */
export type Operation<T extends z.ZodMiniType> = { name: string; document: string; data: T }

const budget = (name: string) => exhausted(`x-ratelimit-${name}-remaining`, `x-ratelimit-${name}-reset`)
/** The budget that is used up decides. Linear's resets are epoch milliseconds. */
const wait = first(
  longest(budget('requests'), budget('complexity'), budget('endpoint-requests')),
  waitHeader(),
  resetHeader('x-ratelimit-requests-reset'),
)
const limits = first(graphqlLimit('RATELIMITED', wait), tooManyRequests(wait))

/** Sends one operation, once. Throws the four kinds, `Missing` and `NotAllowed` among them. */
export async function call<T extends z.ZodMiniType>(
  context: Context,
  { name, document, data }: Operation<T>,
  variables: Readonly<Record<string, unknown>> = {},
): Promise<z.infer<T>> {
  const secrets = LinearSecrets.safeParse(context.secrets)
  if (!secrets.success) throw new Rejected('Linear is not set up: connect it again')
  const reply = await graphqlCall(context, {
    who: 'Linear',
    name,
    url: `${apiUrl(context)}/graphql`,
    authorization: 'api_key' in secrets.data ? secrets.data.api_key : `Bearer ${secrets.data.access_token}`,
    document,
    variables,
    data,
    codes: { LOCK_TIMEOUT: 'unavailable', INTERNAL_ERROR: 'unavailable', NETWORK_ERROR: 'unavailable' },
    failures: (errors, options) => refusalOf(name, errors, options),
    limits,
    ledger: true,
  })
  return reply.data
}
