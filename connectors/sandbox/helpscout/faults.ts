import type { SourceFault } from '../../kit/sample.ts'
import { answerWrongly as answerAsSource, type Exchange, type FaultShapes } from '../faults.ts'
import { sendJson } from '../server.ts'

/** `forbidden`: the person may not do this. The others are those of every source. */
export type HelpScoutFault = SourceFault | 'forbidden'

const wrong = [{ id: 'customer words', createdAt: 7 }]
const shapes: FaultShapes = {
  limit: { error: 'API rate limit exceeded' },
  pause: (seconds) => ({ 'x-ratelimit-retry-after': String(seconds) }),
  revoked: { body: { error: 'invalid_token', error_description: 'The access token is invalid or has expired' } },
  emptyPage: (good) => {
    const { _embedded: _, ...rest } = good
    return rest
  },
  wrongTypes: (good) => ({ ...good, _embedded: { conversations: wrong, threads: wrong } }),
  contentType: 'application/hal+json; charset=utf-8',
}

/** Responds incorrectly to a call. */
export function answerWrongly(fault: HelpScoutFault, exchange: Exchange): void {
  if (fault !== 'forbidden') return answerAsSource(fault, exchange, shapes)
  sendJson(exchange.response, { status: 403, body: { logRef: 'l-403', message: 'Forbidden' } })
}
