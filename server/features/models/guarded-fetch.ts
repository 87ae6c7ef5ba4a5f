import { failureOfConnection, failureOfStatus, ModelFailure } from './failure.ts'

type Request = Parameters<typeof globalThis.fetch>

/**
 * `fetch` to a model: redirects are not followed, since they would take the key and customers' words elsewhere, and a body is
 * read up to `longestBody` bytes. Throws `ModelFailure` in our words, and what ended it when the signal did.
 */
export async function guardedFetch(
  input: Request[0],
  init: Request[1],
  { longestBody, now }: { longestBody: number; now: () => Date },
): Promise<Response> {
  try {
    const response = await fetch(input, { ...init, redirect: 'manual' })
    if (!response.ok) {
      await response.body?.cancel()
      throw failureOfStatus(response.status, response.headers.get('retry-after'), now())
    }
    const body = await readBody(response, longestBody)
    return new Response(body, { status: response.status, headers: { 'content-type': 'application/json' } })
  } catch (error) {
    if (init?.signal?.aborted || error instanceof ModelFailure) throw error
    throw failureOfConnection(error)
  }
}

async function readBody(response: Response, longest: number): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength
    if (bytes > longest) throw new ModelFailure('rejected', 'it answers without end', { charged: true })
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
