import { describe, expect, it } from 'vitest'
import { failureFrom } from '../kit/testing.ts'
import { live } from '../kit/worlds/events.ts'
import { BOT } from '../sandbox/slack/workspace.ts'
import { handleEvent } from './handle-event.ts'
import { receive } from './receive.ts'
import { drain, openSlack, signedIn } from './testing.ts'

/** A sandbox whose events arrive at a real address and are parsed and handled as the core does. */
async function open() {
  const slack = await openSlack()
  slack.post({ channel: 'feedback', author: 'Ann', text: 'first' })
  slack.post({ channel: 'other', author: 'Ann', text: 'elsewhere' })
  const run = await live(slack, {
    context: await signedIn(slack),
    receive: (request) => receive({ signing_secret: slack.signingSecret }, request, new Date()),
    subscribe: (url) => slack.sendEventsTo(url),
    settled: slack.events.settled,
    handleEvent,
  })
  return { ...run, slack }
}

describe('an event', () => {
  it('of a message or a reply yields the same item as history', async () => {
    await using live = await open()
    const root = live.slack.post({
      channel: 'feedback',
      author: 'Bob',
      text: '*It* broke &amp; <https://a.example|burned>',
    })
    live.slack.post({ channel: 'feedback', author: 'Cid', text: 'same here :+1:', thread: root })
    const yielded = (await live.outcomes()).flatMap(({ items }) => items)
    const read = (await drain(live.context)).items.filter(({ author }) => author !== 'Ann')
    expect(yielded.map(({ text }) => text)).toEqual(['It broke & burned (https://a.example)', 'same here 👍'])
    expect(yielded.toSorted((a, b) => a.externalId.localeCompare(b.externalId))).toEqual(
      read.toSorted((a, b) => a.externalId.localeCompare(b.externalId)),
    )
  })

  it('of an edit yields the same item with its new text', async () => {
    await using live = await open()
    const ts = live.slack.post({ channel: 'feedback', author: 'Bob', text: 'exprot' })
    live.slack.edit(ts, 'export')
    const [before, after] = await live.outcomes()
    const version = expect.any(Number) as number
    expect(after?.items).toEqual([{ ...before?.items[0], text: 'export', version }])
  })

  it('of a direct message changes nothing, although no channel was chosen', async () => {
    await using live = await open()
    for (const [channel, channel_type] of [
      ['D1', 'im'],
      ['G1', 'mpim'],
      ['C1', 'mpim'],
      ['D2', undefined],
    ]) {
      const payload = { type: 'message', channel, channel_type, ts: '1772366400.000100', user: 'U1', text: 'private' }
      expect(await handleEvent(live.context, payload)).toEqual({ items: [], deleted: [], ended: null })
    }
  })

  it('of a change by an app has the time of the event as its version', async () => {
    await using live = await open()
    const channel = live.slack.workspace.room('feedback').id
    const message = { type: 'message', ts: '1772366400.000100', user: 'U0TALLY0001', text: 'changed' }
    const payload = { type: 'message', subtype: 'message_changed', channel, message, event_ts: '1772366500.000200' }
    expect((await handleEvent(live.context, payload)).items).toMatchObject([{ version: 1_772_366_500_000_200 }])
    const edited = { ...message, edited: { user: 'U1', ts: '1772366450.000000' } }
    const { items } = await handleEvent(live.context, { ...payload, message: edited })
    expect(items).toMatchObject([{ version: 1_772_366_450_000_000 }])
    expect((await handleEvent(live.context, { ...message, channel })).items[0]).not.toHaveProperty('version')
  })

  it('by an author from another workspace is ours, with the name of the profile', async () => {
    await using live = await open()
    live.slack.post({ channel: 'feedback', author: 'Eve Long', text: 'from outside', team: 'T0CUSTOMER' })
    await live.slack.events.settled()
    expect(live.receiver.received.map(({ account }) => account)).toEqual([live.slack.teamId])
    const before = live.slack.requests()['users.info']
    expect((await live.outcomes()).flatMap(({ items }) => items)).toMatchObject([{ author: 'Eve Long' }])
    expect(live.slack.requests()['users.info']).toBe(before)
    const { items } = await drain(live.context)
    expect(items.find(({ text }) => text === 'from outside')?.author).toBe('Eve Long')
  })

  it('of a deletion names the deleted message, with and without replies', async () => {
    await using live = await open()
    const alone = live.slack.post({ channel: 'feedback', author: 'Bob', text: 'alone' })
    const root = live.slack.post({ channel: 'feedback', author: 'Bob', text: 'root' })
    live.slack.post({ channel: 'feedback', author: 'Cid', text: 'reply', thread: root })
    await live.outcomes()
    live.slack.remove(alone)
    live.slack.remove(root)
    const outcomes = await live.outcomes()
    expect(outcomes.flatMap(({ deleted }) => deleted).map((id) => id.split(':').at(-1))).toEqual([alone, root])
    expect(outcomes.flatMap(({ items }) => items)).toEqual([])
  })

  it.each(['tokens_revoked', 'app_uninstalled'] as const)('%s ends the sign-in with a reason', async (how) => {
    await using live = await open()
    live.slack.revoke(how)
    const outcomes = await live.outcomes()
    expect(outcomes).toEqual([{ items: [], deleted: [], ended: expect.stringContaining('Connect again') as string }])
    expect(await failureFrom(drain(live.context))).toMatchObject({ kind: 'auth' })
  })

  it('of channels that were not chosen, notices, our own bot and a person’s own token changes nothing', async () => {
    await using live = await open()
    const feedback = live.slack.workspace.room('feedback').id
    const chosen = { ...live.context, settings: { ...live.context.settings, channels: [feedback] } }
    live.slack.post({ channel: 'other', author: 'Bob', text: 'not for us' })
    live.slack.post({ channel: 'feedback', author: 'Bob', text: 'joined', subtype: 'channel_join' })
    live.slack.post({ channel: 'feedback', author: 'Bob', text: 'ours', bot: BOT.bot })
    const outcomes = await live.outcomes(chosen)
    expect(outcomes).toHaveLength(3)
    const more = [
      { type: 'tokens_revoked', tokens: { oauth: ['U1'], bot: [] } },
      { type: 'message', subtype: 'message_replied', channel: feedback, ts: '1.1', message: {} },
      { type: 'something_new' },
      { type: 'message', channel: 'D1', channel_type: 'im', ts: '1.1', user: 'U1', text: 'just for you' },
      { type: 'message', channel: 'C9', channel_type: 'mpim', ts: '1.1', user: 'U1', text: 'just for us' },
    ]
    for (const payload of more) outcomes.push(await handleEvent(chosen, payload))
    expect(outcomes).toEqual(outcomes.map(() => ({ items: [], deleted: [], ended: null })))
  })

  it.each([
    [{ type: 'message', ts: '1772366400.000100' }],
    [{ type: 'message', channel: 'C1', ts: 17 }],
    [{ type: 'message', channel: 'C1', ts: '1.1', text: ['customer words'] }],
    [{ type: 'message', channel: 'C1', subtype: 'message_changed', message: 'customer words' }],
    [{ type: 'message', channel: 'C1', subtype: 'message_changed' }],
    [{ type: 'tokens_revoked', tokens: 'all' }],
  ])('that is malformed is refused without repeating it: %j', async (payload) => {
    await using live = await open()
    const error = await failureFrom(handleEvent(live.context, payload))
    expect(error).toMatchObject({
      kind: 'rejected',
      message: 'An event from Slack does not match Slack’s documentation',
    })
  })

  it('waits when Slack asks for a pause while a name is read', async () => {
    await using live = await open()
    live.slack.post({ channel: 'feedback', author: 'Newcomer', text: 'hello' })
    live.slack.fault('429', 1, 'users.info')
    expect(await failureFrom(live.outcomes())).toMatchObject({ kind: 'rate-limited', retryAfter: 7 })
  })
})

describe('a request', () => {
  it('that is forged or expired is refused, and so are Slack’s retries', async () => {
    await using live = await open()
    for (const fault of ['forged', 'late'] as const) {
      live.slack.eventFault(fault)
      live.slack.post({ channel: 'feedback', author: 'Mallory', text: 'buy now' })
    }
    expect(await live.outcomes()).toEqual([])
    expect(live.receiver.refused).toHaveLength(4)
  })

  it('that is repeated or replayed has the same id', async () => {
    await using live = await open()
    live.slack.eventFault('twice')
    live.slack.post({ channel: 'feedback', author: 'Bob', text: 'once' })
    await live.slack.events.settled()
    await live.slack.events.replay()
    expect(live.receiver.received).toHaveLength(3)
    expect(new Set(live.receiver.received.map(({ id }) => id)).size).toBe(1)
    expect(new Set(live.receiver.received.map(({ account }) => account))).toEqual(new Set([live.slack.teamId]))
  })

  it('that is lost is made up for by the next round', async () => {
    await using live = await open()
    const { cursor } = await drain(live.context)
    live.slack.eventFault('lost')
    live.slack.post({ channel: 'feedback', author: 'Bob', text: 'nobody told' })
    expect(await live.outcomes()).toEqual([])
    expect((await drain(live.context, cursor)).items.map(({ text }) => text)).toEqual(['nobody told'])
  })

  it('that verifies the address gets the challenge', async () => {
    await using live = await open()
    expect(await live.slack.events.request({ type: 'url_verification', challenge: 'c-1' })).toEqual({
      status: 200,
      body: 'c-1',
    })
  })
})
