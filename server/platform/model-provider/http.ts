import { failureOfConnection, failureOfStatus, ModelFailure } from './failure.ts'

type Request = Parameters<typeof globalThis.fetch>

/**
 * `fetch` for a model: redirects are not followed, since they would send the key and customer feedback elsewhere, and a body
 * is read up to `maxBodyBytes`. Throws `ModelFailure`, or the abort reason if the signal ended the call.
 */
export async function limitedFetch(
  input: Request[0],
  init: Request[1],
  { maxBodyBytes, now }: { maxBodyBytes: number; now: () => Date },
): Promise<Response> {
  try {
    const response = await fetch(input, { ...init, redirect: 'manual' })
    if (!response.ok) {
      await response.body?.cancel()
      throw failureOfStatus(response.status, response.headers.get('retry-after'), now())
    }
    const body = await readBody(response, maxBodyBytes)
    return new Response(body, { status: response.status, headers: { 'content-type': 'application/json' } })
  } catch (error) {
    if (init?.signal?.aborted || error instanceof ModelFailure) throw error
    throw failureOfConnection(error)
  }
}

/**
 * Runs one call under a time limit. Throws the reason of `stop` when that ended the call, and `ModelFailure` (unavailable,
 * charged) when the time was up; other errors pass through.
 */
export async function withTimeLimit<T>(
  stop: AbortSignal,
  limitMs: number,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = AbortSignal.timeout(limitMs)
  try {
    return await call(AbortSignal.any([stop, limit]))
  } catch (error) {
    stop.throwIfAborted()
    if (error instanceof ModelFailure || !limit.aborted) throw error
    throw new ModelFailure('unavailable', `no response within ${limitMs / 1000} s`, { charged: true })
  }
}

async function readBody(response: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw new ModelFailure('rejected', 'the response is too large', { charged: true })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
