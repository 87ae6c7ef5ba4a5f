import type { Context, PushOutcome, PushRequest } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { failureOf } from '../kit/failure.ts'
import { ledgerAnswer, ledgerEntry } from '../kit/ledger.ts'
import { Secrets, Settings } from './manifest.ts'
import { CreatedItem } from './schema.ts'

/** Creates one item for one event. The delivery id is the idempotency key, so a retry creates no second item. */
export async function push(context: Context, { deliveryId, payload }: PushRequest): Promise<PushOutcome> {
  const { server } = Settings.parse(context.settings)
  const { token } = Secrets.parse(context.secrets)
  const { insight } = payload.data
  const answer = await context.http.request({
    method: 'POST',
    url: new URL('/items', server).href,
    headers: {
      'content-type': 'application/json',
      'idempotency-key': deliveryId,
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({ title: insight.issue_name, text: insight.summary }),
    signal: context.signal,
  })
  if (answer.status < 200 || answer.status > 299) {
    throw failureOf(answer, { who: 'The tracker', now: context.now(), secrets: [token] })
  }
  return {
    status: answer.status,
    answer: ledgerAnswer(answer.body, [token]),
    durationMs: answer.durationMs,
    remote: parse(answer.body, () => {
      const message = 'The tracker created the item, but its response could not be parsed'
      return new Rejected(message, { ledger: ledgerEntry(answer, message, [token]) })
    }),
  }
}

function parse(body: string, failure: () => Error): CreatedRemote {
  try {
    return CreatedItem.parse(JSON.parse(body))
  } catch {
    throw failure()
  }
}

type CreatedRemote = NonNullable<PushOutcome['remote']>
