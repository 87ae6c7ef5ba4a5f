import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { AuthExpired, RateLimited, Rejected, Unavailable } from './errors.ts'
import { listed } from './listed.ts'
import {
  acceptWithout,
  attempt,
  attemptList,
  dueAgain,
  isAside,
  nothingAside,
  SetAside,
  setAside,
  shownAside,
  takeBack,
  type Unread,
} from './set-aside.ts'

const NOW = new Date('2026-03-02T10:00:00Z')
const later = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000)
const ticket = (id: number): Unread => ({
  id: String(id),
  noun: 'ticket',
  label: `#${id}`,
  link: `https://desk.example/${id}`,
})
const down = new Unavailable('Desk answered 500 to GET comments')
const refused = new Rejected('Desk answered 400 to GET comments')

/** Reads until it is set aside: the failures on the way, and how many pages were yielded before each. */
async function read(
  aside: SetAside,
  {
    fails,
    probe = async () => undefined,
    item = ticket(50),
    now = NOW,
  }: {
    fails: Error
    probe?: () => Promise<unknown>
    item?: Unread
    now?: Date
  },
) {
  const context = { now: () => now, signal: new AbortController().signal }
  let pages = 0
  try {
    const steps = attempt(context, { aside, item, probe, page: () => 'page' }, () => Promise.reject(fails))
    for (;;) {
      const step = await steps.next()
      if (step.done) return { result: step.value, pages }
      pages += 1
    }
  } catch (error) {
    return { thrown: error, pages }
  }
}

test('a link that is no address of a web page is not on the tile; the item is', () => {
  const aside = nothingAside()
  setAside(aside, { ...ticket(50), link: 'javascript:alert(1)' }, 'refused', NOW)
  setAside(aside, ticket(51), 'refused', NOW)
  expect(shownAside(aside).items.map(({ label, link }) => [label, link])).toEqual([
    ['#50', null],
    ['#51', 'https://desk.example/51'],
  ])
})

test('a label and a reason are shown without control characters', () => {
  const aside = nothingAside()
  setAside(aside, { ...ticket(50), label: '#5\u001b[2J0\r\n\u202etxt' }, 'Desk answered\n\u0007"x"', NOW)
  setAside(aside, { ...ticket(51), label: '\u0007\n' }, 'refused', NOW)
  expect(shownAside(aside).items.map(({ label, reason }) => [label, reason])).toEqual([
    ['#5[2J0 txt', 'Desk answered "x"'],
    ['51', 'refused'],
  ])
})

describe('an item that always fails', () => {
  test('is set aside at the third try, with its reason and link', async () => {
    const aside = nothingAside()
    expect(await read(aside, { fails: down })).toEqual({ thrown: down, pages: 1 })
    expect(await read(aside, { fails: down })).toEqual({ thrown: down, pages: 1 })
    expect(shownAside(aside)).toEqual({ items: [], more: 0 })
    expect(await read(aside, { fails: down })).toEqual({ result: null, pages: 0 })
    const shown = { noun: 'ticket', label: '#50', link: 'https://desk.example/50', reason: down.message }
    expect(shownAside(aside)).toEqual({ items: [shown], more: 0 })
  })

  test('is set aside at once where the provider refuses it', async () => {
    const aside = nothingAside()
    expect(await read(aside, { fails: refused })).toEqual({ result: null, pages: 0 })
    expect(shownAside(aside).items).toHaveLength(1)
  })

  test('is tried again later, with pauses that grow up to a day, until it was read', async () => {
    const aside = nothingAside()
    let now = NOW
    await read(aside, { fails: refused })
    const pauses: number[] = []
    for (let round = 0; round < 6; round += 1) {
      const minutes = [15, 60, 240, 720, 1440].find((pause) =>
        dueAgain(aside, new Date(now.getTime() + pause * 60_000)).includes('50'),
      )
      pauses.push(minutes ?? 0)
      expect(isAside(aside, '50', new Date(now.getTime() + (minutes ?? 0) * 60_000 - 1))).toBe(true)
      now = new Date(now.getTime() + (minutes ?? 0) * 60_000)
      expect(await read(aside, { fails: down, now })).toEqual({ result: null, pages: 0 })
    }
    expect(pauses).toEqual([15, 60, 240, 720, 1440, 1440])
    takeBack(aside, '50')
    expect(shownAside(aside)).toEqual({ items: [], more: 0 })
    expect(dueAgain(aside, later(1e6))).toEqual([])
  })
})

describe('nothing is set aside', () => {
  test.each([new AuthExpired('Connect again'), new RateLimited('Wait', { retryAfter: 7 })])(
    'where the failure is about the whole account: $name',
    async (fails) => {
      const aside = nothingAside()
      for (let round = 0; round < 5; round += 1)
        expect(await read(aside, { fails })).toEqual({ thrown: fails, pages: 0 })
      expect(aside).toEqual(nothingAside())
    },
  )

  test('while the provider is down', async () => {
    const aside = nothingAside()
    const probe = () => Promise.reject(new Unavailable('Desk is down'))
    for (const fails of [down, down, down, down, refused]) {
      expect(await read(aside, { fails, probe })).toMatchObject({ thrown: fails })
    }
    expect(shownAside(aside)).toEqual({ items: [], more: 0 })
  })

  test('where the sign-in has ended, which is what is reported', async () => {
    const ended = new AuthExpired('Connect again')
    const outcome = await read(nothingAside(), { fails: refused, probe: () => Promise.reject(ended) })
    expect(outcome).toEqual({ thrown: ended, pages: 0 })
  })

  test('beyond a hundred items that only lack a response, so that no outage of a part is mistaken for bad items', async () => {
    const aside = nothingAside()
    for (let id = 0; id < 100; id += 1) {
      for (let round = 0; round < 3; round += 1) await read(aside, { fails: down, item: ticket(id) })
    }
    for (let round = 0; round < 5; round += 1) {
      expect(await read(aside, { fails: down, item: ticket(500) })).toMatchObject({ thrown: down })
    }
    expect(shownAside(aside).items).toHaveLength(100)
    expect(aside.entries.length).toBeLessThanOrEqual(101)
  })
})

test('the list is bounded: refused items make room for others, which are counted', () => {
  const aside = nothingAside()
  for (let id = 0; id < 250; id += 1) setAside(aside, ticket(id), 'It may not be read', NOW)
  expect(shownAside(aside)).toMatchObject({ more: 150 })
  expect(shownAside(aside).items).toHaveLength(100)
  expect(dueAgain(aside, later(20))).toHaveLength(10)
})

test('an item without an id is never read again', () => {
  const aside = nothingAside()
  setAside(aside, { ...ticket(1), again: false }, 'It has no id', NOW)
  expect(dueAgain(aside, later(1e7))).toEqual([])
  expect(shownAside(aside).items).toHaveLength(1)
})

test('a stored list is read back; a cursor of an earlier version has none', () => {
  const State = z.object({ aside: SetAside })
  const aside = nothingAside()
  setAside(aside, ticket(50), 'It may not be read', NOW)
  expect(State.parse(JSON.parse(JSON.stringify({ aside })))).toEqual({ aside })
  const [a, b] = [State.parse({}), State.parse({})]
  setAside(a.aside, ticket(50), 'It may not be read', NOW)
  expect(b).toEqual({ aside: nothingAside() })
})

describe('a list with items that cannot be parsed', () => {
  const Ticket = z.object({ id: z.int(), updated_at: z.string() })
  const Page = z.object({ tickets: listed(Ticket) })
  const good = { id: 1, updated_at: '2026-03-02' }

  test('yields the others, and says where it is malformed without its values', () => {
    const { tickets } = Page.parse({ tickets: [good, { id: 50, updated_at: null }, 'words'] })
    expect(tickets.items).toEqual([good])
    expect(tickets.malformed.map(({ at }) => at)).toEqual(['1.updated_at', '2'])
  })

  const readPage = async (aside: SetAside, values: readonly unknown[]) => {
    const { items, malformed } = Page.parse({ tickets: values }).tickets
    const unread = malformed.map((_, index) => ticket(50 + index))
    let pages = 0
    try {
      const steps = attemptList({ now: () => NOW }, { aside, page: () => 'page' }, async () => {
        acceptWithout(aside, unread, { message: 'It is not as documented', read: items.length, now: NOW })
        return items
      })
      for (;;) {
        const step = await steps.next()
        if (step.done) return { items: step.value, pages }
        pages += 1
      }
    } catch (error) {
      return { thrown: (error as Error).message, pages }
    }
  }

  test('is accepted without them at the third try', async () => {
    const aside = nothingAside()
    const values = [good, { id: 50 }, { id: 51 }]
    for (let round = 0; round < 2; round += 1) {
      expect(await readPage(aside, values)).toEqual({ thrown: 'It is not as documented', pages: 1 })
    }
    expect(await readPage(aside, values)).toEqual({ items: [good], pages: 0 })
    expect(shownAside(aside).items.map(({ label }) => label)).toEqual(['#50', '#51'])
  })

  test('is never accepted where nothing of it can be read', async () => {
    const aside = nothingAside()
    for (let round = 0; round < 5; round += 1) {
      expect(await readPage(aside, [1, 2, 3, 4, 5, 6])).toEqual({ thrown: 'It is not as documented', pages: 0 })
    }
    expect(aside).toEqual(nothingAside())
  })
})
