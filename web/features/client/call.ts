import type { GivenTo, ReplyOf, Route } from '@groundswell/contract/route.ts'
import { freshToken } from './renewal.ts'
import { type LooseInput, send } from './request.ts'

type RawPart<T> = T extends { raw: true } ? { raw: Blob } : unknown

/** The input of a call: its `params`, `query` and `body` as in the contract; `raw` bytes for an upload. */
export type CallInput<T extends Route> = GivenTo<T> & RawPart<T>

/**
 * Makes one call of the contract. There is no time limit. Throws CallError for every response outside 200–299 and without a
 * response. Caching is left to the browser, which turns a 304 into data.
 */
export async function call<T extends Route>(route: T, input: CallInput<T>): Promise<ReplyOf<T>> {
  return send(route, input as LooseInput, await freshToken())
}
