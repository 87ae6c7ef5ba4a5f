import { createHash, timingSafeEqual } from 'node:crypto'
import type { ProviderEvents, ProviderRequest } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { parseJson } from '../kit/http/parse-json.ts'
import { type Notification, Notifications } from './schema.ts'

const TEXT = 'text/plain; charset=utf-8'
/** Graph's validation tokens are short; anything longer is not echoed. */
const MAX_TOKEN = 2000
/** `teams('…')/channels('…')/messages('…')`, for a reply with `/replies('…')`. */
const RESOURCE =
  /^\/?teams\('([\w-]{1,100})'\)\/channels\('([\w:@.=-]{1,200})'\)\/messages\('([\w:@.=-]{1,200})'\)(?:\/replies\('([\w:@.=-]{1,200})'\))?$/

/**
 * Parses a request of a subscription. While one is created, Graph sends a token that has to come back as plain text. Notifications are not
 * signed: each contains the secret that it was created with (`clientState`), and a request with any other is `Rejected` as a whole.
 */
export function receive(secrets: Record<string, string>, request: ProviderRequest, now: Date): ProviderEvents {
  const token = request.query?.validationToken
  if (token !== undefined) {
    if (!request.key || token === '' || token.length > MAX_TOKEN)
      throw new Rejected('The validation cannot be answered')
    return { reply: { status: 200, type: TEXT, body: token }, events: [] }
  }
  const parsed = Notifications.safeParse(parseJson(textOf(request.body)))
  if (!parsed.success || parsed.data.value.length === 0) {
    throw new Rejected('The notification from Microsoft could not be parsed')
  }
  const expected = secrets.client_state ?? ''
  if (expected === '') throw new Rejected('The secret of the subscription is not set')
  for (const { clientState } of parsed.data.value) {
    if (!isSame(clientState ?? '', expected)) {
      throw new Rejected('The notification does not contain the secret of the subscription')
    }
  }
  const events = parsed.data.value.flatMap((notification, index) => {
    const payload = payloadOf(notification)
    if (!payload) return []
    // Graph gives notifications no id. A post is created once, but may be changed more than once.
    const isUnique = notification.changeType === 'created'
    const parts = [notification.subscriptionId, notification.resource, notification.changeType, payload.lifecycle]
    const once = isUnique ? [] : [now.toISOString(), index]
    const id = createHash('sha256')
      .update(JSON.stringify([...parts, ...once]))
      .digest('hex')
    return [{ id, account: notification.tenantId?.toLowerCase() ?? '', payload }]
  })
  return { reply: { status: 202, type: TEXT, body: '' }, events }
}

/** Null for what this version does not know. */
function payloadOf({
  lifecycleEvent,
  subscriptionId,
  changeType,
  resource,
}: Notification): Record<string, unknown> | null {
  if (lifecycleEvent) {
    const subscription = /^[\w-]{1,100}$/.test(subscriptionId ?? '') ? subscriptionId : null
    return subscription ? { lifecycle: lifecycleEvent, subscription } : null
  }
  const found = RESOURCE.exec(resource ?? '')
  if (!found) return null
  const [, team, channel, root, reply = null] = found
  return { team, channel, root, reply, change: changeType ?? '' }
}

/** In constant time, whatever their lengths. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}

/** '' for bytes that are not UTF-8. */
function textOf(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return ''
  }
}
