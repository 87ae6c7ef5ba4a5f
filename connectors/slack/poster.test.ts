import { describe, expect, it } from 'vitest'
import { failureFrom, testContext } from '../kit/testing.ts'
import { signIn } from '../kit/worlds/sign-in.ts'
import type { PostLine } from '../poster.ts'
import { slackText } from './post-text.ts'
import { poster } from './poster.ts'
import { drain, idsOf, openSlack, postingIn, signedIn } from './testing.ts'

const request = (channel: string, { thread = null as string | null, text = 'It is there' } = {}) => ({
  id: '00000000-0000-4000-8000-000000000000',
  channel,
  thread,
  lines: [{ parts: [text] }],
})

describe('the text of a message', () => {
  it.each<[PostLine, string]>([
    [{ parts: ['a < b & c > d'] }, 'a &lt; b &amp; c &gt; d'],
    [{ parts: ['<!channel> <!here> <@U1> <#C1>'] }, '&lt;!channel&gt; &lt;!here&gt; &lt;@U1&gt; &lt;#C1&gt;'],
    [
      { parts: [{ text: 'a|b>', url: 'https://a.example/?q=1&r=<|>' }] },
      '<https://a.example/?q=1&amp;r=%3C%7C%3E|a¦b&gt;>',
    ],
    [{ bold: true, parts: ['2 * 2'] }, '*2 ∗ 2*'],
    [{ parts: [] }, ''],
  ])('of %j is %s', (line, text) => {
    expect(slackText([line])).toBe(text)
  })
})

describe('posting', () => {
  it('has its own token that may post and not read, and leaves the one that reads as it was', async () => {
    await using slack = await openSlack()
    slack.post({ channel: 'room', author: 'Eve', text: 'It fails' })
    slack.invitePoster('room')
    const reader = await signedIn(slack)
    const context = await postingIn(slack)
    const { id: channel } = slack.workspace.room('room')
    expect(context.settings).toMatchObject({ team: 'Tallybrook', bot_id: 'B0GSPOSTS', revocable: true })
    expect(await failureFrom(poster.post({ ...context, secrets: reader.secrets }, request(channel)))).toMatchObject({
      kind: 'auth',
      message: expect.stringContaining('chat:write'),
    })
    expect(await failureFrom(drain({ ...reader, secrets: context.secrets }))).toMatchObject({ kind: 'auth' })
    const { id } = await poster.post(context, request(channel))
    expect(slack.posted()).toMatchObject([{ ts: id, text: 'It is there', root: null }])
  })

  it('with the app that reads would widen what that may do, which is why there are two', async () => {
    await using slack = await openSlack()
    const context = testContext({ baseUrl: slack.url })
    const own = { client_id: slack.clientId, client_secret: slack.clientSecret }
    expect(poster.isSameApp(own, { ...own, signing_secret: 'x' })).toBe(true)
    const exchanged = signIn({ oauth: poster.oauth, context, app: own, redirectUrl: 'http://a.example' })
    expect(await failureFrom(exchanged)).toMatchObject({
      kind: 'rejected',
      message: expect.stringContaining('Create a second app'),
    })
    slack.post({ channel: 'room', author: 'Eve', text: 'It fails' })
    const headers = { authorization: `Bearer ${slack.botToken}` }
    const post = new URLSearchParams({ channel: slack.workspace.room('room').id, text: 'x' })
    const posted = await fetch(`${slack.url}/api/chat.postMessage`, { method: 'POST', headers, body: post })
    expect(await posted.json()).toMatchObject({ ok: true })
  })

  it('lists the channels that the app is in', async () => {
    await using slack = await openSlack()
    for (const channel of ['one', 'two', 'support-escalations']) slack.post({ channel, author: 'Eve', text: 'x' })
    slack.invitePoster('two')
    slack.invitePoster('support-escalations')
    const listed = await poster.channels(await postingIn(slack))
    expect(listed.map(({ label, hint }) => [label, hint])).toEqual([
      ['#support-escalations', 'Private'],
      ['#two', undefined],
    ])
  })

  it('replies in the thread of a message, in its own workspace only', async () => {
    await using slack = await openSlack()
    const root = slack.post({ channel: 'room', author: 'Eve', text: 'It fails' })
    slack.invitePoster('room')
    const context = await postingIn(slack)
    const [id = ''] = idsOf(slack)
    const at = poster.conversation(context.settings, id)
    expect(at).toEqual({ channel: slack.workspace.room('room').id, thread: root })
    expect(poster.conversation({ ...context.settings, team_id: 'T0OTHER' }, id)).toBeNull()
    expect(poster.conversation(context.settings, 'something else')).toBeNull()
    await poster.post(context, request(at?.channel ?? '', { thread: root }))
    expect(slack.posted()).toMatchObject([{ root }])
  })

  it.each([
    ['not_in_channel', 'rejected', /invite it there/],
    ['is_archived', 'rejected', /archived/],
  ] as const)('says what to do about %s', async (_, kind, message) => {
    await using slack = await openSlack()
    slack.post({ channel: 'room', author: 'Eve', text: 'It fails' })
    const context = await postingIn(slack)
    const room = slack.workspace.room('room')
    if (message.source === 'archived') Object.assign(room, { hasPoster: true, isArchived: true })
    expect(await failureFrom(poster.post(context, request(room.id)))).toMatchObject({
      kind,
      message: expect.stringMatching(message),
    })
  })

  it('knows whether a message was not sent, or may have been', async () => {
    await using slack = await openSlack()
    slack.post({ channel: 'room', author: 'Eve', text: 'It fails' })
    slack.invitePoster('room')
    const context = await postingIn(slack)
    const { id } = slack.workspace.room('room')
    for (const fault of ['reset', 'cut', '500', 'internal_error', 'malformed'] as const) {
      slack.fault(fault, 1, 'chat.postMessage')
      expect(await failureFrom(poster.post(context, request(id)))).toMatchObject({ kind: 'unavailable', unsent: false })
    }
    slack.fault('ratelimited', 1, 'chat.postMessage')
    expect(await failureFrom(poster.post(context, request(id)))).toMatchObject({ kind: 'rate-limited', retryAfter: 9 })
    const nowhere = { ...context, baseUrl: 'http://127.0.0.1:1' }
    expect(await failureFrom(poster.post(nowhere, request(id)))).toMatchObject({ kind: 'unavailable', unsent: true })
  })
})

it('what was posted is no feedback', async () => {
  await using slack = await openSlack()
  const root = slack.post({ channel: 'room', author: 'Eve', text: 'It fails' })
  slack.invitePoster('room')
  const context = await postingIn(slack)
  const { id } = slack.workspace.room('room')
  await poster.post(context, request(id))
  await poster.post(context, request(id, { thread: root }))
  const reader = await signedIn(slack)
  const read = await drain({ ...reader, posters: [context.settings] })
  expect(read.items.map(({ text }) => text)).toEqual(['It fails'])
  expect((await drain(reader)).items).toHaveLength(3)
})
