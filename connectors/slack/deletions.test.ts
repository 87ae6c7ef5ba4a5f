import { describe, expect, it } from 'vitest'
import type { Context } from '../connector.ts'
import { createPageStore } from '../kit/page-store.ts'
import { startServer } from '../kit/testing.ts'
import type { SlackSandbox } from '../sandbox/slack/slack.ts'
import { pull } from './pull.ts'
import { idsOf, madeUp, openSlack, signedIn } from './testing.ts'

const DAY_MS = 86_400_000

/** A database that holds what rounds yield. */
function createStore() {
  const { items, cursor, commit } = createPageStore()
  return {
    cursor,
    ids: () => [...items.keys()].toSorted(),
    /** One round; it stops after this many pages. */
    async read(context: Context, pages = Number.POSITIVE_INFINITY) {
      let count = 0
      for await (const page of pull(context, cursor())) {
        commit(page)
        count += 1
        if (count >= pages) return
      }
    },
  }
}

/** Threads of 20 replies, a minute apart. */
const company = madeUp({ channels: 2, roots: 40, nth: 4, replies: 20 }).map((message) =>
  message.thread === null ? message : { ...message, at: message.at + 1 + Number(message.id.split('-').at(-1)) },
)

async function open(objects: number | null) {
  const slack = await openSlack({ company })
  slack.limit({ perMinute: null, objects })
  const context = await signedIn(slack)
  const store = createStore()
  await store.read(context)
  expect(store.ids()).toEqual(idsOf(slack).toSorted())
  const rootsOf = (channel: string) =>
    slack.workspace.messages(slack.workspace.room(channel).id).filter(({ root }) => root === null)
  const repliesOf = (root: string) => slack.workspace.replies(slack.workspace.room('room-1').id, root)
  const ts = (list: readonly { ts: string }[], index: number) => list.at(index)?.ts ?? ''
  return { slack, context, store, rootsOf, repliesOf, ts, [Symbol.asyncDispose]: () => slack.stop() }
}

const all = (slack: SlackSandbox) => idsOf(slack).toSorted()

describe.each([null, 15])('without events, with pages of %j objects', (objects) => {
  it.each([
    ['the newest message', -1],
    ['an old one', 1],
    ['one in the middle', 17],
  ])('a round finds that %s was deleted', async (_, index) => {
    await using live = await open(objects)
    live.slack.remove(live.ts(live.rootsOf('room-1'), index))
    await live.store.read(live.context)
    expect(live.store.ids()).toEqual(all(live.slack))
  })

  it.each([
    ['the first reply', [0]],
    ['the last', [-1]],
    ['one in the middle', [9]],
    ['every reply', Array.from({ length: 20 }, () => 0)],
  ])('a round finds that %s of a thread was deleted', async (_, indexes) => {
    await using live = await open(objects)
    const root = live.ts(live.rootsOf('room-1'), 8)
    for (const index of indexes) live.slack.remove(live.ts(live.repliesOf(root), index))
    await live.store.read(live.context)
    expect(live.store.ids()).toEqual(all(live.slack))
  })

  it('a round finds a deletion in a thread that also got a reply', async () => {
    await using live = await open(objects)
    const root = live.ts(live.rootsOf('room-1'), 8)
    live.slack.remove(live.ts(live.repliesOf(root), 3))
    live.slack.remove(live.ts(live.repliesOf(root), 3))
    live.slack.post({ channel: 'room-1', author: 'Ann', text: 'one more', thread: root })
    await live.store.read(live.context)
    expect(live.store.ids()).toEqual(all(live.slack))
  })

  it('a round finds a thread whose first message was deleted, and then the rest', async () => {
    await using live = await open(objects)
    const root = live.ts(live.rootsOf('room-1'), 8)
    live.slack.remove(root)
    await live.store.read(live.context)
    expect(live.store.ids()).toEqual(all(live.slack))
    while (live.repliesOf(root).length > 0) live.slack.remove(live.ts(live.repliesOf(root), 0))
    await live.store.read(live.context)
    expect(live.store.ids()).toEqual(all(live.slack))
  })

  it('nothing is removed, and no thread is read again, where nothing was deleted', async () => {
    await using live = await open(objects)
    const before = live.slack.requests()['conversations.replies']
    for (let round = 0; round < 3; round += 1) {
      live.slack.post({ channel: 'room-1', author: 'Ann', text: `new ${round}` })
      await live.store.read(live.context)
      expect(live.store.ids()).toEqual(all(live.slack))
    }
    expect(live.slack.requests()['conversations.replies']).toBe(before)
  })

  it('a round that is interrupted after each page finds everything that was deleted before it', async () => {
    await using live = await open(objects)
    for (const index of [1, 9, 21, 33]) live.slack.remove(live.ts(live.rootsOf('room-1'), index))
    for (const index of [0, 4, 7]) live.slack.remove(live.ts(live.repliesOf(live.ts(live.rootsOf('room-1'), 7)), index))
    for (let page = 0; page < 60; page += 1) await live.store.read(live.context, 1)
    await live.store.read(live.context)
    await live.store.read(live.context)
    expect(live.store.ids()).toEqual(all(live.slack))
  })
})

it('an emptied channel has nothing', async () => {
  await using slack = await openSlack()
  const only = slack.post({ channel: 'room', author: 'Ann', text: 'the only one' })
  const context = await signedIn(slack)
  const store = createStore()
  await store.read(context)
  expect(store.ids()).toHaveLength(1)
  slack.remove(only)
  await store.read(context)
  expect(store.ids()).toEqual([])
})

it('a message whose text was removed is no longer feedback', async () => {
  await using slack = await openSlack()
  const ts = slack.post({ channel: 'room', author: 'Ann', text: 'see the picture', subtype: 'file_share' })
  slack.post({ channel: 'room', author: 'Ann', text: 'another' })
  const context = await signedIn(slack)
  const store = createStore()
  await store.read(context)
  slack.edit(ts, ' ')
  await store.read(context)
  expect(store.ids()).toHaveLength(1)
})

it('where Slack allows small pages only, a deletion of the last 30 days is found within a day', async () => {
  let time = Date.now()
  const now = () => new Date(time)
  await using slack = await openSlack({ company: madeUp({ channels: 1, roots: 100, nth: 10, replies: 1 }), now })
  slack.limit({ perMinute: null, objects: 15 })
  const context = await signedIn(slack, { now })
  const store = createStore()
  await store.read(context)
  const roots = slack.workspace.messages(slack.workspace.room('room-1').id).filter(({ root }) => root === null)
  slack.remove(roots[95]?.ts ?? '')
  slack.remove(roots[5]?.ts ?? '')
  time += DAY_MS + 1000
  await store.read(context)
  const [, channel] = store.ids()[0]?.split(':') ?? []
  const idOf = (index: number) => `${slack.teamId}:${channel}:${roots[index]?.ts}`
  expect(store.ids()).not.toContain(idOf(95))
  expect(store.ids()).toContain(idOf(5))
})

describe('messages that Slack does not show', () => {
  const message = (second: number) => ({ ts: `177200000${second}.000000`, text: `text ${second}`, user: 'U1' })

  async function twoRounds(first: object, second: object) {
    let history = first
    await using server = await startServer(({ url }, response) => {
      const answers: Record<string, object> = {
        '/api/conversations.list': { channels: [{ id: 'C1', name: 'feedback', is_member: true }] },
        '/api/conversations.history': history,
        '/api/users.list': { members: [{ id: 'U1', real_name: 'Ann' }] },
      }
      response.end(JSON.stringify({ ok: true, ...answers[new URL(url, 'http://slack').pathname] }))
    })
    await using slack = await openSlack()
    const context = { ...(await signedIn(slack)), baseUrl: server.url }
    const store = createStore()
    await store.read(context)
    history = second
    await store.read(context)
    return store.ids().map((id) => id.split(':')[2])
  }

  it('because its plan hides them stay', async () => {
    const kept = await twoRounds(
      { messages: [message(9), message(5), message(1)] },
      { messages: [message(9)], is_limited: true },
    )
    expect(kept).toEqual([message(1).ts, message(5).ts, message(9).ts])
  })

  it('because its pages do not come to an end stay', async () => {
    const kept = await twoRounds(
      { messages: [message(9), message(5), message(1)] },
      { messages: [message(9)], has_more: true, response_metadata: { next_cursor: 'x' } },
    )
    expect(kept).toEqual([message(1).ts, message(5).ts, message(9).ts])
  })

  it('and that it no longer has are removed', async () => {
    const kept = await twoRounds(
      { messages: [message(9), message(5), message(1)] },
      { messages: [message(9), message(1)] },
    )
    expect(kept).toEqual([message(1).ts, message(9).ts])
  })

  it('of the same moment as the edge of a page stay', async () => {
    const twin = { ...message(5), ts: '1772000005.000100' }
    const kept = await twoRounds(
      { messages: [message(9), twin, message(5), message(1)] },
      { messages: [message(9), twin], is_limited: true },
    )
    expect(kept).toContain(message(5).ts)
  })
})

it('remembers the replies of the newest hundred threads only, so that the cursor stays small', async () => {
  await using slack = await openSlack({ company: madeUp({ channels: 1, roots: 300, nth: 1, replies: 1, every: 60 }) })
  const store = createStore()
  await store.read(await signedIn(slack))
  const { channels } = store.cursor() as { channels: Record<string, { counts: Record<string, number> }> }
  const counts = Object.keys(Object.values(channels)[0]?.counts ?? {})
  expect(counts).toHaveLength(100)
  const roots = slack.workspace.messages(slack.workspace.room('room-1').id).filter(({ root }) => root === null)
  expect(counts.toSorted()).toEqual(roots.slice(-100).map(({ ts }) => ts))
})
