import { describe, expect, it } from 'vitest'
import { templateSource } from './_template-source/index.ts'
import type { Connector, Context, Page } from './connector.ts'
import { connectors } from './index.ts'
import { createCache } from './kit/cache.ts'
import { ConnectorFailure, type FailureKind } from './kit/errors.ts'
import { createHttp } from './kit/http.ts'
import { createPageStore, type PageStore } from './kit/page-store.ts'
import type { SourceFault, SourceSample, SourceStandIn } from './kit/sample.ts'
import { failureFrom, recordingLog } from './kit/testing.ts'

const all: readonly Connector[] = [...connectors, templateSource]
const pulling = all.filter((connector) => connector.pull)

async function sampleOf(connector: Connector): Promise<SourceSample> {
  const path = new URL(`./${connector.manifest.id}/testing.ts`, import.meta.url).href
  const loaded = (await import(path)) as { source: SourceSample }
  return loaded.source
}

/** Connects with the form, as the core does. */
async function contextOf(connector: Connector, standIn: SourceStandIn, timeoutMs = 5000) {
  const form = Object.entries(connector.manifest.form.parse(standIn.form))
  const log = recordingLog()
  const context: Context = {
    settings: Object.fromEntries(form.filter(([name]) => !connector.manifest.secretFields.includes(name))),
    secrets: Object.fromEntries(form.filter(([name]) => connector.manifest.secretFields.includes(name))) as Record<
      string,
      string
    >,
    http: createHttp({ guard: null, maxBytes: 16 * 1024 * 1024, timeoutMs }),
    log,
    signal: new AbortController().signal,
    now: () => new Date(),
    cache: createCache(),
    baseUrl: standIn.baseUrl,
  }
  const account = await connector.check?.(context)
  return { context: { ...context, settings: account?.settings ?? {}, secrets: account?.secrets ?? {} }, log }
}

const pullOf = (connector: Connector, context: Context, cursor: unknown) => {
  if (!connector.pull) throw new Error('It does not pull')
  return connector.pull(context, cursor)
}

async function run(connector: Connector, context: Context, store: PageStore, pages = Infinity) {
  let left = pages
  for await (const page of pullOf(connector, context, store.cursor())) {
    if (left <= 0) return false
    left -= 1
    store.commit(page)
  }
  return true
}

/** The same numbers on every run. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

describe.each(pulling.map((connector) => [connector.manifest.id, connector] as const))('%s pulls', (_, connector) => {
  const open = async () => (await sampleOf(connector))()

  it('every item once, in short pages', async () => {
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
      expect(item.link === null || URL.canParse(item.link)).toBe(true)
    }
  })

  it('from every cursor, after a round trip through a database', async () => {
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
  })

  it('the same set whatever interrupts it: killed at 30 random moments', async () => {
    await using standIn = await open()
    const { context } = await contextOf(connector, standIn)
    const random = randomOf(7)
    const store = createPageStore()
    for (let kill = 0; kill < 30; kill += 1) await run(connector, context, store, Math.floor(random() * 3))
    while (!(await run(connector, context, store)));
    expect([...store.items.keys()].toSorted()).toEqual(standIn.ids().toSorted())
    expect(Math.max(...store.times.values())).toBe(1)
  })

  it('only new items the next time', async () => {
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
  })

  it('and removes what was deleted at the provider without an event, even when it is interrupted', async (test) => {
    await using standIn = await open()
    const remove = standIn.remove
    if (!remove) return test.skip('its syncs do not find deletions')
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
  })

  const kinds: [SourceFault, FailureKind][] = [
    ['429', 'rate-limited'],
    ['429-bare', 'rate-limited'],
    ['500', 'unavailable'],
    ['reset', 'unavailable'],
    ['cut', 'unavailable'],
    ['silence', 'unavailable'],
    ['malformed', 'unavailable'],
    ['html', 'unavailable'],
    ['truncated', 'unavailable'],
    ['wrong-types', 'unavailable'],
    ['missing-fields', 'unavailable'],
    ['revoked', 'auth'],
  ]
  it.each(kinds)('and reports %s as %s, without a secret or customer text', async (fault, kind) => {
    await using standIn = await open()
    const { context, log } = await contextOf(connector, standIn, 800)
    standIn.fault(fault)
    const error = await failureFrom(run(connector, context, createPageStore()))
    expect(error).toBeInstanceOf(ConnectorFailure)
    const { message, stack, ledger, retryAfter, ...failure } = error as ConnectorFailure
    expect(failure.kind).toBe(kind)
    expect(retryAfter !== undefined).toBe(kind === 'rate-limited')
    const output = [message, stack, JSON.stringify(ledger), ...log.lines].join()
    for (const word of [...standIn.words, ...Object.values(context.secrets)]) expect(output).not.toContain(word)
  })

  const mended = [
    ...kinds.map(([fault]) => fault).filter((fault) => fault !== 'revoked'),
    'slow',
    'empty-page',
  ] as const
  it.each(mended)('and loses nothing when %s happens in the middle', async (fault) => {
    await using standIn = await open()
    const { context } = await contextOf(connector, standIn, 800)
    const store = createPageStore()
    await run(connector, context, store, 3)
    standIn.fault(fault)
    await run(connector, context, store).catch(() => 'said above')
    await run(connector, context, store)
    expect([...store.items.keys()].toSorted()).toEqual(standIn.ids().toSorted())
    expect(Math.max(...store.times.values())).toBe(1)
  })

  it('and waits as long as the provider asks', async () => {
    await using standIn = await open()
    const { context } = await contextOf(connector, standIn)
    standIn.fault('429')
    expect(await failureFrom(run(connector, context, createPageStore()))).toMatchObject({ retryAfter: 7 })
  })

  it('and reports credentials that expire in the middle, keeping stored items', async () => {
    await using standIn = await open()
    const { context } = await contextOf(connector, standIn)
    const store = createPageStore()
    await run(connector, context, store, 3)
    standIn.fault('revoked')
    const ended = { kind: 'auth', message: expect.stringMatching(/connect again/i) as string }
    expect(await failureFrom(run(connector, context, store))).toMatchObject(ended)
    const kept = store.items.size
    expect(kept).toBeGreaterThan(0)
    expect(await failureFrom(run(connector, context, store))).toMatchObject(ended)
    expect(store.items.size).toBe(kept)
  })

  it('and stops when the signal is aborted', async () => {
    await using standIn = await open()
    const { context } = await contextOf(connector, standIn)
    const stop = new AbortController()
    const pages = pullOf(connector, { ...context, signal: stop.signal }, null)
    await pages.next()
    stop.abort()
    expect(await failureFrom(pages.next())).toMatchObject({ kind: 'unavailable' })
  })
})
