import type { SourceFault } from '../../kit/sample.ts'
import { answerWrongly as answerAsSource, type Exchange, type FaultShapes } from '../faults.ts'
import { sendJson } from '../server.ts'
import { refuse } from './reply.ts'
import type { Json } from './views.ts'

/** `forbidden`: the app may not read the requested object. `expired-cursor`: one that is no longer accepted. The others are those of every source. */
export type IntercomFault = SourceFault | 'forbidden' | 'expired-cursor'

const bodyOf = (...refusal: Parameters<typeof refuse>): Json => refuse(...refusal).body ?? {}
const shapesFor = (json: unknown): FaultShapes => ({
  limit: bodyOf(429, 'rate_limit_exceeded'),
  revoked: { body: bodyOf(401, 'unauthorized', 'Access Token Invalid') },
  emptyPage: (good) => emptyPage(good, json),
  wrongTypes: (good) => ({ ...good, id: { words: 'customer words' }, conversations: 'customer words' }),
})

/** Responds incorrectly to a call. `json`: the body of the request. */
export function answerWrongly(fault: IntercomFault, json: unknown, exchange: Exchange): void {
  if (fault === 'forbidden') sendJson(exchange.response, refuse(403, 'forbidden', 'The app may not see this'))
  else if (fault === 'expired-cursor')
    sendJson(exchange.response, refuse(400, 'parameter_invalid', 'starting_after is invalid'))
  else answerAsSource(fault, exchange, shapesFor(json))
}

/** A page with only a cursor, which is another one for the same place. */
function emptyPage(good: Json, json: unknown): Json {
  const { pagination } = (json ?? {}) as { pagination?: { starting_after?: string } }
  const after = pagination?.starting_after
  const here = after ? Buffer.from(after, 'base64').toString() : '[0,0]'
  const next = { per_page: 1, starting_after: Buffer.from(`${here}~`).toString('base64') }
  return { ...good, conversations: [], pages: { type: 'pages', next } }
}
