import { issueWith } from '@groundswell/fixtures/engine/corrections.ts'
import { labelOf, SAMPLE } from '@groundswell/fixtures/engine/feedback.ts'
import fc from 'fast-check'
import { expect, describe as suite, test } from 'vitest'
import {
  assign,
  createState,
  describe,
  deserialize,
  forget,
  type Item,
  issues,
  needsRevision,
  prepare,
  removeIssue,
  replay,
  restoreIssue,
  revise,
  type State,
  StateVersionError,
  serialize,
} from './index.ts'

const prepared = (items: Item[]) => items.flatMap((item) => prepare(item))
const say = (text: string, id = 'new') => prepare({ id, text, at: 9e6 })

function built(items: Item[] = SAMPLE): State {
  const state = createState({ seed: 7 })
  assign(state, prepared(items))
  revise(state)
  return state
}

suite('assign and revise', () => {
  test('group statements that say the same and ignore chit-chat', () => {
    const state = built()
    const found = issues(state)
    expect(found.map((issue) => issue.mentions)).toEqual([5, 5, 5])
    expect(found.every((issue) => issue.visible && !issue.removed)).toBe(true)
    for (const issue of found) {
      const labels = issue.statementIds.map((id) => labelOf(id.split(':')[0] as string))
      expect(new Set(labels).size).toBe(1)
      expect(labels[0]).not.toBeNull()
    }
  })

  test('no issue exists before the first revision; then each is born once', () => {
    const state = createState({ seed: 7 })
    const { decisions } = assign(state, prepared(SAMPLE))
    expect(new Set(decisions.map((decision) => decision.kind))).toEqual(new Set(['pending', 'noise']))
    const { events, moves } = revise(state)
    expect(events).toEqual([1, 2, 3].map((issueId) => ({ kind: 'born', issueId })))
    expect(moves).toHaveLength(15)
    expect(moves.every((move) => move.from === undefined && (move.to ?? 0) > 0 && move.score > 0.3)).toBe(true)
    expect(revise(state)).toEqual({ events: [], moves: [], suggestions: null })
  })

  test('a later message joins its issue and says why', () => {
    const state = built()
    const [decision] = assign(state, say('the export of large reports to csv fails for us')).decisions
    expect(decision).toMatchObject({ kind: 'joined', issueId: issueWith(state, 'm0:0') })
    expect(decision?.reason).toContain('csv')
    expect(decision?.score).toBeGreaterThan(0.5)
    expect(decision?.candidates?.[0]?.issueId).toBe(decision?.issueId)
  })

  test('a statement unlike all others is pending; two similar ones make a revision due', () => {
    const state = built()
    const first = assign(state, say('invoices show the wrong tax amount', 'a')).decisions
    expect(first[0]?.kind).toBe('pending')
    expect(needsRevision(state, { idle: true })).toBe(false)
    assign(state, say('the tax amount on invoices is wrong', 'b'))
    expect(needsRevision(state, { idle: true })).toBe(true)
    expect(needsRevision(state)).toBe(false)
    expect(revise(state).events).toEqual([{ kind: 'born', issueId: 4 }])
    expect(needsRevision(state, { idle: true })).toBe(false)
  })

  test('the same statement twice changes nothing', () => {
    const state = built()
    const before = serialize(state)
    const again = assign(state, prepared(SAMPLE)).decisions.filter((decision) => decision.kind !== 'noise')
    expect(again.every((decision) => decision.kind === 'joined' && decision.reason === 'known already')).toBe(true)
    state.seen -= SAMPLE.length - again.length
    expect(serialize(state)).toEqual(before)
  })

  test('an identical text of another item joins at once', () => {
    const state = built()
    const [decision] = assign(state, say('CSV export fails for large reports!!')).decisions
    expect(decision).toMatchObject({ kind: 'joined', score: 1, reason: 'same words' })
  })

  test('agreement counts for the issue of its conversation, and is noise without one', () => {
    const state = built()
    const reply = (text: string, id: string, thread: string) =>
      assign(state, prepare({ id, text, at: 1, thread })).decisions[0]
    expect(reply('same here', 'r1', 'm0')).toMatchObject({ kind: 'joined', issueId: issueWith(state, 'm0:0') })
    expect(reply('happened on Tuesday to our Leeds office', 'r2', 'm0')).toMatchObject({
      kind: 'joined',
      reason: 'same conversation',
    })
    expect(reply('same here', 'r3', 'elsewhere')?.kind).toBe('noise')
    expect(reply('thanks!', 'r4', 'm0')?.kind).toBe('noise')
  })

  test('one item that repeats itself is no issue', () => {
    const state = createState()
    const text = 'The export of large reports fails with a timeout. '
    assign(state, prepare({ id: 'one', text: `${text.repeat(8)}\n\n${text.repeat(9)}`, at: 1 }))
    revise(state)
    expect(issues(state)).toEqual([])
  })

  test('requests revisions less often as a workspace grows', () => {
    const state = createState()
    let revisions = 0
    for (let i = 0; i < 4_000; i += 50) {
      assign(
        state,
        Array.from({ length: 50 }, (_, k) => prepare({ id: `${i + k}`, text: `thanks ${i}`, at: i })).flat(),
      )
      if (!needsRevision(state)) continue
      revise(state)
      revisions++
    }
    expect(revisions).toBeGreaterThan(10)
    expect(revisions).toBeLessThan(25)
  })
})

suite('the state', () => {
  const shuffled = fc.shuffledSubarray(SAMPLE, { minLength: 4 })

  test('is the same for the same input and seed, bytes and all', () => {
    fc.assert(
      fc.property(shuffled, (items) => {
        expect(serialize(built(items))).toEqual(serialize(built(items)))
      }),
      { numRuns: 25 },
    )
  })

  test('continues after storing and loading as if it had not been stored', () => {
    fc.assert(
      fc.property(shuffled, fc.nat(20), fc.boolean(), (items, cut, revised) => {
        const state = createState({ seed: 3 })
        assign(state, prepared(items.slice(0, cut)))
        if (revised) revise(state)
        forget(state, [`${items[0]?.id}:0`])
        const loaded = deserialize(serialize(state))
        const rest = prepared(items.slice(cut))
        expect(assign(loaded, rest)).toEqual(assign(state, rest))
        expect(revise(loaded)).toEqual(revise(state))
        expect(serialize(loaded)).toEqual(serialize(state))
      }),
      { numRuns: 40 },
    )
  })

  test('is the same after replaying decisions as after making them', () => {
    fc.assert(
      fc.property(shuffled, fc.nat(20), (items, cut) => {
        const state = built(items.slice(0, cut))
        const behind = deserialize(serialize(state))
        const rest = prepared(items.slice(cut))
        const { decisions } = assign(state, rest)
        replay(behind, rest, decisions)
        expect(serialize(behind)).toEqual(serialize(state))
      }),
      { numRuns: 40 },
    )
  })

  test('a replay applies a stored decision even where it would decide differently now', () => {
    const state = built()
    const statements = say('the coffee machine is on the third floor')
    replay(state, statements, [{ statementId: 'new:0', kind: 'joined', issueId: 9, score: 0.6, reason: 'stored' }])
    expect(issueWith(state, 'new:0')).toBe(9)
    assign(state, say('invoices show the wrong tax', 'a'))
    assign(state, say('wrong tax on our invoices', 'b'))
    expect(revise(state).events).toContainEqual({ kind: 'born', issueId: 10 })
  })

  test('of another version, or damaged, is rejected with a named error', () => {
    const bytes = serialize(built())
    bytes[8] = 0xff
    expect(() => deserialize(bytes)).toThrow(StateVersionError)
    expect(() => deserialize(new Uint8Array(100))).toThrow(StateVersionError)
    expect(() => deserialize(serialize(built()).slice(0, 400))).toThrow(RangeError)
  })
})

suite('forget, removeIssue and restoreIssue', () => {
  test('a forgotten text is removed from the state, and its issue shrinks, is hidden and ends', () => {
    const state = built()
    const issueId = issueWith(state, 'm0:0')
    const own = issues(state).find((issue) => issue.issueId === issueId)?.statementIds ?? []
    expect(forget(state, own.slice(0, 3)).events).toEqual([])
    expect(new TextDecoder().decode(serialize(state))).not.toContain('CSV export fails for large reports')
    expect(describe(state, issueId).quotes.every((quote) => own.slice(3).includes(quote.statementId))).toBe(true)
    expect(forget(state, own.slice(3, 4)).events).toEqual([])
    expect(issues(state).find((issue) => issue.issueId === issueId)).toMatchObject({ mentions: 1, visible: false })
    expect(forget(state, own.slice(4)).events).toEqual([{ kind: 'ended', issueId }])
    expect(issues(state).some((issue) => issue.issueId === issueId)).toBe(false)
    expect(forget(state, [...own, 'never:0'])).toEqual({ events: [], moves: [] })
  })

  test('a hidden issue that is mentioned again is promoted', () => {
    const state = built()
    const issueId = issueWith(state, 'm0:0')
    const own = issues(state).find((issue) => issue.issueId === issueId)?.statementIds ?? []
    forget(state, own.slice(1))
    assign(state, say('CSV export fails for large reports'))
    expect(revise(state).events).toContainEqual({ kind: 'promoted', issueId })
  })

  test('a removed issue absorbs similar statements and does not reappear', () => {
    const state = built()
    const issueId = issueWith(state, 'm0:0')
    removeIssue(state, issueId)
    for (let round = 0; round < 5; round++) {
      const texts = [
        'csv export fails, large report',
        'export of our large reports to CSV fails',
        'CSV export of large reports fails',
      ]
      texts.forEach((text, i) => assign(state, say(`${text} ${'again '.repeat(round)}`, `r${round}${i}`)))
      expect(revise(state).events).toEqual([])
    }
    expect(issues(state).filter((issue) => issue.visible)).toHaveLength(2)
    const removed = issues(state).find((issue) => issue.issueId === issueId)
    expect(removed).toMatchObject({ removed: true, visible: false })
    expect(removed?.mentions).toBeGreaterThan(15)
    restoreIssue(state, issueId)
    expect(issues(state).find((issue) => issue.issueId === issueId)).toMatchObject({ removed: false, visible: true })
  })
})
