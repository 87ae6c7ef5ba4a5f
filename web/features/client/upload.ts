import type { ReplyOf, Route } from '@groundswell/contract/route.ts'
import type { CallInput } from './call.ts'
import { freshToken } from './renewal.ts'
import { type AddressParts, callAddress, callHeaders, noAnswer, settle } from './request.ts'

/**
 * Like `call`, for a body of bytes with progress: `onProgress` gets the bytes sent and the total. (fetch has no upload progress.)
 * Aborting `signal` ends it with a CallError.
 */
export async function upload<T extends Route & { raw: true }>(
  route: T,
  input: CallInput<T> & { raw: Blob },
  onProgress: (sent: number, total: number) => void,
  signal?: AbortSignal,
): Promise<ReplyOf<T>> {
  const { params, query } = input as { params?: AddressParts; query?: AddressParts }
  const token = await freshToken()
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(route.method, callAddress(route, params, query))
    for (const [name, value] of Object.entries(callHeaders(token, 'application/octet-stream'))) {
      request.setRequestHeader(name, value)
    }
    request.upload.addEventListener('progress', (event) => onProgress(event.loaded, event.total))
    request.addEventListener('load', () => {
      try {
        resolve(settle<ReplyOf<T>>(route, token, request.status, request.responseText))
      } catch (error) {
        reject(error)
      }
    })
    request.addEventListener('error', () => reject(noAnswer()))
    request.addEventListener('abort', () => reject(noAnswer()))
    signal?.addEventListener('abort', () => request.abort())
    request.send(input.raw)
  })
}
