import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { changing } from '../conformance/bad-items.ts'
import { failureFrom, startServer } from '../kit/testing.ts'
import { readPatiently } from '../kit/worlds/source.ts'
import { loadCompany } from '../sandbox/company/company.ts'
import { BOT } from '../sandbox/slack/workspace.ts'
import { read } from './client.ts'
import { pull } from './pull.ts'
import { drain, idsOf, madeUp, openSlack, signedIn } from './testing.ts'

const DAY_MS = 86_400_000

it('reads the demo company exactly: text, people, places, threads and links', async () => {
  await using slack = await openSlack({ company: loadCompany() })
  const context = await signedIn(slack)
  const { items, incomplete } = await drain(context)
  const messages = loadCompany().filter(({ channel }) => channel !== null)
  expect(items).toHaveLength(messages.length)
  expect(incomplete).toBeNull()
  expect(items.map(({ externalId }) => externalId).toSorted()).toEqual(idsOf(slack).toSorted())
  // Sorted, because a line of the company and an item have no common id; backticks of code are markup.
  const lines = (all: { author: string | null; text: string; place: string | null }[]) =>
    all
      .map(({ author, text, place }) =>
        JSON.stringify([
          author,
          text
            .replace(/`{3}\n?|\n?`{3}|`/g, '')
            .replace(/\s+/g, ' ')
            .trim(),
          place,
        ]),
      )
      .toSorted()
  expect(lines(items)).toEqual(lines(messages.map((message) => ({ ...message, place: `#${message.channel}` }))))
  const byId = new Map(items.map((item) => [item.externalId, item]))
  const replies = items.filter(({ externalId, thread }) => externalId !== thread)
  expect(replies).toHaveLength(messages.filter(({ thread }) => thread !== null).length)
  expect(replies.every(({ thread }) => byId.has(thread ?? ''))).toBe(true)
  for (const item of [items[0], replies[0], replies.at(-1)]) {
    const [, channel, message_ts] = item?.externalId.split(':') ?? []
    const Permalink = z.object({ permalink: z.string() })
    const answer = await read(context, 'chat.getPermalink', { channel, message_ts }, Permalink)
    expect(item?.link).toBe(answer.permalink)
  }
})

describe('the number of requests', () => {
  it('is at most a little above the minimum that Slack allows', async () => {
    const company = madeUp({ channels: 2, roots: 10_000, nth: 1_000_000, replies: 0, every: 1 })
    await using slack = await openSlack({ company })
    const before = Object.values(slack.requests()).reduce((sum, count) => sum + count, 0)
    const context = await signedIn(slack)
    const signIn = Object.values(slack.requests()).reduce((sum, count) => sum + count, 0) - before
    const { items } = await drain(context)
    expect(items).toHaveLength(20_000)
    const asked = Object.values(slack.requests()).reduce((sum, count) => sum + count, 0) - signIn
    const least = 2 * Math.ceil(10_000 / 999)
    expect(asked / least).toBeLessThanOrEqual(1.2)
  })

  it('is one per page where Slack gives 15 messages, and one per thread', async () => {
    const company = madeUp({ channels: 1, roots: 600, nth: 10, replies: 20, every: 60 })
    await using slack = await openSlack({ company })
    slack.limit({ perMinute: null, objects: 15 })
    const { items } = await drain(await signedIn(slack))
    expect(items).toHaveLength(600 + 60 * 20)
    const { 'auth.test': _, 'team.info': __, ...asked } = slack.requests()
    const least = 600 / 15 + 60 * 2
    const all = Object.values(asked).reduce((sum, count) => sum + count, 0)
    expect(asked['conversations.history']).toBe(40)
    expect(asked['conversations.replies']).toBe(120)
    expect(all / least).toBeLessThanOrEqual(1.2)
  })
})

it('completes at one request a minute with 15 messages, by waiting as long as Slack asks', async () => {
  let time = Date.parse('2026-03-01T12:00:00Z')
  const now = () => new Date(time)
  await using slack = await openSlack({ company: madeUp({ channels: 2, roots: 40, nth: 8, replies: 16 }), now })
  slack.limit({ perMinute: 1, objects: 15 })
  const context = await signedIn(slack, { now })
  const { seen, waits } = await readPatiently(pull, context, (seconds) => {
    time += seconds * 1000
  })
  expect(seen.toSorted()).toEqual(idsOf(slack).toSorted())
  expect(waits.length).toBeGreaterThan(10)
  // 40 messages are 3 pages; a thread of 16 replies is 2, as each includes the root.
  expect(waits.length).toBeLessThanOrEqual(2 * 3 + 2 * 5 * 2)
})

describe('a later round', () => {
  it('yields new replies to old parents, and no others', async () => {
    const company = madeUp({ channels: 1, roots: 100, nth: 10, replies: 3 })
    await using slack = await openSlack({ company })
    const context = await signedIn(slack)
    const first = await drain(context)
    const roots = slack.workspace.messages(slack.workspace.room('room-1').id).filter(({ root }) => root === null)
    const [oldest, young] = [roots[0], roots.at(-2)]
    const one = slack.post({ channel: 'room-1', author: 'Ann', text: 'still broken', thread: oldest?.ts })
    const two = slack.post({ channel: 'room-1', author: 'Bob', text: 'for me too', thread: young?.ts })
    const second = await drain(context, first.cursor)
    expect(second.items.map(({ externalId }) => externalId.split(':').at(-1) ?? '').toSorted()).toEqual(
      [one, two].toSorted(),
    )
    expect(second.items.find(({ text }) => text === 'still broken')?.thread).toContain(oldest?.ts)
    const third = await drain(context, second.cursor)
    expect(third.items).toEqual([])
  })

  it('looks 30 days back once a day in a channel limited to small pages, and reads a large one without that limit completely', async () => {
    let time = Date.now()
    const now = () => new Date(time)
    await using slack = await openSlack({ company: madeUp({ channels: 1, roots: 100, nth: 10, replies: 1 }), now })
    slack.limit({ perMinute: null, objects: 15 })
    const context = await signedIn(slack, { now })
    const first = await drain(context)
    const roots = slack.workspace.messages(slack.workspace.room('room-1').id).filter(({ root }) => root === null)
    const reply = (root: number) =>
      slack.post({ channel: 'room-1', author: 'Ann', text: `late ${root}`, thread: roots[root]?.ts })
    reply(0)
    reply(90)
    const soon = await drain(context, first.cursor)
    expect(soon.items).toEqual([])
    time += DAY_MS + 1000
    const nextDay = await drain(context, soon.cursor)
    expect(nextDay.items.map(({ text }) => text)).toEqual(['late 90'])
    slack.limit({ perMinute: null, objects: null })
    time += DAY_MS + 1000
    const free = await drain(context, nextDay.cursor)
    time += DAY_MS + 1000
    const whole = await drain(context, free.cursor)
    expect([...free.items, ...whole.items].map(({ text }) => text)).toEqual(['late 0'])
  })

  it('finds edits, and deleted messages that have replies', async () => {
    let time = Date.now()
    await using slack = await openSlack({ now: () => new Date(time) })
    const edited = slack.post({ channel: 'room', author: 'Ann', text: 'exprot fails' })
    const removed = slack.post({ channel: 'room', author: 'Bob', text: 'never mind' })
    const reply = slack.post({ channel: 'room', author: 'Cid', text: 'I do mind', thread: removed })
    const context = await signedIn(slack)
    const first = await drain(context)
    time += 5000
    slack.edit(edited, 'export fails')
    slack.remove(removed)
    const second = await drain(context, first.cursor)
    expect(second.items.map(({ externalId, text }) => [externalId.split(':')[2], text])).toEqual([
      [edited, 'export fails'],
    ])
    expect(second.deleted.map((id) => id.split(':')[2])).toEqual([removed])
    expect((await drain(context, second.cursor)).items).toEqual([])
    expect(first.items.map(({ externalId }) => externalId)).toContain(`T0TALLYBRK:C0TALLY001:${reply}`)
  })

  it('finishes an interrupted round before it looks for more', async () => {
    await using slack = await openSlack({ company: madeUp({ channels: 2, roots: 30, nth: 40, replies: 0 }) })
    slack.limit({ perMinute: null, objects: 15 })
    const context = await signedIn(slack)
    const pages = pull(context, null)
    await pages.next()
    const page = await pages.next()
    await pages.return(undefined)
    const late = slack.post({ channel: 'room-1', author: 'Ann', text: 'meanwhile' })
    const rest = await drain(context, page.value?.cursor)
    expect(rest.items.some(({ externalId }) => externalId.endsWith(late))).toBe(false)
    expect(rest.items).toHaveLength(60 - 15)
    const next = await drain(context, rest.cursor)
    expect(next.items.map(({ text }) => text)).toEqual(['meanwhile'])
  })
})

describe('what is not feedback', () => {
  it('is skipped: our own bot, joins and leaves, and messages without text', async () => {
    await using slack = await openSlack()
    const say = (text: string, more: { subtype?: string; bot?: string } = {}) =>
      slack.post({ channel: 'room', author: 'Ann', text, ...more })
    say('kept')
    say('kept from another app', { subtype: 'bot_message', bot: 'B0OTHERAPP' })
    say('kept with a file', { subtype: 'file_share' })
    say('<@U1> has joined the channel', { subtype: 'channel_join' })
    say('<@U1> has left the channel', { subtype: 'channel_leave' })
    say('set the topic', { subtype: 'channel_topic' })
    say('our own words', { bot: BOT.bot })
    say('   ')
    const { items, incomplete } = await drain(await signedIn(slack))
    expect(items.map(({ text }) => text).toSorted()).toEqual(['kept', 'kept from another app', 'kept with a file'])
    expect(incomplete).toBeNull()
  })

  it('but a reply that was also sent to the channel is read once', async () => {
    await using slack = await openSlack()
    const root = slack.post({ channel: 'room', author: 'Ann', text: 'root' })
    slack.post({ channel: 'room', author: 'Bob', text: 'for all', thread: root, subtype: 'thread_broadcast' })
    slack.post({ channel: 'room', author: 'Bob', text: 'for the thread', thread: root })
    const { items } = await drain(await signedIn(slack))
    expect(items.map(({ text }) => text).toSorted()).toEqual(['for all', 'for the thread', 'root'])
    expect(new Set(items.map(({ thread }) => thread)).size).toBe(1)
  })
})

describe('channels', () => {
  it('are the chosen ones, or all that the app is in', async () => {
    await using slack = await openSlack({ company: madeUp({ channels: 3, roots: 2, nth: 5, replies: 0 }) })
    slack.workspace.room('room-3').isMember = false
    const all = await drain(await signedIn(slack))
    expect(new Set(all.items.map(({ place }) => place))).toEqual(new Set(['#room-1', '#room-2']))
    const chosen = await drain(await signedIn(slack, { channels: [slack.workspace.room('room-2').id] }))
    expect(new Set(chosen.items.map(({ place }) => place))).toEqual(new Set(['#room-2']))
  })

  it('that the app was removed from are reported where none were chosen', async () => {
    await using slack = await openSlack({ company: madeUp({ channels: 2, roots: 2, nth: 5, replies: 0 }) })
    const context = await signedIn(slack)
    const first = await drain(context)
    expect(first.incomplete).toBeNull()
    const one = slack.workspace.room('room-1')
    one.isMember = false
    const removed = await drain(context, first.cursor)
    expect(removed.incomplete).toContain('The app is no longer in #room-1: invite it again with /invite')
    const other = { ...context, settings: { ...context.settings, channels: [slack.workspace.room('room-2').id] } }
    expect((await drain(other, removed.cursor)).incomplete).toBeNull()
    one.isMember = true
    expect((await drain(context, removed.cursor)).incomplete).toBeNull()
  })

  it('of direct messages are not read, even if they are chosen', async () => {
    await using slack = await openSlack({ company: madeUp({ channels: 1, roots: 2, nth: 5, replies: 0 }) })
    const { items } = await drain(await signedIn(slack, { channels: ['D0DIRECT', slack.workspace.room('room-1').id] }))
    expect(items).toHaveLength(2)
    expect(slack.calls().filter(({ values }) => values.channel === 'D0DIRECT')).toEqual([])
  })

  it('that cannot be read are reported, and the others are read', async () => {
    await using slack = await openSlack({ company: madeUp({ channels: 2, roots: 2, nth: 5, replies: 0 }) })
    const [one, two] = [slack.workspace.room('room-1'), slack.workspace.room('room-2')]
    one.isMember = false
    const context = await signedIn(slack, { channels: [one.id, 'C0GONE', two.id] })
    const { items, incomplete, cursor } = await drain(context)
    expect(items).toHaveLength(2)
    expect(incomplete).toContain('The app is not in #room-1: invite it there with /invite')
    expect(incomplete).toContain('The channel C0GONE cannot be found')
    one.isMember = true
    const later = await drain({ ...context, settings: { ...context.settings, channels: [one.id, two.id] } }, cursor)
    expect(later.items.map(({ place }) => place)).toEqual(['#room-1', '#room-1'])
    expect(later.incomplete).toBeNull()
  })
})

it('starts from the beginning with a malformed cursor, and refuses to start without a workspace', async () => {
  await using slack = await openSlack({ company: madeUp({ channels: 1, roots: 2, nth: 5, replies: 0 }) })
  const context = await signedIn(slack)
  for (const cursor of ['text', 7, [], { version: 2 }, { version: 1, left: ['x'], channels: { x: 1 } }]) {
    expect((await drain(context, cursor)).items).toHaveLength(2)
  }
  expect(await failureFrom(drain({ ...context, settings: {} }))).toMatchObject({ kind: 'rejected' })
})

it('needs no list of people: a person who is not found is named by the id', async () => {
  await using slack = await openSlack()
  slack.post({ channel: 'room', author: 'Ann', text: 'hello' })
  const context = await signedIn(slack)
  await using front = await startServer(({ url, headers }, response) => {
    if (url.startsWith('/api/users.')) return void response.end('{"ok":false,"error":"unknown_method"}')
    const { authorization = '' } = headers
    void fetch(`${slack.url}${url}`, { headers: { authorization } }).then(async (answer) =>
      response.end(await answer.text()),
    )
  })
  const { items } = await drain({ ...context, baseUrl: front.url })
  expect(items.map(({ author }) => author)).toEqual(['U0TALLY0001'])
})

it('counts messages that consist of files only, in a channel and in a thread', async () => {
  await using slack = await openSlack()
  const root = slack.post({ channel: 'room', author: 'Ann', text: 'It fails' })
  const files = [
    slack.post({ channel: 'room', author: 'Bo', text: 'only a file' }),
    slack.post({ channel: 'room', author: 'Bo', text: 'only a file', thread: root }),
  ]
  const context = await signedIn(slack)
  const http = changing(context.http, (_request, response) => ({
    ...response,
    body: response.body.replaceAll('"text":"only a file"', '"text":"","files":[{"id":"F1","name":"screen.png"}]'),
  }))
  const { items, attachmentOnly } = await drain({ ...context, http })
  const id = (ts: string) => `${slack.teamId}:${slack.workspace.room('room').id}:${ts}`
  expect([...new Set(attachmentOnly)].toSorted()).toEqual(files.map(id).toSorted())
  expect(items.map(({ externalId }) => externalId)).toEqual([id(root)])
})
