import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Features } from '../../text/features.ts'
import { ForwardIndex } from './forward-index.ts'

type Kept = { features: Features; issue: number }

const row = fc
  .record({
    terms: fc.array(fc.nat(2 ** 20 - 1), { maxLength: 1_200, size: 'max' }),
    parts: fc.tuple(fc.nat(1_000), fc.nat(1_000)),
    issue: fc.nat(9),
  })
  .map(({ terms, parts, issue }): Kept => {
    const [words, short] = parts.map((part) => Math.floor((part / 1_000) * terms.length)).sort((a, b) => a - b)
    const counts = Uint8Array.from(terms, (term) => term % 256)
    return { features: { terms: Int32Array.from(terms), counts, words: words ?? 0, short: short ?? 0 }, issue }
  })

function heldIn(rows: ForwardIndex, size: number): Kept[] {
  const indices = Array.from({ length: size }, (_, node) => node)
  return rows.featuresOf(indices).map((features, node) => ({ features, issue: rows.issue(node) }))
}

test('gives back what was kept, over many pages, and after some have gone', () => {
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 60, size: 'max' }),
      fc.array(fc.boolean(), { minLength: 120, maxLength: 120 }),
      (added, stays) => {
        const rows = new ForwardIndex()
        let kept = [...added, ...added]
        for (const { features, issue } of kept) rows.add(features, issue)
        expect(heldIn(rows, kept.length)).toEqual(kept)
        const renamed = new Int32Array(kept.length).fill(-1)
        kept = kept.filter((_, node) => stays[node])
        let next = 0
        renamed.forEach((_, node) => {
          if (stays[node]) renamed[node] = next++
        })
        rows.renumber(renamed, kept.length)
        expect(heldIn(rows, kept.length)).toEqual(kept)
        for (const { features } of added) rows.add(features, 77)
        const more = added.map(({ features }) => ({ features, issue: 77 }))
        expect(heldIn(rows, kept.length + more.length)).toEqual([...kept, ...more])
      },
    ),
    { numRuns: 40 },
  )
})

test('takes no more memory than the remaining entries need', () => {
  const rows = new ForwardIndex()
  const features: Features = { terms: new Int32Array(1_000), counts: new Uint8Array(1_000), words: 0, short: 0 }
  for (let round = 0; round < 20; round++) {
    for (let i = 0; i < 100; i++) rows.add(features, 0)
    rows.renumber(
      Int32Array.from({ length: 200 - (round === 0 ? 100 : 0) }, (_, node) => (node < 100 ? node : -1)),
      100,
    )
  }
  expect(rows.pages.length).toBeLessThan(10)
})

test('knows which stems a node has, and by which terms it is found', () => {
  const rows = new ForwardIndex()
  rows.add({ terms: Int32Array.of(5, 9, 12, 40), counts: Uint8Array.of(4, 8, 4, 4), words: 2, short: 3 }, 0)
  expect([5, 9, 12, 40].map((term) => rows.hasStem(0, term))).toEqual([true, true, false, false])
  const into = new Int32Array(8)
  expect([...into.subarray(0, rows.indexedTerms(0, into))]).toEqual([5, 9, 12])
})
