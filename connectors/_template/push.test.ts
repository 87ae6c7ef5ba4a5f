import type { WebhookPayload } from '@groundswell/contract/receivers/webhook-payload.ts'
import { expect, it } from 'vitest'
import { Rejected } from '../kit/errors.ts'
import { failureFrom, type Handler, startServer, testContext } from '../kit/testing.ts'
import { template } from './index.ts'
import { sample } from './testing.ts'

const payload = { data: { insight: { issue_name: 'Export fails', summary: 'It stops.' } } } as WebhookPayload

async function pushTo(handler: Handler) {
  await using server = await startServer(handler)
  const context = testContext({ settings: { server: server.url }, secrets: { token: 'template-token-7f3a' } })
  const outcome = await template.push?.(context, { deliveryId: 'd-1', payload })
  return { outcome, seen: server.seen }
}

it('creates one item and returns its id and address', async () => {
  const { answer } = sample('')
  const { outcome, seen } = await pushTo((_, response) => response.writeHead(201).end(answer))
  expect(outcome).toMatchObject({ status: 201, remote: { id: '17', url: 'https://tracker.example.com/items/17' } })
  expect(seen).toHaveLength(1)
  expect(seen[0]).toMatchObject({ method: 'POST', url: '/items', body: '{"title":"Export fails","text":"It stops."}' })
  expect(seen[0]?.headers).toMatchObject({ 'idempotency-key': 'd-1', authorization: 'Bearer template-token-7f3a' })
})

it.each(['', '<html>', '{}', '{"id":17,"url":"x"}', '[]', 'null'])(
  'rejects the response %j for good',
  async (answer) => {
    const error = await failureFrom(pushTo((_, response) => response.end(answer)))
    expect(error).toBeInstanceOf(Rejected)
    expect((error as Rejected).ledger).toMatchObject({ status: 200, answer })
  },
)

it('reports a token that no longer works as AuthExpired', async () => {
  const error = await failureFrom(pushTo((_, response) => response.writeHead(401).end('who?')))
  expect(error).toMatchObject({ kind: 'auth', ledger: { status: 401, answer: 'who?' } })
})
