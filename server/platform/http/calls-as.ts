import { ContractError } from '@groundswell/contract/errors.ts'
import type { GivenTo, ReplyOf, Route } from '@groundswell/contract/route.ts'
import { refusalOf } from './bind.ts'
import type { Caller, Handler, Input, RequestFacts } from './handle.ts'
import { parseInput } from './parse.ts'
import { checkedJson, PreparedReply } from './prepared-reply.ts'

/** Makes a call of the contract and returns its reply. Throws what the call is refused with. */
export type Call = <R extends Route>(route: R, given: GivenTo<R>) => Promise<ReplyOf<R>>

/**
 * Makes calls within the process for a caller whom a request has named, by the handlers that answer them over HTTP: with the same
 * refusals, the same checks of input and output, and the same entries in the audit log. Not for streamed bodies and replies.
 */
export function callsAs(handlers: readonly Handler[]): (caller: Caller, request: RequestFacts) => Call {
  const byName = new Map(handlers.map((handler) => [handler.route.name, handler]))
  return (caller, request) => async (route, given) => {
    const handler = byName.get(route.name)
    if (!handler) throw new Error(`no handler answers ${route.name}`)
    const refusal = refusalOf(route, caller)
    if (refusal) throw refusal
    const { params, query, body } = given as { params?: unknown; query?: unknown; body?: unknown }
    const input = {
      ...parseInput(route, { params: params ?? {}, query: query ?? {}, body: body ?? {} }),
      raw: noBytes(),
      caller,
      request,
      clientHas: () => false,
      clientVersion: () => null,
    } as unknown as Input<Route>
    return JSON.parse(await jsonOf(route, await handler.answer(input)))
  }
}

async function jsonOf(route: Route, answer: unknown): Promise<string> {
  if (!(answer instanceof PreparedReply)) return checkedJson(route, answer as never)
  const { status, body } = answer
  if (status !== 200 || !(typeof body === 'string' || Buffer.isBuffer(body))) {
    throw new ContractError('internal', `${route.name} can only be called over HTTP`)
  }
  return body.toString()
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}
