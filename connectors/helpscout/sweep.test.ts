import { describe, expect, it } from 'vitest'
import type { HelpScoutSandbox } from '../sandbox/helpscout/control.ts'
import type { State } from './cursor.ts'
import { pull } from './pull.ts'
import { drain, fill, inFront, madeUp, many, openHelpScout, signedIn } from './testing.ts'

const HOUR_MS = 3_600_000

/** A connected account with one finished round, and a clock of this machine that can be moved forward. */
async function open(count: number) {
  const sandbox = await openHelpScout()
  const ids = fill(sandbox, many(count))
  let time = Date.now()
  const context = await signedIn(sandbox, { now: () => new Date(time) })
  // The time of the first sweep is counted from the second round.
  const { cursor } = await drain(context, (await drain(context)).cursor)
  return {
    sandbox,
    ids,
    context,
    cursor,
    later: (hours: number) => {
      time += hours * HOUR_MS
    },
    /** Deletes it without an event. Lists no longer show it. */
    drop: (index: number) => Object.assign(sandbox.account.conversation(ids[index] ?? 0), { state: 'deleted' }),
    [Symbol.asyncDispose]: () => sandbox.stop(),
  }
}

/** Names of the calls since the start of `work`. */
async function callsOf(sandbox: HelpScoutSandbox, work: () => Promise<unknown>): Promise<string[]> {
  const before = sandbox.calls().length
  await work()
  return sandbox
    .calls()
    .slice(before)
    .map(({ name }) => name)
}

describe('a conversation that was deleted without an event', () => {
  it('is removed within a day, with one request for it and one for each page of the list', async () => {
    await using account = await open(60)
    account.drop(3)
    account.drop(50)
    account.later(23)
    const same = await drain(account.context, account.cursor)
    expect(same).toMatchObject({ deletedThreads: [], pages: 1 })
    account.later(2)
    let round = same
    const calls = await callsOf(account.sandbox, async () => {
      round = await drain(account.context, same.cursor)
    })
    expect(round.deletedThreads.toSorted()).toEqual([String(account.ids[3]), String(account.ids[50])].toSorted())
    expect(round.items).toEqual([])
    const lists = ['conversations', 'conversations', 'conversations']
    expect(calls).toEqual([...lists, 'conversation', 'conversation', 'conversations'])
    expect(await callsOf(account.sandbox, () => drain(account.context, round.cursor))).toEqual(['conversations'])
  })

  it('is read again when it is restored, even with the same dates', async () => {
    await using account = await open(3)
    const dropped = account.drop(1)
    account.later(25)
    const { cursor } = await drain(account.context, account.cursor)
    dropped.state = 'published'
    dropped.modified = Date.now()
    const { items } = await drain(account.context, cursor)
    expect(items.map(({ thread }) => thread)).toEqual([String(account.ids[1])])
  })

  it('is removed once, also when the sweep is interrupted after each request', async () => {
    await using account = await open(60)
    for (const index of [0, 30, 59]) account.drop(index)
    account.later(25)
    const removed: string[] = []
    let cursor: State | null = account.cursor
    for (let done = false; !done; ) {
      done = true
      for await (const page of pull(account.context, JSON.parse(JSON.stringify(cursor)))) {
        removed.push(...(page.deletedThreads ?? []))
        cursor = page.cursor
        done = page.cursor.sweep === null
        break
      }
    }
    const expected = [0, 30, 59].map((index) => String(account.ids[index]))
    expect(removed.toSorted()).toEqual(expected.toSorted())
  })

  it('is removed too where Help Scout lists it as deleted, and only once', async () => {
    await using account = await open(3)
    account.later(25)
    await using server = await inFront(account.sandbox.url, (path, body) => {
      const { conversations = [] } = (body._embedded ?? {}) as { conversations?: { id: number }[] }
      const changed = conversations.map((one) => (one.id === account.ids[0] ? { ...one, state: 'deleted' } : one))
      return path.includes('sortOrder=desc') ? { ...body, _embedded: { conversations: changed } } : null
    })
    const context = { ...account.context, baseUrl: server.url }
    const first = await drain(context, account.cursor)
    expect(first.deletedThreads).toEqual([String(account.ids[0])])
    account.later(25)
    expect((await drain(context, first.cursor)).deletedThreads).toEqual([])
  })
})

describe('a sweep removes nothing', () => {
  it('that a list lacks by mistake', async () => {
    await using account = await open(30)
    account.later(25)
    await using server = await inFront(account.sandbox.url, (path, body) =>
      path.includes('sortOrder=desc')
        ? { page: { size: 25, totalElements: 0, totalPages: 0, number: 1 }, _links: {} }
        : body,
    )
    const round = await drain({ ...account.context, baseUrl: server.url }, account.cursor)
    expect(round.deletedThreads).toEqual([])
    expect(account.sandbox.calls().filter(({ name }) => name === 'conversation')).toHaveLength(30)
  })

  it('that may no longer be read, or is in an inbox that is not chosen', async () => {
    await using sandbox = await openHelpScout()
    const [first = 0, second = 0] = fill(sandbox, many(3))
    let time = Date.now()
    const inboxes = [String(sandbox.account.inboxes[0]?.id)]
    const context = await signedIn(sandbox, { settings: { inboxes }, now: () => new Date(time) })
    const { cursor } = await drain(context, (await drain(context)).cursor)
    sandbox.move(first, 'Billing')
    sandbox.move(second, 'Billing')
    time += 25 * HOUR_MS
    await using server = await inFront(sandbox.url, () => null, { [`/conversations/${second}`]: 403 })
    const round = await drain({ ...context, baseUrl: server.url }, cursor)
    expect(round).toMatchObject({ deletedThreads: [], items: [] })
    expect(server.seen.filter(({ url }) => /conversations\/\d+$/.test(url))).toHaveLength(2)
  })

  it('and repeats its request after an outage', async () => {
    await using account = await open(3)
    account.drop(1)
    account.later(25)
    account.sandbox.fault('500', 1, 'conversation')
    const pages = pull(account.context, account.cursor)
    await pages.next()
    // The try is counted before the round stops.
    const { value } = await pages.next()
    expect(value).toMatchObject({ items: [], deletedThreads: [], setAside: { items: [] } })
    await expect(pages.next()).rejects.toMatchObject({ kind: 'unavailable' })
    const round = await drain(account.context, value?.cursor)
    expect(round.deletedThreads).toEqual([String(account.ids[1])])
  })
})

it('of more conversations than are remembered is about the latest ones', async () => {
  await using account = await open(1200)
  expect(account.cursor?.before.length).toBe(400)
  account.later(25)
  const calls = await callsOf(account.sandbox, () => drain(account.context, account.cursor))
  expect(calls).toEqual(Array.from({ length: 17 }, () => 'conversations'))
})

it('after a merge without an event removes the old conversation', async () => {
  await using sandbox = await openHelpScout()
  const [old = 0, target = 0] = fill(sandbox, [madeUp('old', 2), madeUp('target', 1)])
  let time = Date.now()
  const context = await signedIn(sandbox, { now: () => new Date(time) })
  const { cursor } = await drain(context, (await drain(context)).cursor)
  sandbox.account.conversation(old).mergedInto = target
  time += 25 * HOUR_MS
  expect((await drain(context, cursor)).deletedThreads).toEqual([String(old)])
})
