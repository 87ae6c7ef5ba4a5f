import { describe, expect, test } from 'vitest'
import { type StatementVectors, statementVectors } from '../text/statement-vectors.ts'
import { Vocabulary } from '../text/vocabulary.ts'
import { isCoherent, type Member } from './coherence.ts'

const REQUEST = 'Please add an export of invoices to Excel'
const PRAISE = 'Great, I love it'

/** Vectors in the plane, by angle in degrees; null: none. */
function vectorsAt(angles: readonly (number | null)[]): StatementVectors {
  const empty = { terms: new Int32Array(), counts: new Uint8Array(), words: 5 }
  const none = statementVectors(
    angles.map(() => ({ features: empty as never, language: 'en' as const })),
    new Vocabulary(),
  )
  const values = Float32Array.from(
    angles.flatMap((angle) =>
      angle === null ? [0, 0] : [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)],
    ),
  )
  return { ...none, dimensions: 2, values, known: Uint8Array.from(angles, (angle) => (angle === null ? 0 : 2)) }
}

function membersSaying(text: string, count: number): Member[] {
  return Array.from({ length: count }, (_, place) => ({ place, node: { text } }))
}

describe('a group is coherent', () => {
  test('if its members mean nearly the same', () => {
    expect(isCoherent(vectorsAt([0, 10, 20, 30, 40]), membersSaying(REQUEST, 5))).toBe(true)
    expect(isCoherent(vectorsAt([0, 72, 144, 216, 288]), membersSaying(REQUEST, 5))).toBe(false)
  })

  test('if each has a few near ones: not all need to be near to all', () => {
    const angles = [0, 5, 10, 15, 100, 105, 110, 115]
    expect(isCoherent(vectorsAt(angles), membersSaying(REQUEST, 8))).toBe(true)
  })

  test('unless it is praise, which is alike without a subject', () => {
    expect(isCoherent(vectorsAt([0, 10, 20]), membersSaying(PRAISE, 3))).toBe(false)
  })

  test('if most have no vector, of which nothing is known', () => {
    expect(isCoherent(vectorsAt([null, null, null, 0]), membersSaying(REQUEST, 4))).toBe(true)
    expect(isCoherent(vectorsAt([0, 180, 90, null]), membersSaying(REQUEST, 4))).toBe(false)
  })
})
