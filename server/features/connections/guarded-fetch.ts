import type { Http, HttpRequest } from '@groundswell/connectors/connector.ts'
import { isPrivateName, isRefusedAddress } from '@groundswell/connectors/kit/http/address-check.ts'
import { createHttp } from '@groundswell/connectors/kit/http/http.ts'
import { defineCache } from '../../platform/caches.ts'
import type { Services } from '../../platform/services.ts'

const TIMEOUT_MS = 10_000
const MAX_BYTES = 512 * 1024

const client = defineCache(
  'HTTP client of guarded addresses',
  ({ config }): Http =>
    createHttp({ guard: { allow: config.allowPrivateAddresses }, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES }),
)

/**
 * Whether `guardedFetch` would refuse this URL, as far as can be known before it is called: its name is private whatever it resolves to, or resolves to a
 * private or reserved address.
 */
export async function isRefusedHost({ config }: Pick<Services, 'config'>, url: string): Promise<boolean> {
  const { allowPrivateAddresses: allow } = config
  return isPrivateName(url, allow) || (await isRefusedAddress(url, allow))
}

/** What `fetch` is called with, as far as libraries use it: a body is a text or a form. */
type Asked = { method: string; headers: Record<string, string>; body?: unknown; signal?: AbortSignal | undefined }

/**
 * `fetch` for libraries that request addresses which people entered: public ones, and those that WEBHOOK_ALLOW lists. Redirects are not
 * followed. Throws a `TypeError`, as `fetch` does, where there is no complete response.
 */
export function guardedFetch({ caches }: Pick<Services, 'caches'>): (url: string, asked: Asked) => Promise<Response> {
  return async (url, { method, headers, body, signal }) => {
    const request: HttpRequest = {
      method: method as HttpRequest['method'],
      url,
      headers,
      ...(typeof body === 'string' || body instanceof URLSearchParams ? { body: body.toString() } : {}),
      ...(signal ? { signal } : {}),
    }
    const {
      status,
      headers: received,
      body: text,
      truncated,
    } = await caches
      .of(client)
      .request(request)
      .catch((error: unknown) => {
        throw new TypeError(error instanceof Error ? error.message : 'no response', { cause: error })
      })
    if (truncated) throw new TypeError('the response is too large')
    const isEmpty = status === 204 || status === 205 || status === 304
    return new Response(isEmpty ? null : text, { status, headers: received })
  }
}
