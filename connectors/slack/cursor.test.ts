import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cursor, isAfter, later, newChannel, openState, type State, toTs } from './cursor.ts'

describe('the order of messages', () => {
  it.each([
    ['2.0', '1.0', true],
    ['1.0', '2.0', false],
    ['1.0', '1.0', false],
    ['1.000002', '1.000001', true],
    ['10.0', '9.9', true],
    ['1.1', '1.000009', true],
    ['1.10', '1.1', false],
    ['1700000000.000100', '999999999.999999', true],
    ['1.0', null, true],
    [null, '1.0', false],
    [null, null, false],
    [undefined, null, false],
    ['1.0', undefined, true],
  ])('%s after %s: %s', (a, b, after) => {
    expect(isAfter(a, b)).toBe(after)
  })

  it('is total: of two, one is later, and `later` returns it', () => {
    const ts = fc.tuple(fc.nat(), fc.nat(999_999)).map(([s, n]) => `${s}.${String(n).padStart(6, '0')}`)
    fc.assert(
      fc.property(ts, ts, (a, b) => {
        expect(isAfter(a, b) && isAfter(b, a)).toBe(false)
        expect(isAfter(a, b) || isAfter(b, a)).toBe(a !== b)
        expect(later(a, b)).toBe(later(b, a))
        expect(isAfter(a, later(a, b))).toBe(false)
      }),
    )
    expect([later(null, null), later('1.0', null), later(null, '1.0')]).toEqual([null, '1.0', '1.0'])
  })

  it('starts with 1970', () => {
    expect(toTs(1_700_000_000_999)).toBe('1700000000.000000')
    expect(toTs(-5)).toBe('0.000000')
  })
})

describe('a cursor', () => {
  const state: State = {
    version: 1,
    left: ['C1'],
    channels: { C1: { ...newChannel('feedback'), watermark: '1.000001' } },
    aside: { entries: [], more: 0 },
  }

  it('survives a round trip through a database', () => {
    expect(openState(JSON.parse(JSON.stringify(state)))).toEqual(state)
    expect(cursor.parse(JSON.parse(JSON.stringify(state)))).toEqual(state)
  })

  it('is a copy: the stored one does not change with it', () => {
    const open = openState(state)
    open.left?.pop()
    Object.assign(open.channels.C1 ?? {}, { watermark: '2.0' })
    expect(state.left).toEqual(['C1'])
    expect(state.channels.C1?.watermark).toBe('1.000001')
  })

  it.each([{ watermark: 'soon' }, { walk: { kind: 'sideways' } }])(
    'with one malformed channel keeps the others: %j',
    (fault) => {
      const C2 = { ...state.channels.C1, name: 'other', ...fault }
      const stored = { ...state, channels: { ...state.channels, C2 } }
      expect(openState(stored)).toEqual(state)
      expect(cursor.parse(stored)).toEqual(state)
    },
  )

  it('of a first sync is null', () => {
    expect(cursor.parse(null)).toBeNull()
    expect(cursor.parse(undefined)).toBeNull()
  })

  it.each([undefined, null, 'text', [], {}, { ...state, version: 2 }, { ...state, left: 'C1' }])(
    'that cannot be parsed starts from the beginning: %j',
    (value) => {
      expect(openState(value)).toEqual({ version: 1, left: null, channels: {}, aside: { entries: [], more: 0 } })
    },
  )
})
