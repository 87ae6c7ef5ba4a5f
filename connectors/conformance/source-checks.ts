import { safeLink } from '@groundswell/contract/values/web-address.ts'
import { expect } from 'vitest'
import type { Page, SyncProgress } from '../connector.ts'
import { createPageStore } from '../kit/page-store.ts'
import { failureFrom } from '../kit/testing.ts'
import { badItemChecks } from './bad-item-checks.ts'
import type { Check } from './check.ts'
import { eventChecks } from './event-checks.ts'
import { sourceFaultChecks } from './source-fault-checks.ts'
import { contextOf, pullOf, run, type SourceSubject } from './source-run.ts'

/** The same numbers on every run. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

const pullChecks: readonly Check<SourceSubject>[] = [
  {
    name: 'every item once, in short pages',
    run: async ({ connector, open }) => {
      await using standIn = await open()
      const { context } = await contextOf(connector, standIn)
      const store = createPageStore()
      const sizes: number[] = []
      for await (const page of pullOf(connector, context, null)) {
        sizes.push(page.items.length)
        store.commit(page)
      }
      expect([...store.items.keys()].toSorted()).toEqual(standIn.ids().toSorted())
      expect([...store.times.values()].every((count) => count === 1)).toBe(true)
      expect(sizes.length).toBeGreaterThan(5)
      for (const item of store.items.values()) {
        expect(item.text).not.toBe('')
        expect(item.at.getTime()).toBeGreaterThan(0)
        expect(safeLink(item.link)).toBe(item.link)
      }
    },
  },
  {
    name: 'and says how far its first round is, where the provider counts: never more than there is, and nothing after it',
    run: async ({ connector, open }) => {
      if (!connector.progress) return 'its provider does not count what there is to read'
      await using standIn = await open()
      const { context } = await contextOf(connector, standIn)
      const store = createPageStore()
      const seen: (SyncProgress | null)[] = []
      for await (const page of pullOf(connector, context, null)) {
        store.commit(page)
        seen.push(connector.progress(store.cursor()))
      }
      const told = seen.filter((one) => one !== null)
      const [first] = told
      expect(told.length).toBeGreaterThan(seen.length / 2)
      expect(first?.noun).toMatch(/^[a-z]{3,}$/)
      expect(told.map(({ noun, total }) => ({ noun, total }))).toEqual(
        told.map(() => ({ noun: first?.noun, total: first?.total })),
      )
      expect(told.map(({ read }) => read)).toEqual(told.map(({ read }) => read).toSorted((a, b) => a - b))
      // Every thread of the items is of one of them.
      const threads = new Set([...store.items.values()].map(({ thread }) => thread))
      expect(first?.total).toBe(threads.size)
      expect(told.at(-1)?.read).toBe(first?.total)
      expect(connector.progress(null)).toBeNull()
      let pages = 0
      for await (const page of pullOf(connector, context, store.cursor())) {
        store.commit(page)
        pages += 1
        expect(connector.progress(store.cursor())).toBeNull()
      }
      expect(pages).toBeGreaterThan(0)
    },
  },
  {
    name: 'from every cursor, after a round trip through a database',
    run: async ({ connector, open }) => {
      await using standIn = await open()
      const { context } = await contextOf(connector, standIn)
      const pages: Page<unknown>[] = []
      for await (const page of pullOf(connector, context, null)) pages.push(page)
      for (let kept = 1; kept < pages.length; kept += 3) {
        const store = createPageStore()
        for (const page of pages.slice(0, kept)) store.commit(page)
        expect(connector.cursor?.safeParse(store.cursor()).success).toBe(true)
        await run(connector, context, store)
        expect([...store.items.keys()].toSorted()).toEqual(standIn.ids().toSorted())
        expect(Math.max(...store.times.values())).toBe(1)
      }
    },
  },
  {
    name: 'the same set whatever interrupts it: killed at 30 random moments',
    run: async ({ connector, open }) => {
      await using standIn = await open()
      const { context } = await contextOf(connector, standIn)
      const random = randomOf(7)
      const store = createPageStore()
      for (let kill = 0; kill < 30; kill += 1) await run(connector, context, store, Math.floor(random() * 3))
      while (!(await run(connector, context, store)));
      expect([...store.items.keys()].toSorted()).toEqual(standIn.ids().toSorted())
      expect(Math.max(...store.times.values())).toBe(1)
    },
  },
  {
    name: 'only new items the next time',
    run: async ({ connector, open }) => {
      await using standIn = await open()
      const { context } = await contextOf(connector, standIn)
      const store = createPageStore()
      await run(connector, context, store)
      const id = standIn.add()
      const before = store.items.size
      await run(connector, context, store)
      expect(store.items.size).toBe(before + 1)
      expect(store.items.has(id)).toBe(true)
      expect(Math.max(...store.times.values())).toBe(1)
    },
  },
  {
    name: 'and removes what was deleted at the provider without an event, even when it is interrupted',
    run: async ({ connector, open }) => {
      await using standIn = await open()
      const remove = standIn.remove
      if (!remove) return 'its syncs do not find deletions'
      const { context } = await contextOf(connector, standIn)
      const store = createPageStore()
      await run(connector, context, store)
      const ids = standIn.ids().toSorted()
      for (const part of [0, 0.3, 0.7, 1]) remove(ids[Math.floor(part * (ids.length - 1))] ?? '')
      expect(standIn.ids()).toHaveLength(ids.length - 4)
      await run(connector, context, store, 2)
      await run(connector, context, store)
      await run(connector, context, store)
      expect([...store.items.keys()].toSorted()).toEqual(standIn.ids().toSorted())
    },
  },
  {
    name: 'with the words of agents as context only',
    run: async ({ connector, open }) => {
      await using standIn = await open()
      if (!standIn.agents) return 'its stand-in does not say who is an agent'
      const { context } = await contextOf(connector, standIn)
      const store = createPageStore()
      await run(connector, context, store)
      const byAgents = [...store.items.values()].filter(({ role }) => role === 'agent')
      expect(standIn.agents().length).toBeGreaterThan(0)
      expect(byAgents.map(({ externalId }) => externalId).toSorted()).toEqual(standIn.agents().toSorted())
    },
  },
  {
    name: 'what was edited, with the time of the edit as its version',
    run: async ({ connector, open }) => {
      await using standIn = await open()
      if (!standIn.edit) return 'its syncs do not find edits, or its stand-in cannot edit'
      const { context } = await contextOf(connector, standIn)
      const store = createPageStore()
      await run(connector, context, store)
      const [id = ''] = standIn.ids()
      const text = standIn.edit(id)
      await run(connector, context, store)
      const item = store.items.get(id)
      expect(item?.text).toBe(text)
      const edited = (item?.version ?? 0) / 1000
      expect(edited).toBeGreaterThan(item?.at.getTime() ?? 0)
      expect(edited).toBeLessThanOrEqual(Date.now())
      expect([...store.items.keys()].toSorted()).toEqual(standIn.ids().toSorted())
    },
  },
  {
    name: 'without a secret or customer text in its log',
    run: async ({ connector, open }) => {
      await using standIn = await open()
      const { context, log, hidden } = await contextOf(connector, standIn)
      const store = createPageStore()
      await run(connector, context, store)
      expect(store.items.size).toBeGreaterThan(0)
      const output = log.lines.join()
      for (const word of hidden()) expect(output).not.toContain(word)
    },
  },
  {
    name: 'and stops when the signal is aborted',
    run: async ({ connector, open }) => {
      await using standIn = await open()
      const { context } = await contextOf(connector, standIn)
      const stop = new AbortController()
      const pages = pullOf(connector, { ...context, signal: stop.signal }, null)
      await pages.next()
      stop.abort()
      expect(await failureFrom(pages.next())).toMatchObject({ kind: 'unavailable' })
    },
  },
]

/** Every check of a connector that pulls. */
export const sourceChecks: readonly Check<SourceSubject>[] = [
  ...pullChecks,
  ...sourceFaultChecks,
  ...badItemChecks,
  ...eventChecks,
]
