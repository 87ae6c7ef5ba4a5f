import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ForwardIndex } from './forward-index.ts'
import { MAX_READ, Postings } from './postings.ts'

/** The newest living holders of a term, as a reader finds them. */
function newest({ nodes, spans }: Postings, term: number, alive: (node: number) => boolean): number[] {
  const start = spans[2 * term] ?? 0
  const held = [...nodes.subarray(start, start + (spans[2 * term + 1] ?? 0))]
  return held.reverse().filter(alive).slice(0, MAX_READ)
}

test('the newest live nodes of a term are available while the index is usable, however many there were', () => {
  const nodeTerms = fc.uniqueArray(fc.nat(12), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(
      fc.array(nodeTerms, { minLength: 1_400, maxLength: 1_600, size: 'max' }),
      fc.uniqueArray(fc.nat(1_599), { maxLength: 300, size: 'max' }),
      (held, dying) => {
        const rows = new ForwardIndex()
        const nodes: (object | null)[] = []
        let postings = new Postings()
        let dead = 0
        held.forEach((own, node) => {
          const terms = Int32Array.from(own)
          const features = { terms, counts: new Uint8Array(terms.length), words: 0, short: terms.length }
          rows.add(features, 0)
          nodes.push({})
          postings.add(node, features)
        })
        for (const node of dying) {
          if (node >= nodes.length) continue
          nodes[node] = null
          dead++
          if (!postings.isUsable(dead)) postings = Postings.of(nodes, rows)
        }
        const holders = (term: number) =>
          held
            .flatMap((own, node) => (own.includes(term) && nodes[node] ? [node] : []))
            .reverse()
            .slice(0, MAX_READ)
        for (let term = 0; term <= 12; term++) {
          expect(newest(postings, term, (node) => nodes[node] !== null)).toEqual(holders(term))
        }
      },
    ),
    { numRuns: 15 },
  )
})

test('lists of very common terms stay bounded', () => {
  const rows = new ForwardIndex()
  const features = { terms: Int32Array.of(3), counts: Uint8Array.of(4), words: 1, short: 1 }
  const postings = new Postings(8, 8)
  for (let node = 0; node < 50_000; node++) {
    rows.add(features, 0)
    postings.add(node, features)
  }
  expect(postings.nodes.length).toBeLessThan(5_000)
  expect(newest(postings, 3, () => true)[0]).toBe(49_999)
})
