import { statementsOf } from '@groundswell/fixtures/engine/statements.ts'
import { describe, expect, test } from 'vitest'
import {
  addVectorEvidence,
  combinedEvidence,
  cosine,
  lengthFactor,
  sketchesOf,
  statementVectors,
} from './statement-vectors.ts'
import { evidenceOf } from './weights.ts'

const CARDS = ['my card was stolen', 'i lost my wallet on the train', 'somebody took my purse']
const OTHERS = [
  'the csv export fails for large reports',
  'please add a dark theme to the app',
  'how do i invite a colleague',
  'the invoice shows the wrong tax',
  'what is the weather tomorrow',
  'translate this sentence to french',
]

describe('what words mean', () => {
  test('brings texts together that share no word of their subject', () => {
    const { statements, vocabulary } = statementsOf([...CARDS, ...OTHERS])
    const vectors = statementVectors(statements, vocabulary)
    expect([...vectors.known]).toEqual(statements.map(() => 1))
    const among = cosine(vectors, 0, 1)
    for (let other = CARDS.length; other < statements.length; other++) {
      expect(cosine(vectors, 0, other)).toBeLessThan(among)
    }
  })

  test('says nothing about languages without a table, unknown words and nothing', () => {
    const { statements, vocabulary } = statementsOf(['экспорт счетов не работает', 'zxqv wqzzk jjqx', ''])
    expect([...statementVectors(statements, vocabulary).known]).toEqual([0, 0, 0])
  })

  test.each([
    ['de', 'ich habe mein Passwort vergessen'],
    ['fr', "j'ai oublié mon mot de passe"],
    ['es', 'he olvidado mi contraseña'],
    ['pt', 'esqueci minha senha e não consigo entrar'],
  ])('is one space for all languages: %s', (_, forgotten) => {
    const { statements, vocabulary } = statementsOf(['i forgot my password', forgotten, ...CARDS, ...OTHERS])
    const vectors = statementVectors(statements, vocabulary)
    const alike = cosine(vectors, 0, 1)
    expect(alike).toBeGreaterThan(0.4)
    for (let other = 2; other < statements.length; other++) expect(cosine(vectors, 1, other)).toBeLessThan(alike)
  })
})

describe('evidence', () => {
  test('of a pair is the same with sketches as without, but for what is far', () => {
    const { statements, vocabulary } = statementsOf([...CARDS, ...OTHERS])
    const vectors = statementVectors(statements, vocabulary)
    let compared = 0
    for (let place = 1; place < statements.length; place++) {
      const sums = new Float32Array(statements.length).fill(0.5)
      addVectorEvidence(vectors, sketchesOf(vectors), place, sums)
      for (let j = 0; j < place; j++) {
        const exact = combinedEvidence(
          0.5,
          cosine(vectors, place, j),
          (vectors.lengthFactors[place] as number) * (vectors.lengthFactors[j] as number),
          false,
        )
        const alike = cosine(vectors, place, j)
        const skipped = sums[j] === Math.fround(0.5 * 0.76)
        if (!skipped) compared++
        expect(skipped ? alike < 0.6 : Math.abs((sums[j] as number) - exact) < 1e-5).toBe(true)
      }
      expect([...sums.subarray(place)].every((sum) => sum === 0.5)).toBe(true)
    }
    expect(compared).toBeGreaterThan(0)
  })

  test('grows with what is shared, with the cosine, and with the length', () => {
    expect(combinedEvidence(1, 0.8, 1, false)).toBeGreaterThan(combinedEvidence(1, 0.5, 1, false))
    expect(combinedEvidence(1, 0.8, 1, false)).toBeGreaterThan(combinedEvidence(0.5, 0.8, 1, false))
    expect(combinedEvidence(1, 0.8, lengthFactor(20) ** 2, false)).toBeGreaterThan(combinedEvidence(1, 0.8, 1, false))
  })

  test('of meaning alone is never enough to join two short texts that share no word', () => {
    expect(combinedEvidence(0, 0.75, lengthFactor(4) ** 2, false)).toBeLessThan(evidenceOf(0.4))
  })

  test('of two languages, which share no words, is enough where both mean the same, and only then', () => {
    expect(combinedEvidence(0, 0.75, lengthFactor(8) ** 2, true)).toBeGreaterThan(evidenceOf(0.4))
    expect(combinedEvidence(0, 0.45, lengthFactor(8) ** 2, true)).toBeLessThan(evidenceOf(0.4))
    expect(combinedEvidence(0, 0.2, 1, true)).toBe(0)
    expect(combinedEvidence(3, 0.75, 1, true)).toBe(combinedEvidence(3, 0.75, 1, false))
  })

  test('of two languages is worked out also where sketches would say that two of one language are too far', () => {
    const { statements, vocabulary } = statementsOf([...CARDS, 'mon portefeuille a été volé dans le train', ...OTHERS])
    const vectors = statementVectors(statements, vocabulary)
    const place = CARDS.length
    const sums = new Float32Array(statements.length)
    addVectorEvidence(vectors, sketchesOf(vectors), place, sums)
    const lengths = (vectors.lengthFactors[place] as number) * (vectors.lengthFactors[1] as number)
    expect(sums[1]).toBeCloseTo(combinedEvidence(0, cosine(vectors, place, 1), lengths, true), 5)
    expect(sums[1]).toBeGreaterThan(0)
  })
})
