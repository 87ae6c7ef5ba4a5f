import type { SourceFault } from '../../kit/sample.ts'
import { answerWrongly as answerAsSource, type Exchange, type FaultShapes } from '../faults.ts'
import { sendJson } from '../server.ts'
import { decode, failed, type Reply } from './lists.ts'
import type { Json } from './views.ts'

type Refusal = 'forbidden' | 'policy' | 'stale'
/** `forbidden`: a missing permission. `policy`: one channel is not shown. `stale`: a delta token that is no longer accepted. */
export type TeamsFault = SourceFault | Refusal

const REFUSALS: Readonly<Record<Refusal, Reply>> = {
  forbidden: failed(
    403,
    'Forbidden',
    "Missing role permissions on the request. API requires one of 'ChannelMessage.Read.All'.",
  ),
  policy: failed(403, 'Forbidden', 'The channel is protected by a policy.'),
  stale: failed(410, 'SyncStateNotFound', 'The sync state was not found'),
}
const shapes: FaultShapes = {
  limit: failed(429, 'TooManyRequests', 'Too many requests').body,
  revoked: {
    body: failed(401, 'InvalidAuthenticationToken', 'Access token has expired or is not yet valid.').body,
  },
  emptyPage: (_, url) => emptyPage(url),
  wrongTypes: (good) => ({ ...good, value: [{ id: 7, body: 'customer words' }] }),
}

/** Responds incorrectly to a call. */
export function answerWrongly(fault: TeamsFault, exchange: Exchange): void {
  if (fault === 'forbidden' || fault === 'policy' || fault === 'stale') sendJson(exchange.response, REFUSALS[fault])
  else answerAsSource(fault, exchange, shapes)
}

/** A page with only a link, to the same place by another token. */
function emptyPage({ pathname, searchParams }: URL): Json {
  const stored = searchParams.get('$skiptoken') ?? searchParams.get('$deltatoken')
  const isDelta = pathname.endsWith('/delta')
  const from = Date.parse(/gt (\S+)$/.exec(searchParams.get('$filter') ?? '')?.[1] ?? '') || 0
  const start = isDelta ? { after: 0, from } : { before: Number.MAX_SAFE_INTEGER }
  const here = decode(stored) === null ? Buffer.from(JSON.stringify(start)).toString('base64url') : stored
  const kept = isDelta ? [] : [...searchParams].filter(([name]) => name !== '$skiptoken')
  const next = new URLSearchParams([...kept, ['$skiptoken', `${here}~`]])
  return { '@odata.nextLink': `https://graph.microsoft.com${pathname}?${next.toString()}`, value: [] }
}
