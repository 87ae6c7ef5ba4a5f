import { readFileSync } from 'node:fs'
import path from 'node:path'
import { classifyKind } from '@groundswell/engine/kinds/classify.ts'
import { KINDS, type Kind } from '@groundswell/engine/kinds/kind.ts'
import { bytesOf } from '@groundswell/engine/text/base64.ts'
import { describe, expect, test } from 'vitest'
import { minimise } from '../minimise.ts'
import { evaluationOf, ownExamples, SOURCES, secondLabeller, secondPass, trainingOf } from './kinds-examples.ts'
import { agreement, agreementOn, calibration, confusion, type Judged, scoreKinds } from './kinds-scores.ts'
import { fit, type Sample, train } from './kinds-training.ts'

const DIMENSIONS = 384
const own = ownExamples()
const heldOut = evaluationOf(own)

describe('our own examples', () => {
  test('no two share their wording, so that none of the held-out part is in training', () => {
    const texts = own.map(({ text }) => text.toLowerCase().replace(/\s+/g, ' ').trim())
    expect(texts.filter((text, i) => texts.indexOf(text) !== i)).toEqual([])
    expect(trainingOf(own).length + heldOut.length).toBe(own.length)
  })

  test('have 150 and more of every kind, and 30 and more of it from every kind of source', () => {
    for (const kind of KINDS) {
      expect(own.filter((one) => one.kind === kind).length).toBeGreaterThan(150)
      for (const source of Object.keys(SOURCES)) {
        expect(own.filter((one) => one.kind === kind && one.source === source).length).toBeGreaterThan(30)
      }
    }
  })
})

/** The encoder's vectors of the held-out part, which kinds.ts --train stores: the encoder is optional, these tests are not. */
function heldOutVectors(): Int8Array[] {
  const file = path.resolve(import.meta.dirname, '../../../fixtures/engine/kinds/own-vectors.json')
  const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as { vectors: string }
  const all = new Int8Array(bytesOf(vectors).buffer)
  return heldOut.map((_, i) => all.subarray(i * DIMENSIONS, (i + 1) * DIMENSIONS))
}

function judge(vectors: readonly (Int8Array | undefined)[]) {
  return heldOut.map(({ text, kind, source }, i) => {
    const { kind: said, confidence } = classifyKind({ text, vector: vectors[i] })
    return { source, kind, said, confidence }
  })
}

describe('on our own held-out examples the classifier', () => {
  const encoded = judge(heldOutVectors())
  const plain = judge(heldOut.map(() => undefined))

  test('reaches a macro-F1 of 82 with the encoder and 79 without it', () => {
    expect(scoreKinds(encoded).macroF1).toBeGreaterThan(82)
    expect(scoreKinds(plain).macroF1).toBeGreaterThan(79)
  })

  test('with the encoder reaches 75 for every kind of source, and 78 for every kind', () => {
    for (const source of Object.keys(SOURCES)) {
      expect(scoreKinds(encoded.filter((one) => one.source === source)).macroF1).toBeGreaterThan(75)
    }
    for (const kind of KINDS) expect(scoreKinds(encoded).f1[kind]).toBeGreaterThan(78)
  })

  test('is right about as often as it says', () => {
    for (const judged of [encoded, plain]) {
      const { confidence, right } = calibration(judged, 0, 1.01)
      expect(Math.abs(confidence - right)).toBeLessThan(6)
    }
  })

  test('needs the vectors that it is given: those of other statements make it worse', () => {
    const vectors = heldOutVectors()
    expect(scoreKinds(judge([...vectors.slice(1), ...vectors.slice(0, 1)])).macroF1).toBeLessThan(75)
  })
})

describe('scores', () => {
  const judged = (...pairs: [Kind, Kind | null][]): Judged[] =>
    pairs.map(([kind, said]) => ({ kind, said, confidence: 0.8 }))
  const many = (count: number, kind: Kind, said: Kind | null) =>
    judged(...Array.from({ length: count }, (): [Kind, Kind | null] => [kind, said]))

  test('a kind that is missed or cannot be told counts against it, a rare kind against no mean', () => {
    const scores = scoreKinds([
      ...many(6, 'problem', 'problem'),
      ...many(2, 'problem', null),
      ...many(5, 'praise', 'praise'),
      ...many(3, 'praise', 'problem'),
      ...many(2, 'question', 'praise'),
    ])
    expect(scores.f1.problem).toBeCloseTo((100 * 12) / (8 + 9))
    expect(scores.f1.praise).toBeCloseTo((100 * 10) / (8 + 7))
    expect(scores.f1.question).toBeNull()
    expect(scores.macroF1).toBeCloseTo(((scores.f1.problem ?? 0) + (scores.f1.praise ?? 0)) / 2)
    expect(scores.accuracy).toBeCloseTo((100 * 11) / 18)
  })

  test('the confusion has a row for what is right and a column for what was said, unknown last', () => {
    expect(confusion([...many(2, 'request', 'question'), ...many(1, 'request', null)])[1]).toEqual([0, 0, 2, 0, 0, 1])
  })

  test("Cohen's kappa is 1 for equal labels and 0 for agreement by chance", () => {
    const pairs = (...all: [Kind, Kind][]) => all.map(([first, second]) => ({ first, second }))
    expect(agreement(pairs(['problem', 'problem'], ['praise', 'praise']))).toEqual({ raw: 100, kappa: 1 })
    expect(
      agreement(pairs(['problem', 'problem'], ['problem', 'praise'], ['praise', 'problem'], ['praise', 'praise'])),
    ).toEqual({ raw: 50, kappa: 0 })
  })

  test('agreement on a kind counts the labels of that kind by either labeller', () => {
    const pairs: { first: Kind; second: Kind }[] = [
      { first: 'problem', second: 'problem' },
      { first: 'problem', second: 'praise' },
      { first: 'praise', second: 'praise' },
      { first: 'request', second: 'request' },
    ]
    expect(agreementOn('problem', pairs)).toBeCloseTo((100 * 2) / 3)
    expect(agreementOn('request', pairs)).toBe(100)
  })

  test('the second labeller agrees with the first on 388 of 400, half of them our own examples, from every kind of source', () => {
    const all = secondLabeller()
    expect(all.length).toBe(400)
    expect(all.filter(({ isOwn }) => isOwn).length).toBe(200)
    for (const source of Object.keys(SOURCES)) expect(all.filter((one) => one.source === source).length).toBe(80)
    const { raw, kappa } = agreement(all)
    expect(raw).toBeCloseTo(97)
    expect(kappa).toBeCloseTo(0.961, 3)
  })

  test('of the labels given twice, 391 of 400 are equal', () => {
    const { raw, kappa } = agreement(secondPass())
    expect(raw).toBeCloseTo(97.75)
    expect(kappa).toBeCloseTo(0.969, 3)
  })
})

describe('training', () => {
  const samples: Sample[] = Array.from({ length: 200 }, (_, i) => {
    const kind = KINDS[Math.floor(i / KINDS.length) % KINDS.length] as Kind
    const input = new Float32Array(KINDS.length).fill(((i * 37) % 11) / 50)
    input[KINDS.indexOf(kind)] = 3
    return { input, kind }
  })

  test('finds what tells the kinds apart, and gives the same weights every time', () => {
    const { weights, temperature } = train(samples)
    expect(temperature).toBeLessThan(1)
    for (const [place] of KINDS.entries()) {
      const own = weights.subarray(place * (KINDS.length + 1), (place + 1) * (KINDS.length + 1) - 1)
      expect(own.indexOf(Math.max(...own))).toBe(place)
    }
    expect(train(samples)).toEqual({ weights, temperature })
  })

  test('gives rare kinds more importance than their number', () => {
    const rare = samples.filter(({ kind }, i) => kind !== 'praise' || i < 25)
    const bias = (of: Sample[]) => fit(of).weights[KINDS.indexOf('praise') * (KINDS.length + 1) + KINDS.length] ?? 0
    expect(bias(rare)).toBeLessThan(0)
    expect(bias(rare)).toBeGreaterThan(Math.log(5 / 165))
  })

  test('minimises a badly scaled convex function', () => {
    const found = minimise(
      (point, gradient) => {
        let value = 0
        point.forEach((one, i) => {
          const scale = 10 ** i
          value += 0.5 * scale * (one - i) ** 2
          gradient[i] = scale * (one - i)
        })
        return value
      },
      Float64Array.of(9, 9, 9, 9),
      100,
    )
    found.forEach((one, i) => expect(one).toBeCloseTo(i, 4))
  })
})
