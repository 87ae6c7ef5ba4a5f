import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { templateTracker } from './_template-tracker/index.ts'
import type { Connector, Context } from './connector.ts'
import { connectors } from './index.ts'
import { createCache } from './kit/cache.ts'
import { ConnectorFailure, ItemGone } from './kit/errors.ts'
import { createHttp } from './kit/http.ts'
import type { InsightDocument } from './kit/insight-document.ts'
import type { TrackerFault, TrackerSample, TrackerStandIn } from './kit/sample.ts'
import { failureFrom, recordingLog } from './kit/testing.ts'
import { MAX_STATUS_IDS, type RemoteItem, type Tracker } from './tracker.ts'

const all: readonly Connector[] = [...connectors, templateTracker]
const tracking = all.flatMap((connector) => (connector.tracker ? [{ connector, tracker: connector.tracker }] : []))

const MAX_REPLY_BYTES = 1024 * 1024
const FAULTS: readonly [TrackerFault, string[]][] = [
  ['429', ['rate-limited']],
  ['500', ['unavailable']],
  ['html', ['unavailable', 'rejected']],
  ['revoked', ['auth']],
]

const written: InsightDocument = {
  title: 'Export stops halfway',
  summary: 'Large exports end without a message.',
  counts: { mentions: 3, people: 2 },
  tags: [{ name: 'Area', value: 'Reports' }],
  quotes: [
    {
      text: 'customer words about the export',
      author: 'Ann Author',
      at: new Date('2026-03-01T11:00:00Z'),
      source: 'Support desk',
      link: 'https://desk.example.com/tickets/5',
    },
  ],
  link: 'https://feedback.example.com/insights?issue=7',
  marker: '',
  updated: new Date('2026-03-02T10:00:00Z'),
}
/** What must not be in a message or a log. */
const WORDS = ['customer words', 'Ann Author', 'Export stops', 'Large exports']

const documentOf = (marker: string, given: Partial<InsightDocument> = {}) => ({ ...written, marker, ...given })

/** What a database returns of a stored item. */
const stored = (remote: RemoteItem): RemoteItem => JSON.parse(JSON.stringify(remote)) as RemoteItem

async function open({ manifest }: Connector, timeoutMs = 5000) {
  const path = new URL(`./${manifest.id}/testing.ts`, import.meta.url).href
  const { tracker: sample } = (await import(path)) as { tracker: TrackerSample }
  const standIn = await sample()
  const log = recordingLog()
  const context: Context = {
    settings: structuredClone(standIn.settings),
    secrets: { ...standIn.secrets },
    http: createHttp({ guard: null, maxBytes: MAX_REPLY_BYTES, timeoutMs }),
    log,
    signal: new AbortController().signal,
    now: () => new Date(),
    cache: createCache(),
    baseUrl: standIn.baseUrl,
  }
  const before = standIn.items().length
  return {
    standIn,
    context,
    log,
    made: () => standIn.items().slice(before),
    [Symbol.asyncDispose]: () => standIn[Symbol.asyncDispose](),
  }
}

/** Every call of a tracker, each with an item that exists. */
const callsOf = (tracker: Tracker, context: Context, remote: RemoteItem, marker: string) => ({
  find: () => tracker.find(context, marker),
  create: () => tracker.create(context, { document: documentOf(randomUUID()), reopen: false }),
  update: () => tracker.update(context, remote, { document: documentOf(marker), reopen: false }),
  readStatus: () => tracker.readStatus(context, [remote]),
  verify: () => tracker.verify(context),
})

it('covers a tracker', () => expect(tracking.length).toBeGreaterThan(0))

describe.each(tracking.map((one) => [one.connector.manifest.id, one] as const))('%s', (_, { connector, tracker }) => {
  const create = (context: Context, marker: string, given: Partial<InsightDocument> = {}) =>
    tracker.create(context, { document: documentOf(marker, given), reopen: false })

  it('is a destination that does not push, with delays for its retries', () => {
    expect(connector.manifest.side).toBe('destination')
    expect(connector.push).toBeUndefined()
    expect(connector.retrySchedule?.length).toBeGreaterThan(2)
    expect(tracker.findLagSeconds).toBeGreaterThanOrEqual(0)
  })

  it('creates one item with everything that the document says, and finds it by its marker', async () => {
    await using run = await open(connector)
    const marker = randomUUID()
    expect(await tracker.find(run.context, marker)).toBeNull()
    const remote = await create(run.context, marker)
    expect(run.made()).toHaveLength(1)
    const [item] = run.made()
    expect(item).toMatchObject({ id: remote.id, open: true })
    expect(remote).toMatchObject({ status: 'open', label: expect.stringMatching(/./) })
    expect(remote.url ?? 'https://').toMatch(/^https?:\/\//)
    const texts = [item?.text ?? '', ...(item?.comments ?? [])].join('\n')
    const said = [
      'Export stops halfway',
      'Large exports end without a message.',
      'customer words about the export',
      'Ann Author',
    ]
    for (const text of [...said, 'Reports', 'https://desk.example.com/tickets/5']) expect(texts).toContain(text)
    expect(texts).toMatch(/feedback\.example\.com\/insights\?issue=7/)
    expect((await tracker.find(run.context, marker))?.id).toBe(remote.id)
    expect(await tracker.find(run.context, randomUUID())).toBeNull()
  })

  it('accepts texts of any length and with any characters', async () => {
    await using run = await open(connector)
    const odd = `<b>&amp; **bold** [x](y) {code} | \`\`\` – 🤯\n\t"'\\`
    const quote = { text: odd.repeat(2000), author: odd, at: new Date(0), source: odd, link: null }
    const given = {
      title: odd.repeat(50),
      summary: odd.repeat(500),
      tags: Array.from({ length: 40 }, (__, index) => ({ name: `${odd} ${index}`, value: odd })),
      quotes: Array.from({ length: 20 }, () => quote),
      link: null,
    }
    const marker = randomUUID()
    const remote = await create(run.context, marker, given)
    expect(run.made()).toHaveLength(1)
    await tracker.update(run.context, stored(remote), { document: documentOf(marker, given), reopen: false })
    expect(run.made()).toHaveLength(1)
  })

  it('has one item after ten kills between creating it and recording it', async () => {
    await using run = await open(connector)
    const marker = randomUUID()
    const first = await create(run.context, marker)
    for (let kill = 0; kill < 10; kill += 1) {
      const found = await tracker.find(run.context, marker)
      expect(found?.id).toBe(first.id)
    }
    expect(run.made()).toHaveLength(1)
  })

  it.each(['reset', 'silence', 'malformed'] as const)('finds the item whose creation ended with %s', async (fault) => {
    await using run = await open(connector, 800)
    const marker = randomUUID()
    run.standIn.fault(fault)
    const error = await failureFrom(create(run.context, marker))
    expect(error).toBeInstanceOf(ConnectorFailure)
    expect((error as ConnectorFailure).kind).toBe('unavailable')
    expect(run.made()).toHaveLength(1)
    expect((await tracker.find(run.context, marker))?.id).toBe(run.made()[0]?.id)
    expect(run.made()).toHaveLength(1)
  })

  it('says for how long search may lag behind', async () => {
    await using run = await open(connector)
    const marker = randomUUID()
    run.standIn.lagSearch(true)
    const remote = await create(run.context, marker)
    const found = await tracker.find(run.context, marker)
    expect(found?.id ?? (tracker.findLagSeconds > 0 ? remote.id : null)).toBe(remote.id)
    run.standIn.lagSearch(false)
    expect((await tracker.find(run.context, marker))?.id).toBe(remote.id)
  })

  it('shows 20 updates in its text or in one comment, also when it forgot which', async () => {
    await using run = await open(connector)
    const marker = randomUUID()
    const created = stored(await create(run.context, marker))
    let remote = created
    for (let round = 1; round <= 20; round += 1) {
      const document = documentOf(marker, { counts: { mentions: 4000 + round, people: 7 } })
      remote = stored(
        await tracker.update(run.context, round % 5 === 0 ? created : remote, { document, reopen: false }),
      )
      expect(remote.id).toBe(created.id)
    }
    expect(run.made()).toHaveLength(1)
    const [item] = run.made()
    expect(item?.comments.length).toBeLessThanOrEqual(1)
    const texts = [item?.text ?? '', ...(item?.comments ?? [])].join('\n')
    expect(texts.replaceAll(/[\s,. ]/g, '')).toContain('4020')
    expect((await tracker.find(run.context, marker))?.id).toBe(created.id)
  })

  it('reads back what was closed, reopened and deleted', async () => {
    await using run = await open(connector)
    const [one, two, three] = [
      await create(run.context, randomUUID()),
      await create(run.context, randomUUID()),
      await create(run.context, randomUUID()),
    ]
    const remotes = [one, two, three].map((remote) => stored(remote))
    const states = async () => {
      const statuses = await tracker.readStatus(run.context, remotes)
      return remotes.map(({ id }) => statuses.filter((status) => status.id === id).map(({ state }) => state))
    }
    expect(await states()).toEqual([['open'], ['open'], ['open']])
    run.standIn.close(one.id)
    run.standIn.close(two.id)
    expect(await states()).toEqual([['closed'], ['closed'], ['open']])
    run.standIn.reopen(one.id)
    expect(await states()).toEqual([['open'], ['closed'], ['open']])
    run.standIn.delete(two.id)
    run.standIn.move?.(three.id)
    expect(await states()).toEqual([['open'], ['gone'], [run.standIn.move ? 'gone' : 'open']])
  })

  it('reads the states of many items at once', async () => {
    await using run = await open(connector)
    const remotes: RemoteItem[] = []
    for (let at = 0; at < MAX_STATUS_IDS; at += 1) remotes.push(stored(await create(run.context, randomUUID())))
    const before = run.standIn.requests().length
    const statuses = await tracker.readStatus(run.context, remotes)
    expect(new Set(statuses.map(({ id }) => id))).toEqual(new Set(remotes.map(({ id }) => id)))
    expect(run.standIn.requests().length - before).toBeLessThanOrEqual(2)
  })

  it('updates a closed item, and reopens it only when asked to', async () => {
    await using run = await open(connector)
    const marker = randomUUID()
    const remote = stored(await create(run.context, marker))
    run.standIn.close(remote.id)
    const counts = { mentions: 5001, people: 8 }
    const commented = await tracker.update(run.context, remote, {
      document: documentOf(marker, { counts }),
      reopen: false,
    })
    expect(commented.status).toBe('closed')
    expect(run.made()).toMatchObject([{ open: false }])
    const reopened = await tracker.update(run.context, stored(commented), {
      document: documentOf(marker, { counts }),
      reopen: true,
    })
    expect(reopened.status).toBe('open')
    expect(run.made()).toMatchObject([{ open: true }])
  })

  it.each(['delete', 'move'] as const)('reports an item that is no longer there on update: %s', async (how) => {
    await using run = await open(connector)
    const marker = randomUUID()
    const remote = stored(await create(run.context, marker))
    if (how === 'delete' || !run.standIn.move) run.standIn.delete(remote.id)
    else run.standIn.move(remote.id)
    const error = await failureFrom(
      tracker.update(run.context, remote, { document: documentOf(marker), reopen: false }),
    )
    expect(error).toBeInstanceOf(ItemGone)
    expect(run.made()).toEqual([])
  })

  it('verifies without leaving anything behind', async () => {
    await using run = await open(connector)
    expect((await tracker.verify(run.context)).length).toBeGreaterThan(5)
    expect(run.made()).toEqual([])
  })

  describe.each(FAULTS)('on %s', (fault, kinds) => {
    it.each(['find', 'create', 'update', 'readStatus', 'verify'] as const)(
      '%s fails as one of the four kinds',
      async (name) => {
        await using run = await open(connector)
        const marker = randomUUID()
        const remote = stored(await create(run.context, marker))
        run.standIn.fault(fault)
        const error = await failureFrom(callsOf(tracker, run.context, remote, marker)[name]())
        expect(error).toBeInstanceOf(ConnectorFailure)
        expect(error).not.toBeInstanceOf(ItemGone)
        const failure = error as ConnectorFailure
        expect(kinds).toContain(failure.kind)
        expect(failure.retryAfter ?? 0).toBeGreaterThanOrEqual(fault === '429' ? 1 : 0)
        expect(failure.retryAfter ?? 0).toBeLessThanOrEqual(3600)
        expect(run.made()).toHaveLength(1)
        expectNoLeak(run.standIn, failure, run.log.lines)
      },
    )
  })

  it('stops when the signal is aborted', async () => {
    await using run = await open(connector)
    const stopped = { ...run.context, signal: AbortSignal.abort() }
    const error = await failureFrom(create(stopped, randomUUID()))
    expect(error).toMatchObject({ kind: 'unavailable' })
    expect(run.made()).toEqual([])
  })
})

/** No secret in anything that is shown or stored, and no customer text in messages and logs. */
function expectNoLeak(standIn: TrackerStandIn, failure: ConnectorFailure, lines: readonly string[]): void {
  const shown = [failure.message, failure.stack, ...lines].join('\n')
  for (const secret of Object.values(standIn.secrets)) {
    expect(shown).not.toContain(secret)
    expect(JSON.stringify(failure.ledger ?? null)).not.toContain(secret)
  }
  for (const word of WORDS) expect(shown).not.toContain(word)
}
