import type { Context, PushOutcome, PushRequest } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { jsonCall } from '../kit/http/json-call.ts'
import { Secrets, Settings } from './manifest.ts'
import { CreatedItem } from './schema.ts'

/** Creates one item for one event. The delivery id is the idempotency key, so a retry creates no second item. */
export async function push(context: Context, { deliveryId, payload }: PushRequest): Promise<PushOutcome> {
  const { server } = Settings.parse(context.settings)
  const { token } = Secrets.parse(context.secrets)
  const { insight } = payload.data
  const { data, status, answer, durationMs } = await jsonCall(context, {
    who: 'The tracker',
    name: 'items',
    method: 'POST',
    url: new URL('/items', server).href,
    authorization: `Bearer ${token}`,
    headers: { 'idempotency-key': deliveryId },
    body: { json: { title: insight.issue_name, text: insight.summary } },
    schema: CreatedItem,
    failures: ({ response, body, options }) =>
      response.status < 300 && !CreatedItem.safeParse(body).success
        ? new Rejected('The tracker created the item, but its response could not be parsed', options)
        : null,
    ledger: true,
  })
  return { status, answer, durationMs, remote: data }
}
