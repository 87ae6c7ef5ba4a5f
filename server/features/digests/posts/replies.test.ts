import { listReplies } from '@groundswell/contract/posts.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { duringTests } from '../../../platform/testing.ts'
import { feedbackHooks } from '../../../wiring.ts'
import { sendPostsOf } from './send.ts'
import { PostWorld } from './testing.ts'

let workspace: string
let room: string

const posts = duringTests(() => PostWorld.start())
beforeEach(async () => {
  posts.world.now = new Date('2026-03-02T10:20:00Z')
  workspace = await posts.workspace()
  room = `help-${workspace.slice(0, 8)}`
})

const list = async () => listReplies.reply.parse(await posts.call(workspace, 'GET', '/api/insights/1/replies'))
const reply = (conversations: string[], { text = 'It is there', again = false } = {}) =>
  posts.call(workspace, 'POST', '/api/insights/1/replies', { conversations, text, again })
const send = () => sendPostsOf(posts.world.services, workspace)
const posted = () => posts.slack.posted().filter(({ channel }) => channel === posts.slack.workspace.room(room).id)
const askers = async () =>
  (await posts.call(workspace, 'GET', '/api/insights/1/askers')) as {
    told: number
    askers: { name: string; told: { by: string } | null }[]
  }

test('people who asked in a thread get one reply there, and are marked as told', async () => {
  const root = await posts.ask(workspace, 1, { author: 'Ann', channel: room })
  await posts.ask(workspace, 1, { author: 'Bo', channel: room, thread: root })
  await posts.ask(workspace, 1, { author: 'Cy', channel: room })
  posts.slack.invitePoster(room)
  const { conversations, posters, text } = await list()
  expect(posters).toEqual([{ tile: 'slack', label: 'Slack', signed_in: true }])
  expect(text).toContain('issue 1')
  expect(
    conversations.map(({ people }) => people.map(({ name }) => name ?? '').toSorted((a, b) => a.localeCompare(b))),
  ).toEqual(expect.arrayContaining([['Ann', 'Bo'], ['Cy']]))
  const ids = conversations.map(({ id }) => id)
  expect(await reply(ids, { text: 'Done <!channel> & https://a.example/x?y=1&z=2.\n@here' })).toEqual({
    sending: 2,
    skipped: [],
  })
  expect((await list()).conversations.map((one) => one.reply?.state)).toEqual(['waiting', 'waiting'])
  await send()
  expect(posted().map((one) => one.root)).toEqual(expect.arrayContaining([root]))
  expect(posted()).toHaveLength(2)
  expect(posted()[0]?.text).toBe(
    'Done &lt;!channel&gt; &amp; <https://a.example/x?y=1&amp;z=2|https://a.example/x?y=1&amp;z=2>.\n@here',
  )
  expect(await askers()).toMatchObject({ told: 3 })
  expect((await askers()).askers[0]?.told?.by).toBe('A')
})

test('a conversation gets one reply about an insight, and another one only when a person confirms', async () => {
  await posts.ask(workspace, 1, { author: 'Ann', channel: room })
  posts.slack.invitePoster(room)
  const [{ id } = { id: '' }] = (await list()).conversations
  await Promise.all([reply([id]), reply([id])])
  await send()
  expect(posted()).toHaveLength(1)
  expect(await reply([id])).toEqual({ sending: 0, skipped: [id] })
  expect(await reply([id], { again: true })).toEqual({ sending: 1, skipped: [] })
  await send()
  expect(posted()).toHaveLength(2)
})

test('what fails is listed by conversation, and nobody there is marked as told', async () => {
  await posts.ask(workspace, 1, { author: 'Ann', channel: room })
  await posts.ask(workspace, 1, { author: 'Bo', channel: `${room}-2` })
  posts.slack.invitePoster(`${room}-2`)
  const ids = (await list()).conversations.map(({ id }) => id)
  await reply(ids)
  await send()
  const { conversations } = await list()
  expect(conversations.find(({ place }) => place === `#${room}`)?.reply).toMatchObject({
    state: 'refused',
    error: expect.stringContaining('/invite'),
  })
  expect(conversations.find(({ place }) => place === `#${room}-2`)?.reply).toMatchObject({ state: 'sent', error: null })
  expect(await askers()).toMatchObject({ told: 1 })
  posts.slack.invitePoster(room)
  expect(await reply(ids)).toMatchObject({ sending: 1 })
})

test('an interrupted reply is uncertain: it is shown, not repeated, and nobody is marked', async () => {
  await posts.ask(workspace, 1, { author: 'Ann', channel: room })
  posts.slack.invitePoster(room)
  const [{ id } = { id: '' }] = (await list()).conversations
  posts.slack.fault('cut', 1, 'chat.postMessage')
  await reply([id])
  await send()
  expect((await list()).conversations[0]?.reply).toMatchObject({ state: 'uncertain' })
  expect(await reply([id])).toEqual({ sending: 0, skipped: [id] })
  expect(await askers()).toMatchObject({ told: 0 })
})

test('a reply that waits is not posted once somebody whose words may be in it was erased', async () => {
  await posts.ask(workspace, 1, { author: 'Ann', channel: room })
  await posts.ask(workspace, 1, { author: 'Bo', channel: `${room}-2` })
  await posts.ask(workspace, 2, { author: 'Cy', channel: room })
  posts.slack.invitePoster(room)
  posts.slack.invitePoster(`${room}-2`)
  await reply(
    (await list()).conversations.map(({ id }) => id),
    { text: 'Ann’s words' },
  )
  const [other] = listReplies.reply.parse(await posts.call(workspace, 'GET', '/api/insights/2/replies')).conversations
  await posts.call(workspace, 'POST', '/api/insights/2/replies', {
    conversations: [other?.id],
    text: 'x',
    again: false,
  })
  // One waits for its next attempt.
  posts.slack.fault('ratelimited', 1, 'chat.postMessage')
  await send()
  await posts.world.inside(workspace, async (tx) => {
    const { rows } = await sql<{ id: number }>`select id from feedback_item where author = 'Ann'`.execute(tx)
    const { erasing } = feedbackHooks(posts.world.services)
    await erasing?.(tx, workspace, { author: 'ann', itemIds: rows.map(({ id }) => Number(id)) })
    const kept = await sql<{ all: string }>`select string_agg(post::text, '') as all from post`.execute(tx)
    expect(kept.rows[0]?.all).not.toContain('words')
    const told = await sql`
      select 1 from post where people && (select array_agg(encode(person_of(author, id), 'hex')) from feedback_item where author = 'Ann')`.execute(
      tx,
    )
    expect(told.rows).toEqual([])
  })
  posts.world.now = new Date('2026-03-02T10:30:00Z')
  await send()
  expect(posts.slack.posted().filter(({ text }) => text.includes('words'))).toEqual([])
  const { conversations } = await list()
  expect(conversations.map((one) => one.reply)).toEqual([
    expect.objectContaining({ state: 'refused', error: expect.stringContaining('erased') }),
    expect.objectContaining({ state: 'refused', error: expect.stringContaining('erased') }),
  ])
  expect(posted()).toMatchObject([{ text: 'x' }])
  expect(await reply(conversations.map(({ id }) => id))).toMatchObject({ sending: 2 })
})

test('without a sign-in the conversations are listed, and nothing is posted', async () => {
  await posts.ask(workspace, 1, { author: 'Ann', channel: room })
  await posts.call(workspace, 'DELETE', '/api/posting/slack')
  const { posters, conversations } = await list()
  expect(posters).toEqual([{ tile: 'slack', label: 'Slack', signed_in: false }])
  expect(await reply(conversations.map(({ id }) => id))).toMatchObject({ sending: 0 })
})
