import { describe, expect, it } from 'vitest'
import { cursor, nextRound, openState, remember, repeatFrom, type State, settle, wasRead } from './cursor.ts'
import { missing } from './missing.ts'
import { selectionOf } from './selection.ts'

const NOW = new Date('2026-03-01T12:00:00Z')
const at = (date: string, tags: string[] = []) =>
  selectionOf({ region: 'us', workspace_id: 'a1', start_date: [date], tags }, NOW)
const FEBRUARY = at('2026-02-01')
const state = (more: Partial<State> = {}): State => ({ ...openState(null, FEBRUARY), ...more })

describe('a cursor', () => {
  it.each([
    null,
    undefined,
    'text',
    7,
    [],
    {},
    { version: 2 },
    { ...state(), waiting: 'x' },
    { ...state(), newest: -1 },
  ])('that is %j starts from the beginning', (value) => {
    expect(openState(value, FEBRUARY)).toEqual(state())
    expect(state()).toMatchObject({ start: FEBRUARY.start, from: FEBRUARY.start, newest: FEBRUARY.start, after: null })
  })

  const read = state({ after: 'x', newest: FEBRUARY.start + 5000, waiting: [['1', 2]] })

  it('survives a round trip, and is not changed by what is done with its copy', () => {
    const stored = JSON.parse(JSON.stringify(read)) as unknown
    expect(cursor.safeParse(stored).data).toEqual(read)
    expect(cursor.safeParse(undefined).data).toBeNull()
    const copy = openState(read, FEBRUARY)
    expect(copy).toEqual(read)
    copy.waiting.pop()
    expect(read.waiting).toHaveLength(1)
  })

  it('goes on with a later start date, and starts over with an earlier one or other choices', () => {
    expect(openState(read, at('2026-02-10'))).toEqual(read)
    const { start } = at('2026-01-01')
    expect(openState(read, at('2026-01-01'))).toEqual({ ...state(), start, from: start, newest: start, reached: start })
    expect(openState(read, at('2026-02-10', ['5']))).toMatchObject({ from: FEBRUARY.start, after: null, waiting: [] })
  })

  it('without a start date is not older every day: the 12 months move on without starting over', () => {
    const later = (days: number) =>
      selectionOf({ region: 'us', workspace_id: 'a1' }, new Date(NOW.getTime() + days * 86_400_000))
    const first = { ...openState(null, later(0)), newest: later(0).start + 100 }
    expect(openState(first, later(1))).toEqual(first)
  })
})

describe('a round', () => {
  it('starts where the last one is certain to have listed everything, and never before the start', () => {
    const ended = state({ ended: true, newest: FEBRUARY.start + 5000, idle: 3, ascending: false })
    settle(ended, ended.newest, FEBRUARY.start + 5100)
    nextRound(ended, new Date())
    const from = FEBRUARY.start + 4800
    const fresh = { settled: null, ascending: true, after: null, ended: false, idle: 0 }
    expect(ended).toMatchObject({ from, reached: from, ...fresh })
    const young = state({ ended: true, newest: FEBRUARY.start + 60 })
    settle(young, young.newest, FEBRUARY.start + 60)
    nextRound(young, new Date())
    expect(young.from).toBe(FEBRUARY.start)
  })

  it('starts at the newest change where nothing changed for longer than the search may lag', () => {
    const quiet = state({ ended: true, newest: FEBRUARY.start + 5000 })
    settle(quiet, quiet.newest, FEBRUARY.start + 9000)
    nextRound(quiet, new Date())
    expect(quiet.from).toBe(FEBRUARY.start + 5000)
  })

  it('is certain of what its first page within the lag listed, however late the others are', () => {
    const long = state({ newest: FEBRUARY.start + 5000 })
    settle(long, FEBRUARY.start + 1000, FEBRUARY.start + 9000)
    expect(long.settled).toBeNull()
    settle(long, FEBRUARY.start + 9100, FEBRUARY.start + 9200)
    settle(long, FEBRUARY.start + 9900, FEBRUARY.start + 9900)
    expect(long.settled).toBe(FEBRUARY.start + 8900)
  })

  it('does not start before the last one was read to its end', () => {
    for (const more of [
      { ended: false, after: 'x' },
      { ended: true, waiting: [['1', 2]] },
    ] as Partial<State>[]) {
      const open = state(more)
      nextRound(open, new Date())
      expect(open).toEqual(state(more))
    }
  })
})

describe('a search that is repeated', () => {
  it('starts at the oldest change of its last page, not at the newest that was listed', () => {
    const half = state({ reached: FEBRUARY.start + 3000, newest: FEBRUARY.start + 9000 })
    expect(repeatFrom(half)).toBe(FEBRUARY.start + 3000)
    expect(repeatFrom({ ...half, reached: 5 })).toBe(FEBRUARY.start)
  })

  it('starts where the round did if the pages were not in order', () => {
    const from = FEBRUARY.start + 100
    expect(repeatFrom(state({ from, reached: FEBRUARY.start + 3000, ascending: false }))).toBe(from)
  })
})

describe('what was read', () => {
  it('is not read again in the same state or an older one', () => {
    const known = state({ newest: FEBRUARY.start + 1000 })
    remember(known, '1', FEBRUARY.start + 900)
    expect(wasRead(known, '1', FEBRUARY.start + 900)).toBe(true)
    expect(wasRead(known, '1', FEBRUARY.start + 899)).toBe(true)
    expect(wasRead(known, '1', FEBRUARY.start + 901)).toBe(false)
    expect(wasRead(known, '2', FEBRUARY.start + 900)).toBe(false)
  })

  it('is remembered once, as long as a search can list it, and at most 1,000 times', () => {
    const known = state({ newest: FEBRUARY.start + 1000, reached: FEBRUARY.start + 1000 })
    remember(known, '1', FEBRUARY.start + 900)
    remember(known, '1', FEBRUARY.start + 950)
    expect(known.recent).toEqual([['1', FEBRUARY.start + 950]])
    remember(known, '2', FEBRUARY.start + 699)
    expect(known.recent).toHaveLength(1)
    known.newest += 251
    remember(known, '3', FEBRUARY.start + 1251)
    expect(known.recent).toEqual([['3', FEBRUARY.start + 1251]])
    for (let id = 10; id < 1200; id += 1) remember(known, String(id), FEBRUARY.start + 1251)
    expect(known.recent).toHaveLength(1000)
    expect(wasRead(known, '1199', FEBRUARY.start + 1251)).toBe(true)
    expect(wasRead(known, '10', FEBRUARY.start + 1251)).toBe(false)
  })
})

describe('the text on the tile', () => {
  it('is none where nothing is missing', () => {
    expect(missing(state())).toBeNull()
  })

  it.each([
    [
      { short: [{ id: '5', missing: 1 }] },
      'Intercom returned 1 message or event fewer than it counts in conversation 5.',
    ],
    [{ large: ['7'] }, 'Intercom’s response is too large to be read for conversation 7.'],
    [{ large: ['7', '8'] }, 'Intercom’s response is too large to be read for 2 conversations.'],
    [
      {
        gap: { total: 1200, seen: 5 },
        short: [
          { id: '5', missing: 1000 },
          { id: '6', missing: 234 },
        ],
      },
      'Intercom counted 1,200 conversations that changed since 2026-02-01, but its search returned 5. ' +
        'Intercom returned 1,234 messages and events fewer than it counts in 2 conversations.',
    ],
  ])('has the numbers of %j', (more, text) => {
    expect(missing(state(more))).toBe(text)
  })
})
