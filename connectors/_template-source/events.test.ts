import { describe, expect, it } from 'vitest'
import { Rejected } from '../kit/errors.ts'
import { failureFrom, type GivenContext } from '../kit/testing.ts'
import { type Helpdesk, startHelpdesk } from '../sandbox/helpdesk/helpdesk.ts'
import { handleEvent } from './handle-event.ts'
import { pull } from './pull.ts'
import { receive } from './receive.ts'
import { contextFor } from './testing.ts'

const now = new Date('2026-03-01T12:00:00Z')
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000)

/** Receives an event about a message and handles it, as the core does. */
async function deliver(helpdesk: Helpdesk, message: string, given: GivenContext = {}) {
  const request = helpdesk.event({ type: 'message.changed', message }, now)
  const { events } = receive(helpdesk.app, request, now)
  expect(events).toMatchObject([{ account: helpdesk.account.id }])
  return handleEvent(contextFor(helpdesk, given), events[0]?.payload ?? {})
}

describe('an event', () => {
  it('yields the item that a sync yields', async () => {
    await using helpdesk = await startHelpdesk()
    const { id } = helpdesk.messages.add({ conversation: 'c1', body: 'The export fails', at: 1 })
    helpdesk.messages.edit(id, 'The import fails')
    const { value } = await pull(contextFor(helpdesk), null).next()
    expect(await deliver(helpdesk, id)).toEqual({ items: value?.items, deleted: [], ended: null })
  })

  it('about a deleted message yields its deletion', async () => {
    await using helpdesk = await startHelpdesk()
    const { id } = helpdesk.messages.add({ conversation: 'c1', body: 'The export fails' })
    helpdesk.messages.remove(id)
    expect(await deliver(helpdesk, id)).toEqual({ items: [], deleted: [id], ended: null })
  })

  it('about another inbox than the chosen ones changes nothing', async () => {
    await using helpdesk = await startHelpdesk()
    const { id } = helpdesk.messages.add({ conversation: 'c1', body: 'How much?', inbox: 'sales' })
    const outcome = await deliver(helpdesk, id, { settings: { inboxes: ['support'] } })
    expect(outcome).toEqual({ items: [], deleted: [], ended: null })
  })

  it('about the removal of the app ends the sign-in', async () => {
    await using helpdesk = await startHelpdesk()
    const { events } = receive(helpdesk.app, helpdesk.event({ type: 'app.removed' }, now), now)
    const outcome = await handleEvent(contextFor(helpdesk), events[0]?.payload ?? {})
    expect(outcome).toMatchObject({ items: [], ended: expect.stringContaining('Connect again') as string })
  })

  it('with a payload of another shape is rejected', async () => {
    await using helpdesk = await startHelpdesk()
    expect(await failureFrom(handleEvent(contextFor(helpdesk), { type: 7 }))).toBeInstanceOf(Rejected)
  })
})

describe('a request', () => {
  it('is refused with another secret, without a signature, with other bytes, or when it is old', async () => {
    await using helpdesk = await startHelpdesk()
    const request = helpdesk.event({ type: 'app.removed' }, now)
    const old = helpdesk.event({ type: 'app.removed' }, minutesAgo(6))
    const attempts = [
      () => receive({ signing_secret: 'another' }, request, now),
      () => receive({}, request, now),
      () => receive(helpdesk.app, { ...request, headers: {} }, now),
      () => receive(helpdesk.app, { ...request, body: Buffer.concat([request.body, Buffer.from(' ')]) }, now),
      () => receive(helpdesk.app, old, now),
    ]
    for (const attempt of attempts) expect(attempt).toThrow(Rejected)
    expect(receive(helpdesk.app, request, now).events).toHaveLength(1)
    expect(receive(helpdesk.app, old, minutesAgo(6)).events).toHaveLength(1)
  })
})
