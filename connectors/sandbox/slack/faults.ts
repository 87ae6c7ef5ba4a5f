import type { SourceFault } from '../../kit/sample.ts'
import { answerWrongly as answerAsSource, type Exchange, type FaultShapes } from '../faults.ts'
import { sendJson } from '../server.ts'

/**
 * How a call can go wrong, besides the faults of every source: `ratelimited`, `internal_error` and `unknown_error` are HTTP 200;
 * `no-messages` has no items and, unlike `empty-page`, no cursor.
 */
export type SlackFault = SourceFault | 'ratelimited' | 'internal_error' | 'unknown_error' | 'no-messages'

const shapes: FaultShapes = {
  limit: { ok: false, error: 'ratelimited' },
  revoked: { status: 200, body: { ok: false, error: 'token_revoked' } },
  emptyPage: (good, url) => {
    const cursor = url.searchParams.get('cursor') ?? ''
    const here = cursor === '' ? 'after:' : Buffer.from(cursor, 'base64').toString()
    return withoutMessages(good, Buffer.from(`${here}~`).toString('base64'))
  },
  wrongTypes: (good) => ({ ...good, messages: [{ ts: 17, text: ['customer words'] }], channels: 'none' }),
  missingFields: { ok: true },
}

/** Responds incorrectly to a call. */
export function answerWrongly(fault: SlackFault, exchange: Exchange): void {
  const { response, good } = exchange
  if (fault === 'ratelimited') {
    sendJson(response, { body: { ok: false, error: fault }, headers: { 'retry-after': '9' } })
  } else if (fault === 'internal_error' || fault === 'unknown_error') {
    sendJson(response, { body: { ok: false, error: fault } })
  } else if (fault === 'no-messages') sendJson(response, { body: withoutMessages(good(), '') })
  else answerAsSource(fault, exchange, shapes)
}

const withoutMessages = (good: Record<string, unknown>, cursor: string) => ({
  ...good,
  messages: [],
  has_more: cursor !== '',
  response_metadata: { next_cursor: cursor },
})
