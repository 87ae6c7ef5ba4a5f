import type { Route } from '@groundswell/contract/route.ts'
import type { CallInput } from './call.ts'
import { freshToken } from './renewal.ts'
import { callAddress, callHeaders, type LooseInput, noAnswer, settle } from './request.ts'

/**
 * Makes a call whose reply is a file. The browser keeps a large one on disk. `onBytes` is called with the number of bytes received so far. Throws
 * CallError, also when the file ends early.
 */
export async function download<T extends Route>(
  route: T,
  input: CallInput<T>,
  onBytes?: (arrived: number) => void,
): Promise<Blob> {
  const { params, query, body } = input as LooseInput
  const token = await freshToken()
  const contentType = body === undefined ? undefined : 'application/json'
  let answer: Response
  try {
    answer = await fetch(callAddress(route, params, query), {
      method: route.method,
      headers: callHeaders(token, contentType),
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    if (answer.ok) return await counted(answer, onBytes).blob()
  } catch {
    throw noAnswer()
  }
  return settle<never>(route, token, answer.status, await answer.text())
}

function counted(answer: Response, onBytes: ((arrived: number) => void) | undefined): Response {
  if (!onBytes || !answer.body) return answer
  let arrived = 0
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, out) {
      arrived += chunk.length
      onBytes(arrived)
      out.enqueue(chunk)
    },
  })
  return new Response(answer.body.pipeThrough(counter))
}
