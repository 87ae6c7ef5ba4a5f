import type * as z from 'zod/mini'
import type { Context } from '../connector.ts'
import { AuthExpired, type ConnectorFailure } from '../kit/errors.ts'
import { hostUrl } from '../kit/http/host-url.ts'
import { type JsonCall, jsonCall } from '../kit/http/json-call.ts'
import { isRefused, outage } from '../kit/http/token-call.ts'
import { GitHubSecrets } from './manifest.ts'
import { limits, Moved, refusalOf } from './refusal.ts'
import { ErrorReply } from './schema.ts'
import { apiUrl } from './server.ts'

const SITE_URL = 'https://github.com'
const VERSION = '2022-11-28'
/** A renamed repository is one redirect, an issue that was transferred from it another. */
const MAX_REDIRECTS = 2

/** The host of the pages for people and of their sign-in, without a trailing slash. */
export const siteUrl = (context: Pick<Context, 'baseUrl' | 'hostUrls'>) => hostUrl(context, 'login', SITE_URL)

export type Call<T extends z.ZodMiniType> = {
  /** As in messages: no id, no path. */
  name: string
  path: string
  schema: T
  method?: JsonCall<T>['method']
  query?: JsonCall<T>['query']
  json?: unknown
  /** In place of the connection's credentials. */
  authorization?: string
  /** Our own failures, by status. */
  refusals?: Readonly<Record<number, ConnectorFailure>>
  /** False where a response has a secret in it. */
  ledger?: boolean
  /** True for a request of tokens: a refusal that is not in GitHub's form, such as a proxy's, says nothing about the sign-in. */
  ofTokens?: boolean
}

/**
 * Sends one request, and again to where GitHub says that its subject has moved, on the same host: nothing was done at the old address.
 * Throws the four kinds; a final refusal is a `Refusal`.
 */
export async function call<T extends z.ZodMiniType>(context: Context, asked: Call<T>): Promise<z.infer<T>> {
  let url = `${apiUrl(context)}${asked.path}`
  for (let redirects = 0; ; redirects += 1) {
    try {
      return await send(context, asked, url)
    } catch (error) {
      const next = error instanceof Moved && redirects < MAX_REDIRECTS ? sameHost(context, error.location) : null
      if (next === null) throw error
      url = next
    }
  }
}

async function send<T extends z.ZodMiniType>(context: Context, asked: Call<T>, url: string): Promise<z.infer<T>> {
  const { name, schema, method = 'GET', query, json, refusals = {}, ledger = true } = asked
  const { data } = await jsonCall(context, {
    who: 'GitHub',
    name,
    method,
    url,
    ...(query && !url.includes('?') ? { query } : {}),
    authorization: asked.authorization ?? `Bearer ${tokenOf(context)}`,
    headers: { accept: 'application/vnd.github+json', 'x-github-api-version': VERSION },
    ...(json === undefined ? {} : { body: { json } }),
    schema,
    limits,
    failures: (reply) =>
      asked.ofTokens && isRefused(reply.response.status) && !isGitHubs(reply.body)
        ? outage('GitHub', name, reply)
        : (refusals[reply.response.status] ?? refusalOf(name, reply)),
    ledger,
  })
  return data
}

/** GitHub's errors have a message, and unlike those of a gateway no `error`. */
const isGitHubs = (body: unknown) =>
  ErrorReply.safeParse(body).data?.message !== undefined && Object(body).error === undefined

function tokenOf({ secrets }: Context): string {
  const held = GitHubSecrets.safeParse(secrets).data
  if (!held) throw new AuthExpired('GitHub is not signed in: connect it again')
  return 'token' in held ? held.token : held.access_token
}

/** The address of a redirect; null where it leaves the API, to which alone our credentials are sent. */
function sameHost(context: Context, location: string): string | null {
  const base = apiUrl(context)
  if (location === '' || !URL.canParse(location, base)) return null
  const url = new URL(location, base)
  return url.origin === new URL(base).origin ? url.href : null
}
