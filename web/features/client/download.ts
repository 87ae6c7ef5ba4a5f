import type { Route } from '@groundswell/contract/route.ts'
import type { CallInput } from './call.ts'
import { freshToken } from './renewal.ts'
import { callAddress, callHeaders, type LooseInput, noAnswer, settle } from './request.ts'

/** Makes a call whose reply is a file. The browser keeps a large one on disk. Throws CallError, also when the file ends early. */
export async function download<T extends Route>(route: T, input: CallInput<T>): Promise<Blob> {
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
    if (answer.ok) return await answer.blob()
  } catch {
    throw noAnswer()
  }
  return settle<never>(route, token, answer.status, await answer.text())
}
