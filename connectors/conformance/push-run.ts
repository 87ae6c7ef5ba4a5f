import type { WebhookPayload } from '@groundswell/contract/receivers/webhook-payload.ts'
import { expect } from 'vitest'
import type { Connector } from '../connector.ts'
import { type ConnectorFailure, isConnectorFailure } from '../kit/errors.ts'
import type { Sample } from '../kit/sample.ts'
import { type Handler, startServer, testContext } from '../kit/testing.ts'

/** A connector that pushes events, and the form of its `testing.ts`. */
export type PushSubject = { connector: Connector; sample: Sample }

/** The event that is pushed. */
export const payload: WebhookPayload = {
  version: 1,
  type: 'insight.test',
  timestamp: '2026-03-01T12:00:00.000Z',
  delivery_id: '6f9b6c57-1c50-4f0e-8f8d-1f3f54a7c001',
  data: {
    insight: {
      id: 'i-1',
      issue_number: 1,
      issue_name: 'Export fails',
      summary: 'The export stops at 90 %.',
      status: 'created',
      url: null,
      mention_count: 3,
      people_count: 3,
      first_seen: null,
      last_seen: null,
      categories: [],
    },
    new_mentions: 3,
    evidence: [{ text: 'customer words', author: 'Ann', date: '2026-03-01T11:00:00.000Z', link: null, source: 'CSV' }],
  },
}

type Split = { settings: Record<string, unknown>; secrets: Record<string, string> }

/** Splits a parsed form as the core does: secrets are sealed, the rest is stored as it is. */
function split({ manifest }: Connector, form: Record<string, unknown>, added: Record<string, string>): Split {
  const entries = Object.entries(manifest.form.parse(form))
  const secret = ([name]: [string, unknown]) => manifest.secretFields.includes(name)
  return {
    settings: Object.fromEntries(entries.filter((entry) => !secret(entry))),
    secrets: { ...(Object.fromEntries(entries.filter(secret)) as Record<string, string>), ...added },
  }
}

/**
 * One push to a server with these responses (null: a successful one): the outcome, and everything that could leak a secret. The handler
 * gets the body of a successful response too.
 */
export async function pushTo(
  { connector, sample }: PushSubject,
  handler: ((answer: string) => Handler) | null,
  { timeoutMs = 5000, signal = new AbortController().signal } = {},
) {
  let answer = ''
  const succeed: Handler = (_, response) => response.end(answer)
  await using server = await startServer((...given) => (handler ? handler(answer) : succeed)(...given))
  const { form, secrets: added, answer: good } = sample(server.url)
  answer = good
  const { settings, secrets } = split(connector, form, added)
  const context = testContext({ settings, secrets, signal, timeoutMs, maxBytes: 2048 })
  const before = JSON.stringify({ settings, payload })
  const pushed = connector.push?.(context, { deliveryId: payload.delivery_id, payload }) ?? Promise.reject()
  const result = await pushed.then(
    (outcome) => ({ outcome, error: undefined }),
    (error: unknown) => ({ outcome: undefined, error }),
  )
  expect(JSON.stringify({ settings, payload })).toBe(before)
  expect(server.seen.filter((request) => request.method !== 'GET').length).toBeLessThanOrEqual(1)
  return { ...result, settings, secrets, log: context.log, seen: server.seen }
}

/** The failure of a push, of one of the four kinds, recorded for the ledger. */
export async function failureOn(subject: PushSubject, handler: Handler, timeoutMs = 5000): Promise<ConnectorFailure> {
  const { error } = await pushTo(subject, () => handler, { timeoutMs })
  expect(isConnectorFailure(error)).toBe(true)
  const failure = error as ConnectorFailure
  expect(failure.ledger?.error).toBe(failure.message)
  return failure
}
