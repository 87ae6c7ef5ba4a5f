import type { Context, Http, HttpRequest, HttpResponse } from '../../connector.ts'
import type { DraftRequest } from '../../tracker.ts'
import { parseJson } from './parse-json.ts'
import { requireTurn } from './pauses.ts'

/** `ended`: the work ran to its end, so that nothing follows the last request. */
export type DryRun = { requests: DraftRequest[]; ended: boolean }

/** Ends the work at a write whose reply decides what follows. Not a connector failure, so that no connector handles it. */
class WriteHeld extends Error {
  override name = 'WriteHeld'
}

/**
 * Runs work that writes at a provider without sending any write: each is recorded instead. Reads (GET, and GraphQL operations that are
 * no mutation) are sent. `replyTo` returns the JSON that the provider would answer to a write, so that the work can continue to the next
 * one; null: the work ends there. So one code path makes the requests of both a dry run and a push.
 */
export async function dryRun(
  context: Context,
  work: (context: Context) => Promise<unknown>,
  replyTo: (request: DraftRequest) => unknown = () => null,
): Promise<DryRun> {
  const requests: DraftRequest[] = []
  const http: Http = {
    async request(request) {
      if (isRead(request)) {
        await requireTurn(context, { who: 'The provider' })
        return context.http.request(request)
      }
      const draft = draftOf(request)
      requests.push(draft)
      const reply = replyTo(draft)
      if (reply === null) throw new WriteHeld()
      return responseOf(reply)
    },
  }
  const { pauses } = context
  // A pause delays sending, not a preview.
  const withoutPause = pauses && { left: async () => 0, set: pauses.set.bind(pauses) }
  try {
    await work({ ...context, http, ...(withoutPause ? { pauses: withoutPause } : {}) })
  } catch (error) {
    if (!(error instanceof WriteHeld)) throw error
    return { requests, ended: false }
  }
  return { requests, ended: true }
}

/** Whether a request is a read: GET, or a GraphQL query. Whatever is not certain to be one counts as a write. */
export function isRead({ method, body }: Pick<HttpRequest, 'method' | 'body'>): boolean {
  if (method === 'GET') return true
  if (method !== 'POST' || body === undefined) return false
  const { query } = (parseJson(textOf(body)) ?? {}) as { query?: unknown }
  return typeof query === 'string' && /^\s*(query\b|\{)/.test(query) && !/\b(mutation|subscription)\b/.test(query)
}

const textOf = (body: string | Uint8Array) => (typeof body === 'string' ? body : Buffer.from(body).toString('utf8'))

const draftOf = ({ method, url, headers = {}, body = '' }: HttpRequest): DraftRequest => ({
  method,
  url,
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  body: textOf(body),
})

const responseOf = (reply: unknown): HttpResponse => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(reply),
  truncated: false,
  durationMs: 0,
})
