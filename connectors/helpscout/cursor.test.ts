import { describe, expect, it } from 'vitest'
import { readThroughKills } from '../kit/worlds/source.ts'
import { cursor as Cursor, openState, type State } from './cursor.ts'
import { pull } from './pull.ts'
import { selectionOf } from './selection.ts'
import { drain, fill, idsOf, madeUp, many, openHelpScout, signedIn } from './testing.ts'

const trip = (cursor: unknown): unknown => JSON.parse(JSON.stringify(cursor))

describe('the cursor', () => {
  it('remembers what is still to be read: nothing is requested twice after ten kills', async () => {
    await using sandbox = await openHelpScout()
    fill(
      sandbox,
      Array.from({ length: 30 }, (_, index) => madeUp(`c-${index}`, index === 3 ? 120 : 2)),
    )
    const context = await signedIn(sandbox)
    const seen = await readThroughKills(pull, context, 10)
    expect(seen.toSorted()).toEqual(idsOf(sandbox).toSorted())
    expect(sandbox.calls().filter(({ name }) => name === 'threads')).toHaveLength(29 + 3)
  })

  it('resumes in the middle of a conversation and of a pass, with what changed meanwhile', async () => {
    await using sandbox = await openHelpScout()
    const all = fill(sandbox, [...many(40), madeUp('long', 120)])
    const context = await signedIn(sandbox)
    const items: string[] = []
    let cursor: unknown = null
    for await (const page of pull(context, null)) {
      items.push(...page.items.map(({ externalId }) => externalId))
      cursor = trip(page.cursor)
      if ((cursor as State).reading !== null) break
    }
    expect(cursor).toMatchObject({ open: true, reading: { page: 2 } })
    sandbox.account.change(all[0] ?? 0, { status: 'closed' })
    const reply = sandbox.write(all[20] ?? 0, { author: 'Person', text: 'meanwhile' })
    const rest = await drain(context, cursor)
    items.push(...rest.items.map(({ externalId }) => externalId))
    expect(new Set(items)).toEqual(new Set(idsOf(sandbox)))
    expect(items).toContain(`${all[20]}:${reply}`)
  })

  it('stays small however long the backfill is', async () => {
    await using sandbox = await openHelpScout()
    fill(sandbox, many(1200), Date.now())
    const { cursor, items } = await drain(await signedIn(sandbox))
    expect(items.length).toBeGreaterThan(1000)
    expect(cursor?.before.length).toBeLessThanOrEqual(500)
    expect(JSON.stringify(cursor).length).toBeLessThan(20_000)
  })

  it('contains nothing that a customer wrote, once the round is over', async () => {
    await using sandbox = await openHelpScout()
    fill(sandbox, many(3, 2))
    const { cursor } = await drain(await signedIn(sandbox))
    expect(JSON.stringify(cursor)).not.toMatch(/customer words|Person|Subject/)
  })

  it('that is malformed starts from the beginning', async () => {
    await using sandbox = await openHelpScout()
    fill(sandbox, [madeUp('a', 2)])
    const context = await signedIn(sandbox)
    for (const cursor of ['text', 7, [], { version: 2 }, { version: 1, queue: 'x' }]) {
      expect((await drain(context, cursor)).items).toHaveLength(2)
    }
    expect(Cursor.safeParse(null).data).toBeNull()
    expect(Cursor.safeParse({ version: 1, queue: 'x' }).success).toBe(false)
  })

  it('of one choice is not used for another one, or for an earlier start', () => {
    const now = new Date('2026-03-01T12:00:00Z')
    const select = (settings: Record<string, string[]>) => selectionOf(settings, now)
    const base = select({ start_date: ['2026-02-01'] })
    const state = { ...openState(null, base), since: base.start + 5000, newest: 7 }
    expect(openState(trip(state), base)).toEqual(state)
    expect(openState(trip(state), select({ start_date: ['2026-02-20'] })).since).toBe(base.start + 5000)
    const earlier = select({ start_date: ['2026-01-01'] })
    expect(openState(trip(state), earlier)).toMatchObject({ since: earlier.start, newest: 0 })
    const other = select({ start_date: ['2026-02-20'], inboxes: ['85'] })
    expect(openState(trip(state), other)).toMatchObject({ since: base.start, key: other.key, newest: 0 })
    // Without a start date it is a year ago, which moves on with the clock.
    const today = selectionOf({}, now)
    const tomorrow = selectionOf({}, new Date(now.getTime() + 86_400_000))
    const kept = { ...openState(null, today), since: 9_999_999_999 }
    expect(openState(trip(kept), tomorrow).since).toBe(9_999_999_999)
  })
})

it('needs about one request for each conversation: 1,000 conversations', async () => {
  await using sandbox = await openHelpScout()
  fill(sandbox, many(1000, 2), Date.now())
  const context = await signedIn(sandbox)
  const before = sandbox.calls().length
  const { items } = await drain(context)
  expect(items).toHaveLength(2000)
  // 25 conversations in a list, and threads conversation by conversation.
  const least = 1000 / 25 + 1000
  expect((sandbox.calls().length - before) / least).toBeLessThanOrEqual(1.2)
})
