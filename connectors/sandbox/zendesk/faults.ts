import type { SourceFault } from '../../kit/sample.ts'
import { answerWrongly as answerAsSource, type Exchange, type FaultShapes } from '../faults.ts'
import { sendJson } from '../server.ts'
import type { Json } from './views.ts'

/** `forbidden`: a missing scope. `expired-cursor`: a cursor that is no longer accepted. The others are those of every source. */
export type ZendeskFault = SourceFault | 'forbidden' | 'expired-cursor'

const shapes: FaultShapes = {
  limit: { error: 'APIRateLimitExceeded', description: 'Number of allowed API requests per minute exceeded' },
  revoked: { body: { error: 'invalid_token', error_description: 'The access token was revoked.' } },
  emptyPage: (good, url) => emptyPage(url, good),
  wrongTypes: (good) => ({ ...good, tickets: 'none', comments: [{ id: 'customer words', public: 'yes' }] }),
}

const REFUSALS = {
  forbidden: {
    status: 403,
    body: { error: 'Forbidden', description: 'You are missing the following required scopes: read' },
  },
  'expired-cursor': { status: 400, body: { error: 'InvalidValue', description: 'Invalid cursor' } },
}

/** Responds incorrectly to a call. */
export function answerWrongly(fault: ZendeskFault, exchange: Exchange): void {
  if (fault === 'forbidden' || fault === 'expired-cursor') sendJson(exchange.response, REFUSALS[fault])
  else answerAsSource(fault, exchange, shapes)
}

/** A page with only a cursor, which is another one for the same place. */
function emptyPage({ searchParams }: URL, good: Json): Json {
  if ('tickets' in good) {
    const start = `${searchParams.get('start_time') ?? ''}.0||-1|`
    const here = searchParams.get('cursor') ? Buffer.from(searchParams.get('cursor') ?? '', 'base64').toString() : start
    const after_cursor = Buffer.from(`${here}~`).toString('base64')
    return { ...good, tickets: [], after_cursor, end_of_stream: false }
  }
  const after = searchParams.get('page[after]')
  const here = after ? Buffer.from(after, 'base64').toString() : 'at:0'
  return { ...good, comments: [], meta: { has_more: true, after_cursor: Buffer.from(`${here}~`).toString('base64') } }
}
