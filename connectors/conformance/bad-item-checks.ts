import { expect } from 'vitest'
import type { Context, HttpResponse } from '../connector.ts'
import { createPageStore } from '../kit/page-store.ts'
import {
  changing,
  type Found,
  fieldsOf,
  idsWithout,
  keyOf,
  mentions,
  type Nulled,
  nulling,
  pullToEnd,
  type Rounds,
  recording,
  threadsWith,
  wordsOf,
} from './bad-items.ts'
import type { Check } from './check.ts'
import { contextOf, type SourceSubject } from './source-run.ts'

const DAYS_MS = 3 * 86_400_000
/** The most threads that have a null at a time: the others have to be read. */
const AT_ONCE = 8

const answers: Record<string, (response: HttpResponse) => HttpResponse> = {
  500: (response) => ({ ...response, status: 500, body: 'Internal Server Error' }),
  400: (response) => ({ ...response, status: 400, body: '{}' }),
  403: (response) => ({ ...response, status: 403, body: '{}' }),
  'another form': (response) => ({ ...response, body: '{"customer words":1}' }),
}

const inDays = (context: Context): Context => ({ ...context, now: () => new Date(Date.now() + DAYS_MS) })

/** What a whole pull reads, and asks for. */
async function readAll(subject: SourceSubject, context: Context) {
  const { http, found, requests } = recording(context.http)
  const { store, aside, isAtEnd } = await pullToEnd(subject, { ...context, http }, 1)
  expect({ isAtEnd, aside }).toEqual({ isAtEnd: true, aside: { items: [], more: 0 } })
  return { store, found, requests }
}

/** The tile names the one item that was set aside, also after the next try. */
async function shows(subject: SourceSubject, context: Context, { store, aside }: Rounds): Promise<void> {
  expect(aside).toEqual({
    items: [
      {
        noun: expect.stringMatching(/^[a-z]{3,}$/) as string,
        label: expect.stringMatching(/./) as string,
        link: expect.stringMatching(/^https:\/\//) as string,
        reason: expect.stringMatching(/./) as string,
      },
    ],
    more: 0,
  })
  const later = await pullToEnd(subject, inDays(context), 1, store)
  const { label } = aside.items[0] ?? {}
  expect(later).toMatchObject({ isAtEnd: true, aside: { items: [{ label }], more: 0 } })
  expect(later.aside.items).toHaveLength(1)
}

const skipsNoItem = (fault: string): Check<SourceSubject> => ({
  name: `and sets aside an item whose requests always get ${fault}, reads all others, and reads it once they succeed`,
  run: async (subject) => {
    await using standIn = await subject.open()
    const { context, hidden, log } = await contextOf(subject.connector, standIn)
    const { store: all, requests } = await readAll(subject, context)
    const threads = [...new Set([...all.items.values()].map(({ externalId, thread }) => thread ?? externalId))]
    const own = threads.filter((thread) => requests.some((request) => mentions(wordsOf(request), keyOf(thread))))
    const thread = own[Math.floor(own.length / 2)]
    if (thread === undefined) return 'it reads no item by a request of its own'
    const http = changing(context.http, (request, response) =>
      mentions(wordsOf(request), keyOf(thread)) ? (answers[fault]?.(response) ?? response) : response,
    )
    const first = await pullToEnd(subject, { ...context, http }, 10)
    expect(first.isAtEnd).toBe(true)
    const others = idsWithout(all, [thread])
    expect([...first.store.items.keys()]).toEqual(expect.arrayContaining(others))
    // A source may say so in its own words: then it tries again in each round.
    const saysItself = ['400', '403'].includes(fault) && first.incomplete !== null
    if (!saysItself) await shows(subject, { ...context, http }, first)
    const output = [JSON.stringify(first.aside), ...log.lines].join()
    for (const word of hidden()) expect(output).not.toContain(word)
    const longAfter = { ...context, now: () => new Date(Date.now() + 2 * DAYS_MS) }
    const mended = await pullToEnd(subject, longAfter, 1, first.store)
    expect(mended).toMatchObject({ isAtEnd: true, aside: { items: [], more: 0 } })
    expect([...first.store.items.keys()].toSorted()).toEqual([...all.items.keys()].toSorted())
  },
})

/** Fields that decide whether something is feedback at all: without them, or what they are in, there may be nothing to read. */
const TEXT = /^(?:text|body|html_body|plain_body|content)$/
const ID = /^(?:id|ts)$/
const KIND = /^(?:public|type|part_type|messageType|contentType|deleted)$/

/** Every field of every object in the responses, each of an item of its own, in groups with few threads each. */
function nullsOf(found: readonly Found[], threadsOf: (id: string) => string[]): Nulled[][] {
  const groups: { nulls: Nulled[]; threads: Set<string>; ids: Set<string> }[] = []
  const fields = new Map<string, { field: string[]; owners: Map<string, Found> }>()
  for (const one of found) {
    const isItem = threadsOf(one.id).length === 1
    for (const field of fieldsOf(one.value)) {
      // Without the id of a container, such as a channel, a round stops: the container cannot be read, and nothing says what is lost.
      if (!isItem && ID.test(field.join('.'))) continue
      const key = `${one.call} ${one.where} ${field.join('.')}`
      const known = fields.get(key) ?? { field, owners: new Map<string, Found>() }
      known.owners.set(one.id, one)
      fields.set(key, known)
    }
  }
  for (const { field, owners } of fields.values()) {
    const all = [...owners.values()]
    const items = all.filter(({ id }) => threadsOf(id).length > 0)
    const group = groups.find(({ threads, ids }) =>
      (items.length > 0 ? items : all).some(
        ({ id }) => !ids.has(id) && threads.size < AT_ONCE && threadsOf(id).every((thread) => !threads.has(thread)),
      ),
    ) ?? { nulls: [], threads: new Set<string>(), ids: new Set<string>() }
    const victim =
      (items.length > 0 ? items : all).find(
        ({ id }) => !group.ids.has(id) && threadsOf(id).every((thread) => !group.threads.has(thread)),
      ) ?? all[0]
    if (!victim) continue
    if (!groups.includes(group)) groups.push(group)
    const { call, where, id, value } = victim
    const inside = fieldsOf(value).filter(
      (one) => one.length > field.length && field.every((key, at) => one[at] === key),
    )
    const leaf = field.at(-1) ?? ''
    const silent = TEXT.test(leaf) || KIND.test(leaf) || inside.some((one) => TEXT.test(one.at(-1) ?? ''))
    group.nulls.push({ call, where, id, field, silent })
    group.ids.add(id)
    for (const thread of threadsOf(id)) group.threads.add(thread)
  }
  return groups.map(({ nulls }) => nulls)
}

/** What a connector that pulls does with single items that it cannot read. */
export const badItemChecks: readonly Check<SourceSubject>[] = [
  ...Object.keys(answers).map(skipsNoItem),
  {
    name: 'and sets aside an item with an unexpected null in any field of it, and reads all others',
    run: async (subject) => {
      await using standIn = await subject.open()
      const { context, hidden } = await contextOf(subject.connector, standIn)
      const { store: all, found } = await readAll(subject, context)
      const threadsOf = (id: string) => threadsWith(all, id)
      for (const nulls of nullsOf(found, threadsOf)) {
        const what = nulls.map(({ call, where, field }) => `${call}${where}.${field.join('.')}`).join('\n')
        const http = nulling(context.http, nulls)
        const fresh = await contextOf(subject.connector, standIn)
        const { store, aside, incomplete, isAtEnd, failures } = await pullToEnd(subject, { ...fresh.context, http }, 40)
        expect(isAtEnd, `${String(failures.at(-1))}\n${what}`).toBe(true)
        const bad = nulls.flatMap(({ id }) => threadsOf(id))
        expect([...store.items.keys()], `${what}`).toEqual(expect.arrayContaining(idsWithout(all, bad)))
        if (failures.length > 0) expect(aside.items, `${String(failures[0])}\n${what}`).not.toEqual([])
        for (const { id, field, silent } of nulls) {
          if (silent) continue
          const lost = threadsOf(id).filter(
            (thread) => idsWithout(all, [thread]).length + count(store, thread) < all.items.size,
          )
          if (lost.length > 0 && incomplete === null)
            expect(aside.items, `${field.join('.')} of\n${what}`).not.toEqual([])
        }
        for (const word of hidden()) expect(JSON.stringify(aside)).not.toContain(word)
      }
    },
  },
  {
    name: 'and sets nothing aside while the whole provider is out of order',
    run: async (subject) => {
      await using standIn = await subject.open()
      const { context } = await contextOf(subject.connector, standIn)
      const { store: all, requests } = await readAll(subject, context)
      const half = Math.floor(requests.length / 2)
      const store = createPageStore()
      let asked = 0
      const http = changing(context.http, (_, response) => {
        asked += 1
        return asked > half ? { ...response, status: 500, body: '' } : response
      })
      const fresh = (await contextOf(subject.connector, standIn)).context
      const down = await pullToEnd(subject, { ...fresh, http }, 12, store)
      expect(down).toMatchObject({ isAtEnd: false, aside: { items: [], more: 0 } })
      expect(down.failures).toHaveLength(12)
      const up = await pullToEnd(subject, fresh, 1, store)
      expect(up).toMatchObject({ isAtEnd: true, aside: { items: [], more: 0 } })
      expect([...store.items.keys()].toSorted()).toEqual([...all.items.keys()].toSorted())
    },
  },
]

const count = (store: ReturnType<typeof createPageStore>, thread: string) =>
  [...store.items.values()].filter((item) => (item.thread ?? item.externalId) === thread).length
