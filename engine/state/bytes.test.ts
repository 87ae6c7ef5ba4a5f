import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Reader, Writer } from './bytes.ts'

test('round-trips everything, lone surrogates included', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'binary' })),
      fc.array(fc.string({ unit: fc.constantFrom('a', '\ud800', '\udc00', '\ufeff', '\0') })),
      fc.maxSafeNat(),
      fc.double({ noNaN: true }),
      fc.array(fc.integer()),
      fc.array(
        fc.oneof(
          fc.integer({ min: -1, max: 300 }),
          fc.integer(),
          fc.maxSafeNat().map((n) => n % 2 ** 51),
        ),
      ),
      (texts, halves, count, number, numbers, places) => {
        const out = new Writer()
        out.strings(texts)
        out.strings(halves)
        out.count(count)
        out.number(number)
        out.numbers(Int32Array.from(numbers))
        out.deltas(places)
        const from = new Reader(out.finish())
        expect(from.strings()).toEqual(texts)
        expect(from.strings()).toEqual(halves)
        expect(from.count()).toBe(count)
        expect(from.number()).toBe(number)
        expect([...from.numbers()]).toEqual(numbers)
        expect(from.deltas()).toEqual(places)
      },
    ),
  )
})

test('grows beyond its initial buffer', () => {
  const out = new Writer()
  out.block(new Uint8Array(100_000).fill(7))
  out.count(3)
  const from = new Reader(out.finish())
  expect(from.block()).toHaveLength(100_000)
  expect(from.count()).toBe(3)
})

test('deltas between neighbours take a byte each', () => {
  const out = new Writer()
  out.deltas(Array.from({ length: 1_000 }, (_, i) => 5_000_000 + i))
  expect(out.finish().length).toBeLessThan(1_010)
})

test('truncated bytes raise a RangeError', () => {
  const out = new Writer()
  out.strings(['some text that is long enough'])
  expect(() => new Reader(out.finish().slice(0, 8)).strings()).toThrow(RangeError)
  expect(() => new Reader(new Uint8Array()).count()).toThrow(RangeError)
  expect(() => new Reader(new Uint8Array(3)).number()).toThrow(RangeError)
})
