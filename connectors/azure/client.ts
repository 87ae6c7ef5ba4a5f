import type * as z from 'zod/mini'
import type { Context } from '../connector.ts'
import { AuthExpired } from '../kit/errors.ts'
import { type JsonCall, jsonCall } from '../kit/http/json-call.ts'
import { requireTurn } from '../kit/http/pauses.ts'
import { first, resetHeader, slowedDown, tooManyRequests, waitHeader } from '../kit/http/rate-limits.ts'
import { AzureSecrets } from './manifest.ts'
import { apiUrl } from './place.ts'
import { refusalOf } from './refusal.ts'
import { type ApiVersion, apiVersion, type PreviewPart, serverOf } from './server.ts'

/** `Retry-After` or the end of the budget with 429; a successful response that was slowed down asks for a pause. */
const limits = first(tooManyRequests(waitHeader(), resetHeader('x-ratelimit-reset')), slowedDown)

/** Before the requests of a task: throws `RateLimited` while Azure DevOps wants a pause. */
export const beginTask = (context: Context) => requireTurn(context, { who: 'Azure DevOps' })

/** One request. `path` begins with the organisation; its parts are encoded. `host`: another host than that of the API. */
type Call<T extends z.ZodMiniType> = Pick<JsonCall<T>, 'name' | 'query' | 'schema'> & {
  method?: JsonCall<T>['method']
  path: string
  /** A part of the API with its own versions. */
  preview?: PreviewPart
  /** In place of the connection's version. */
  version?: ApiVersion
  json?: unknown
  /** A JSON Patch document. */
  patch?: readonly PatchOperation[]
  host?: string
  /** Secrets in the body, to remove from the ledger. */
  hide?: readonly string[]
}
export type PatchOperation = { op: 'add' | 'replace'; path: string; value: unknown }

/** Sends one request, once. Throws the four kinds, `Refusal` among them. */
export async function call<T extends z.ZodMiniType>(context: Context, request: Call<T>): Promise<z.infer<T>> {
  const { name, method = 'GET', path, query, json, patch, schema, hide = [] } = request
  const body = patch ?? json
  const { data } = await jsonCall(context, {
    who: 'Azure DevOps',
    name,
    method,
    url: `${request.host ?? apiUrl(context)}${path}`,
    query: { ...query, 'api-version': apiVersion(context, request.preview, request.version) },
    authorization: authorizationOf(context, request.host),
    headers: {
      // Without it, a sign-in that is over is answered with a redirect to a page.
      'x-tfs-fedauthredirect': 'Suppress',
      ...(patch ? { 'content-type': 'application/json-patch+json' } : {}),
    },
    ...(body === undefined ? {} : { body: { json: body } }),
    schema,
    limits,
    failures: ({ response, body: answer, options }) => refusalOf(name, response, answer, options),
    ledger: true,
    secrets: [...Object.values(context.secrets), ...hide],
    // Once Azure DevOps slows a person down, nearly every response asks for a pause.
    pauseStops: 'task',
  })
  return data
}

function authorizationOf(context: Pick<Context, 'secrets' | 'settings'>, host?: string): string {
  const secrets = AzureSecrets.safeParse(context.secrets).data
  if (!secrets) throw new AuthExpired('Azure DevOps is not signed in: connect again')
  if ('access_token' in secrets) {
    // Tokens of Microsoft are for its own hosts alone.
    if (host === undefined && serverOf(context))
      throw new AuthExpired('An Azure DevOps Server needs a token: connect again')
    return `Bearer ${secrets.access_token}`
  }
  return `Basic ${Buffer.from(`:${secrets.pat}`).toString('base64')}`
}
