import { describe, expect, it } from 'vitest'
import { ConnectorFailure } from '../kit/errors.ts'
import { failureFrom, recordingLog, startServer } from '../kit/testing.ts'
import type { IntercomFault } from '../sandbox/intercom/faults.ts'
import { choices } from './choices.ts'
import { handleEvent } from './handle-event.ts'
import { intercom as connector } from './index.ts'
import { pull } from './pull.ts'
import { drain, fill, madeUp, many, openIntercom, signedIn } from './testing.ts'

const FAULTS: IntercomFault[] = [
  '429',
  '500',
  'reset',
  'cut',
  'malformed',
  'html',
  'truncated',
  'wrong-types',
  'missing-fields',
  'forbidden',
  'revoked',
]
const WORDS = /customer words|Person|Subject of|access-token|tallybrook|\/conversations/

describe('a failure', () => {
  it.each(FAULTS)('by %s has no secret, no path and nothing of what people wrote', async (fault) => {
    // One conversation that may not be read is set aside: see below.
    for (const name of fault === 'forbidden' ? ['search'] : ['search', 'conversation']) {
      await using intercom = await openIntercom()
      fill(intercom, many(2, 3))
      const log = recordingLog()
      const context = await signedIn(intercom, { log })
      intercom.fault(fault, 1, name)
      const error = await failureFrom(drain(context))
      expect(error).toBeInstanceOf(ConnectorFailure)
      const { message, stack, ledger, cause } = error as ConnectorFailure
      // The stack has paths of this project, but the words of the error come first in it.
      const said = stack?.slice(0, stack.indexOf('\n    at ')) ?? ''
      expect(
        [message, said, JSON.stringify(ledger ?? null), cause instanceof Error ? cause.message : '', ...log.lines].join(
          '\n',
        ),
      ).not.toMatch(WORDS)
    }
  })

  it('to read one conversation has nothing of what people wrote in its reason, and hides no other', async () => {
    await using intercom = await openIntercom()
    fill(intercom, many(2, 3))
    const log = recordingLog()
    const context = await signedIn(intercom, { log })
    intercom.fault('forbidden', 1, 'conversation')
    const pages = await Array.fromAsync(pull(context, null))
    const reasons = pages.at(-1)?.setAside?.items.map(({ reason }) => reason) ?? []
    expect(reasons).toHaveLength(1)
    expect(pages.flatMap(({ items }) => items).length).toBeGreaterThan(0)
    expect([...reasons, ...log.lines].join('\n')).not.toMatch(WORDS)
  })

  it.each(FAULTS)('by %s while an event is handled is no different', async (fault) => {
    await using intercom = await openIntercom()
    const [conversation = ''] = fill(intercom, [madeUp('a', 2)])
    const context = await signedIn(intercom)
    intercom.fault(fault)
    const error = await failureFrom(handleEvent(context, { topic: 'conversation.user.replied', conversation }))
    expect(error).toBeInstanceOf(ConnectorFailure)
    expect(String(error)).not.toMatch(WORDS)
  })
})

it('a sync and its choices log nothing of what people wrote, and no secret', async () => {
  await using intercom = await openIntercom()
  fill(intercom, [...many(3, 3), { ...madeUp('a', 1), team: 'Person team', tags: ['customer words'] }])
  const log = recordingLog()
  const context = await signedIn(intercom, { log })
  intercom.withdraw('Read admins')
  intercom.withdraw('Read tags')
  await choices(context)
  await drain(context)
  expect(log.lines).toHaveLength(2)
  expect(log.lines.join('\n')).not.toMatch(WORDS)
})

it('every request has the token in its header only, and the version that it is written for', async () => {
  await using intercom = await openIntercom()
  const context = await signedIn(intercom)
  await using server = await startServer(({ url }, response) =>
    response.end(
      JSON.stringify(
        url.endsWith('/search')
          ? { conversations: [{ id: '5', created_at: 1, updated_at: 1 }] }
          : { id: '5', created_at: 1, updated_at: 1, conversation_parts: null },
      ),
    ),
  )
  await drain({ ...context, baseUrl: `${server.url}/` })
  expect(server.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'POST /conversations/search',
    'GET /conversations/5',
  ])
  for (const { headers, body, url } of server.seen) {
    expect(headers.authorization).toBe(`Bearer ${intercom.accessToken}`)
    expect(headers['intercom-version']).toBe('2.14')
    expect(url + body).not.toContain(intercom.accessToken)
  }
})

it('the connector has every part of a source with an app, but nothing that writes', () => {
  expect(Object.keys(connector).toSorted()).toEqual([
    'app',
    'check',
    'choices',
    'cursor',
    'handleEvent',
    'manifest',
    'oauth',
    'progress',
    'pull',
    'receive',
    'revoke',
  ])
  expect(connector.manifest).toMatchObject({
    id: 'intercom',
    side: 'source',
    comingSoon: false,
    tile: true,
    signs: false,
  })
  expect(connector.manifest.info).toBe('Feedback from conversations')
})
