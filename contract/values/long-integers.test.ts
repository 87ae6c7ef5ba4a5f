import { expect, it } from 'vitest'
import { longIntegersOf } from './long-integers.ts'

const parse = (text: string): unknown => JSON.parse(text, longIntegersOf(text))

it.each([
  ['169881503650676736', '169881503650676736'],
  ['-169881503650676737', '-169881503650676737'],
  ['9007199254740993', '9007199254740993'],
  ['9007199254740991', 9_007_199_254_740_991],
  ['1e400', Number.POSITIVE_INFINITY],
  ['1234567890123456.5', 1_234_567_890_123_456.5],
  ['12', 12],
  ['"169881503650676738"', '169881503650676738'],
])('%s', (written, value) => {
  expect(parse(`{"id":${written},"in":[{"id":${written}}]}`)).toEqual({ id: value, in: [{ id: value }] })
})

it('JSON that is malformed is refused', () => {
  expect(() => parse('{"id":0169881503650676736}')).toThrow(SyntaxError)
})
