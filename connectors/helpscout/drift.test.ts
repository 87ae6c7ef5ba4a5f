import { describe, expect, it } from 'vitest'
import type { HelpScoutSandbox } from '../sandbox/helpscout/control.ts'
import { pull } from './pull.ts'
import { drain, fill, idsOf, inFront, madeUp, many, openHelpScout, signedIn } from './testing.ts'

const lists = (sandbox: HelpScoutSandbox) => sandbox.calls().filter(({ name }) => name === 'conversations')
const threadRequests = (sandbox: HelpScoutSandbox) => sandbox.calls().filter(({ name }) => name === 'threads')
const ids = (items: readonly { externalId: string }[]) => new Set(items.map(({ externalId }) => externalId))

/** What should have been read and was not. */
const lacking = (sandbox: HelpScoutSandbox, items: readonly { externalId: string }[]) => {
  const got = ids(items)
  return idsOf(sandbox).filter((id) => !got.has(id))
}

describe('pages that drift', () => {
  it('are read from the last to the first, then again from the latest change', async () => {
    await using sandbox = await openHelpScout()
    fill(sandbox, many(60))
    await drain(await signedIn(sandbox))
    const [first, ...rest] = lists(sandbox).map(({ query }) => query)
    expect([first, ...rest].map((query) => query?.page)).toEqual(['1', '3', '2', '1', '1'])
    expect(new Set(rest.slice(0, 3).map((query) => query.modifiedSince))).toEqual(new Set([first?.modifiedSince]))
    const latest = Math.max(...[...sandbox.account.conversations.values()].map(({ userUpdated }) => userUpdated))
    const overlap = Math.floor(latest / 1000) - Date.parse(rest[3]?.modifiedSince ?? '') / 1000
    expect(overlap).toBe(300)
  })

  it('lose nothing when conversations change between two pages', async () => {
    await using sandbox = await openHelpScout()
    const all = fill(sandbox, many(120))
    const context = await signedIn(sandbox)
    let turn = 0
    sandbox.afterList(() => {
      turn += 1
      // One of each page moves to the end: those behind it move to lower numbers.
      if (turn < 5)
        for (const page of [0, 1, 2, 3]) sandbox.account.change(all[page * 25 + turn] ?? 0, { status: 'closed' })
    })
    const { items, incomplete } = await drain(context)
    expect(turn).toBeGreaterThan(5)
    expect(lacking(sandbox, items)).toEqual([])
    expect(incomplete).toBeNull()
  })

  it('lose nothing when conversations are deleted between two pages', async () => {
    await using sandbox = await openHelpScout()
    const all = fill(sandbox, many(120))
    const context = await signedIn(sandbox)
    let turn = 0
    sandbox.afterList(() => {
      turn += 1
      if (turn < 5) for (const page of [0, 1, 2, 3]) sandbox.remove(all[page * 25 + turn] ?? 0)
    })
    const { items, incomplete } = await drain(context)
    expect(lacking(sandbox, items)).toEqual([])
    expect(incomplete).toBeNull()
  })

  it('lose nothing when half of the account changes between two pages', async () => {
    await using sandbox = await openHelpScout()
    const all = fill(sandbox, many(100))
    const context = await signedIn(sandbox)
    let turn = 0
    sandbox.afterList(() => {
      turn += 1
      if (turn === 2) for (const id of all.slice(0, 50)) sandbox.account.change(id, { tags: ['moved'] })
    })
    const { items, incomplete } = await drain(context)
    expect(lacking(sandbox, items)).toEqual([])
    expect(incomplete).toBeNull()
  })

  it('yield what is new meanwhile in the same round, and the reply that came after its conversation was read', async () => {
    await using sandbox = await openHelpScout()
    const all = fill(sandbox, many(30))
    const context = await signedIn(sandbox)
    let late: number | null = null
    let reply = 0
    sandbox.afterList(() => {
      if (lists(sandbox).length !== 3) return
      late ??= sandbox.open(madeUp('late', 1))
      reply = sandbox.write(all.at(-1) ?? 0, { author: 'Person', text: 'meanwhile' })
    })
    const { items } = await drain(context)
    expect(items.map(({ thread }) => thread)).toContain(String(late))
    expect([...ids(items)]).toContain(`${all.at(-1)}:${reply}`)
    expect(lacking(sandbox, items)).toEqual([])
  })

  it('that keep changing do not keep a round from ending, and the next round reads the rest', async () => {
    await using sandbox = await openHelpScout()
    const [id = 0] = fill(sandbox, many(3))
    const context = await signedIn(sandbox)
    let turn = 0
    sandbox.afterList(() => {
      turn += 1
      sandbox.write(id, { author: 'Agent Ash', as: 'user', text: `reply ${turn}` })
    })
    const first = await drain(context)
    expect(lists(sandbox)).toHaveLength(5)
    sandbox.afterList(null)
    const second = await drain(context, first.cursor)
    expect(lacking(sandbox, [...first.items, ...second.items])).toEqual([])
  })
})

describe('the watermark', () => {
  it('is Help Scout’s own time, whatever the clock of this machine says', async () => {
    await using sandbox = await openHelpScout()
    fill(sandbox, many(3))
    const context = await signedIn(sandbox, { now: () => new Date(Date.now() + 40 * 86_400_000) })
    const { cursor } = await drain(context)
    const late = sandbox.open(madeUp('late', 1))
    expect((await drain(context, cursor)).items.map(({ thread }) => thread)).toEqual([String(late)])
  })

  it('is never in the future: one conversation with a wrong date does not hide the others', async () => {
    await using sandbox = await openHelpScout()
    sandbox.open({ ...madeUp('from the future', 1), at: Date.now() + 86_400_000 })
    const context = await signedIn(sandbox)
    const { cursor } = await drain(context)
    const late = sandbox.open(madeUp('late', 1))
    expect((await drain(context, cursor)).items.map(({ thread }) => thread)).toEqual([String(late)])
  })

  it('overlaps by five minutes, in which nothing is read twice', async () => {
    await using sandbox = await openHelpScout()
    const second = Math.floor(Date.now() / 1000) * 1000
    for (const name of ['a', 'b', 'c']) sandbox.open({ ...madeUp(name, 1), at: second })
    const context = await signedIn(sandbox)
    const first = await drain(context)
    expect(first.items).toHaveLength(3)
    // Of the same second, and listed later.
    const same = sandbox.open({ ...madeUp('same second', 1), at: second })
    const slow = sandbox.open({ ...madeUp('four minutes late', 1), at: second - 240_000 })
    const threads = (await drain(context, first.cursor)).items.map(({ thread }) => thread ?? '')
    expect(threads.toSorted()).toEqual([String(same), String(slow)].toSorted())
    expect(threadRequests(sandbox)).toHaveLength(5)
  })
})

describe('threads that drift', () => {
  it('lose nothing when one is added or removed between two pages', async () => {
    for (const change of ['add', 'remove']) {
      await using sandbox = await openHelpScout()
      const [id = 0] = fill(sandbox, [madeUp('long', 120)])
      const context = await signedIn(sandbox)
      const pages = pull(context, null)
      await pages.next()
      const seen = [...((await pages.next()).value?.items ?? [])]
      if (change === 'add') sandbox.account.write(id, { author: 'Person long', text: 'one more' })
      else sandbox.account.conversation(id).threads.splice(-10, 5)
      // Up to the end of this conversation: the next pass would read it again.
      for (let page = await pages.next(); !page.done; page = await pages.next()) {
        seen.push(...page.value.items)
        if (page.value.cursor.queue.length === 0) break
      }
      expect(lacking(sandbox, seen)).toEqual([])
      expect(new Set(seen.map(({ externalId }) => externalId)).size).toBe(seen.length)
    }
  })

  it('that a page lacks are requested again immediately', async () => {
    await using sandbox = await openHelpScout()
    fill(sandbox, [madeUp('long', 60)])
    const context = await signedIn(sandbox)
    sandbox.fault('empty-page', 1, 'threads')
    const { items, incomplete } = await drain(context)
    expect(items).toHaveLength(60)
    expect(incomplete).toBeNull()
    expect(threadRequests(sandbox)).toHaveLength(3)
  })
})

it('a list that is empty by mistake is requested once more', async () => {
  await using sandbox = await openHelpScout()
  fill(sandbox, many(30))
  const context = await signedIn(sandbox)
  let turn = 0
  await using server = await inFront(sandbox.url, (path, body) => {
    turn += path.includes('/v2/conversations?') ? 1 : 0
    const nothing = { page: { size: 25, totalElements: 0, totalPages: 0, number: 1 }, _links: {} }
    return turn === 2 && path.includes('/v2/conversations?') ? nothing : body
  })
  const { items, incomplete } = await drain({ ...context, baseUrl: server.url })
  expect(items).toHaveLength(30)
  expect(incomplete).toBeNull()
})
