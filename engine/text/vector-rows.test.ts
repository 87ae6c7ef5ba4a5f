import { meaningOf } from '@groundswell/fixtures/engine/meanings.ts'
import { statementsOf } from '@groundswell/fixtures/engine/statements.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { quantise } from './packed-vectors.ts'
import { cosine, statementVectors } from './statement-vectors.ts'
import { SENTENCE, sentenceRows, UNKNOWN, vectorRows, WORDS } from './vector-rows.ts'
import { DIMENSIONS } from './word-vectors.ts'

const TEXTS = [
  'the csv export fails',
  'my phone was lost on the train',
  'der Export der Tabelle bricht ab',
  'xqzv wvxk qpjz',
]

/** The statements of these texts, with vectors of a sentence encoder where given. */
function withVectors(texts: readonly string[], vectors: readonly (ArrayLike<number> | undefined)[]) {
  const all = statementsOf(texts)
  all.statements.forEach(({ features }, place) => {
    const vector = vectors[place]
    if (vector) features.vector = quantise(vector)
  })
  return all
}

const meanCosine = (rows: Float32Array, dimensions: number): number => {
  const size = rows.length / dimensions
  const mean = Array.from({ length: dimensions }, (_, i) => {
    let sum = 0
    for (let row = 0; row < size; row++) sum += rows[row * dimensions + i] as number
    return sum / size
  })
  return mean.reduce((sum, value) => sum + value * value, 0)
}

describe('vectors of statements', () => {
  test('are those of words where no statement has one of a sentence encoder', () => {
    const { statements, vocabulary } = withVectors(TEXTS, [])
    const { dimensions, known } = vectorRows(statements, vocabulary)
    expect(dimensions).toBe(DIMENSIONS)
    expect([...known]).toEqual([WORDS, WORDS, WORDS, UNKNOWN])
  })

  test('compare sentences where both have one, and words where one has not', () => {
    const meanings = [meaningOf(['export'], 'a'), meaningOf(['phone'], 'b'), undefined, meaningOf(['export'], 'c')]
    const { statements, vocabulary } = withVectors(TEXTS, meanings)
    const vectors = statementVectors(statements, vocabulary)
    expect([...vectors.known]).toEqual([SENTENCE, SENTENCE, WORDS, SENTENCE])
    expect(cosine(vectors, 0, 3)).toBeGreaterThan(0.5)
    expect(cosine(vectors, 0, 1)).toBeLessThan(0.3)
    // English and German: by the words of both.
    const byWords = statementVectors(withVectors(TEXTS, []).statements, vocabulary)
    expect(cosine(vectors, 0, 2)).toBeCloseTo(cosine(byWords, 0, 2), 5)
    expect(cosine(vectors, 0, 2)).toBeGreaterThan(0.3)
  })

  test('lose what all sentences of a workspace have in common, and only that', () => {
    const alike = Array.from({ length: 60 }, (_, n) => ({
      vector: quantise(meaningOf(['the company', n % 2 === 0 ? 'export' : 'phone'], String(n))),
    }))
    const apart = Array.from({ length: 60 }, (_, n) => ({ vector: quantise(meaningOf([`subject ${n}`], String(n))) }))
    const [common, diverse] = [sentenceRows(alike), sentenceRows(apart)]
    expect(meanCosine(common?.values ?? new Float32Array(), common?.dimensions ?? 1)).toBeCloseTo(0.08, 2)
    const raw = new Float32Array(apart.flatMap(({ vector }) => [...vector].map((value) => value / 508)))
    const before = meanCosine(raw, diverse?.dimensions ?? 1)
    expect(before).toBeLessThan(0.08)
    expect(meanCosine(diverse?.values ?? new Float32Array(), diverse?.dimensions ?? 1)).toBeCloseTo(before, 2)
  })

  test('have length 1 or 0, whatever is given', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 8, maxLength: 8 })),
        (given) => {
          const { statements, vocabulary } = withVectors(
            given.map((_, i) => `text ${i}`),
            given,
          )
          const { values, known, dimensions } = vectorRows(statements, vocabulary)
          known.forEach((kind, place) => {
            const row = values.subarray(place * dimensions, (place + 1) * dimensions)
            const length = Math.sqrt(row.reduce((sum, value) => sum + value * value, 0))
            expect(length).toBeCloseTo(kind === UNKNOWN ? 0 : 1, 4)
          })
        },
      ),
    )
  })

  test('of another length than the first one are left out', () => {
    const rows = sentenceRows([{ vector: quantise([1, 0, 0]) }, { vector: quantise([1, 0]) }, {}])
    expect([...(rows?.known ?? [])]).toEqual([SENTENCE, UNKNOWN, UNKNOWN])
    expect(sentenceRows([{}, {}])).toBeNull()
  })
})
