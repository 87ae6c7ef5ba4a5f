import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isConnectorFailure } from '../kit/errors.ts'
import { startServer, type TestServer, testContext } from '../kit/testing.ts'
import { check } from './check.ts'
import { choices } from './choices.ts'
import { handleEvent } from './handle-event.ts'
import { receive } from './receive.ts'
import { drain } from './testing.ts'

const TOKEN = 'xoxb-malformed-77aa'
const SECRET = 'customer secret words'

/** Arbitrary values with customer text, built from the parts of a real response. */
const junk = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, '', SECRET, [], {}, [SECRET], { [SECRET]: SECRET }),
  fc.constantFrom<unknown>('1772366400.000100', '9999999999.999999', 'C1', 'U1', '1', 'next'),
)
const message = fc.record(
  {
    ts: fc.oneof({ weight: 6, arbitrary: fc.constantFrom('1772366400.000100', '1772366401.000100') }, junk),
    text: fc.oneof({ weight: 6, arbitrary: fc.constant(SECRET) }, junk),
    user: fc.oneof({ weight: 6, arbitrary: fc.constant('U1') }, junk),
    thread_ts: junk,
    reply_count: fc.oneof({ weight: 3, arbitrary: fc.nat(3) }, junk),
    latest_reply: junk,
    edited: junk,
    attachments: junk,
    subtype: junk,
  },
  { requiredKeys: ['ts'] },
)
const answer = fc.record(
  {
    ok: fc.oneof({ weight: 20, arbitrary: fc.constant(true) }, junk),
    error: fc.oneof(fc.constantFrom('not_in_channel', 'invalid_cursor', 'thread_not_found'), junk),
    messages: fc.oneof({ weight: 8, arbitrary: fc.array(message, { maxLength: 3 }) }, junk),
    has_more: junk,
    channels: fc.oneof({ weight: 8, arbitrary: fc.constant([{ id: 'C1', name: 'room' }]) }, junk),
    channel: junk,
    members: fc.oneof(fc.constant([{ id: 'U1', name: 'Ann' }]), junk),
    user: junk,
    team: junk,
    team_id: junk,
    url: junk,
    response_metadata: fc.oneof(fc.constantFrom({ next_cursor: '' }, { next_cursor: 'again' }), junk),
  },
  { requiredKeys: ['ok', 'messages', 'channels', 'members'] },
)

const contextFor = (server: TestServer) =>
  testContext({
    baseUrl: server.url,
    settings: { team_id: 'T1', team: 'Acme' },
    secrets: { bot_token: TOKEN },
    now: () => new Date('2026-03-01T12:00:00Z'),
    maxBytes: 1024 * 1024,
  })

/** The complaint about how a call ended; null when it ended as allowed. */
async function complaint(call: Promise<unknown>): Promise<string | null> {
  try {
    await call
    return null
  } catch (error) {
    if (!isConnectorFailure(error)) return `It threw ${String(error)}`
    const output = `${error.message} ${error.stack ?? ''} ${JSON.stringify(error.ledger ?? null)}`
    return output.includes(SECRET) || output.includes(TOKEN) ? `It leaked: ${output}` : null
  }
}

describe('whatever Slack returns', () => {
  it('a sync ends, normally or with one of the four kinds, and leaks nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 6 }), async (answers) => {
        let turn = 0
        await using server = await startServer((_, response) => {
          const body = answers[turn % answers.length]
          turn += 1
          response.end(JSON.stringify(body))
        })
        expect(await complaint(drain(contextFor(server)))).toBeNull()
        expect(turn).toBeLessThan(400)
      }),
      { numRuns: 150 },
    )
  })

  it('so do signing in and the choice of channels', async () => {
    await fc.assert(
      fc.asyncProperty(answer, async (body) => {
        await using server = await startServer((_, response) => response.end(JSON.stringify(body)))
        expect(await complaint(check(contextFor(server)))).toBeNull()
        expect(await complaint(choices(contextFor(server)))).toBeNull()
      }),
      { numRuns: 60 },
    )
  })
})

describe('an event, whatever it contains,', () => {
  const event = fc.record(
    {
      type: fc.constantFrom('message', 'tokens_revoked'),
      channel: junk,
      ts: junk,
      message,
      subtype: junk,
      deleted_ts: junk,
    },
    { requiredKeys: ['type'] },
  )

  it('is handled or refused, and leaks nothing', async () => {
    await using server = await startServer((_, response) => response.end('{"ok":false,"error":"user_not_found"}'))
    const changed = fc.tuple(event, fc.constantFrom('message_changed', 'message_deleted', 'thread_broadcast'))
    await fc.assert(
      fc.asyncProperty(changed, async ([payload, subtype]) => {
        expect(await complaint(handleEvent(contextFor(server), payload))).toBeNull()
        expect(await complaint(handleEvent(contextFor(server), { ...payload, subtype }))).toBeNull()
      }),
      { numRuns: 150 },
    )
  })

  it('is received or refused, though its signature is valid', async () => {
    const now = new Date('2026-03-01T12:00:00Z')
    const timestamp = String(now.getTime() / 1000)
    const delivery = fc.record({
      type: fc.oneof(fc.constant('event_callback'), junk),
      team_id: junk,
      event_id: junk,
      event: junk,
    })
    await fc.assert(
      fc.asyncProperty(fc.oneof(delivery, junk), async (value) => {
        const body = Buffer.from(JSON.stringify(value))
        const signature = createHmac('sha256', 's').update(`v0:${timestamp}:`).update(body).digest('hex')
        const headers = { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${signature}` }
        const received = async () => receive({ signing_secret: 's' }, { method: 'POST', headers, body }, now)
        expect(await complaint(received())).toBeNull()
      }),
    )
  })
})
