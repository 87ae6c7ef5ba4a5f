import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readable } from '../../readable.ts'
import { findPieces } from './pieces.ts'

const TEXT = `Two things, please.\n\nThe export of our report   stops half way: see https://x.example/a?b=c for a file.
And the invoices show the wrong tax number\u200b, write to ann@b.example.`

const answer = (...pieces: string[]) => JSON.stringify({ pieces })
const found = (...pieces: string[]) =>
  findPieces(answer(...pieces), readable(TEXT))?.map(({ start, end }) => TEXT.slice(start, end)) ?? null

const EXPORT = 'The export of our report stops half way: see … for a file.'
const TAX = 'And the invoices show the wrong tax number, write to …'

describe('a text as it is shown', () => {
  test('has no addresses, no invisible characters and single spaces, and maps to the original', () => {
    const { plain, starts, ends } = readable(TEXT)
    expect(plain).toBe(`Two things, please.\n${EXPORT}\n${TAX}`)
    expect(starts).toHaveLength(plain.length)
    expect(ends.at(-1)).toBe(TEXT.length)
  })

  test('maps to the original for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const { plain, starts, ends } = readable(text)
        expect([starts.length, ends.length]).toEqual([plain.length, plain.length])
        const real = starts.map((start, i) => text.slice(start, ends[i]))
        const shown = real.map((one, i) => (/[\s…]/.test(plain[i] as string) ? plain[i] : one))
        expect(real).not.toContain('')
        expect(shown.join('')).toBe(plain)
        expect(starts.every((start, i) => i === 0 || start >= (ends[i - 1] as number))).toBe(true)
      }),
    )
  })
})

describe('pieces', () => {
  test('are found verbatim, with what was not shown', () => {
    expect(found(EXPORT, TAX)).toEqual([
      'The export of our report   stops half way: see https://x.example/a?b=c for a file.',
      'And the invoices show the wrong tax number\u200b, write to ann@b.example.',
    ])
  })

  test.each([
    ['one that is not in it', [EXPORT, 'And the invoices show the right tax number, write to …']],
    ['one with a letter changed', [EXPORT.replace('report', 'reports'), TAX]],
    ['the wrong order', [TAX, EXPORT]],
    ['pieces that overlap', [`${EXPORT}\nAnd the invoices`, TAX]],
    ['the same piece twice', [EXPORT, EXPORT, TAX]],
    ['too little of it', [EXPORT]],
    ['scraps', [EXPORT, 'And', TAX]],
    ['none', []],
    ['more than twelve', Array.from({ length: 13 }, () => EXPORT)],
  ])('are refused, all of them, with %s', (_what, pieces) => {
    expect(found(...pieces)).toBeNull()
  })

  test('are refused when one starts within a character', () => {
    const text = 'One thing 😀 is that nothing works'
    expect(findPieces(answer('One thing', '😀 is that nothing works'), readable(text))).toBeNull()
    expect(findPieces(answer(text), readable(text))).toEqual([{ start: 0, end: text.length }])
    expect(findPieces(answer(text.slice(11)), readable(text))).toBeNull()
  })

  test.each(['', 'The text is fine.', '<html></html>', '{"pieces": "all"}', '{"pieces": [1, 2]}', '[]', 'null'])(
    'are refused in another form: %s',
    (reply) => {
      expect(findPieces(reply, readable(TEXT))).toBeNull()
    },
  )
})
