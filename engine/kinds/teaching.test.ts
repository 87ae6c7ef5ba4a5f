import { describe, expect, test } from 'vitest'
import { classifyKind } from './classify.ts'
import { teach } from './teaching.ts'

const DIMENSIONS = 384

/** A vector of the encoder's length in the plane of its first two axes, at this angle in degrees. */
function at(degrees: number): Float32Array {
  const vector = new Float32Array(DIMENSIONS)
  vector[0] = Math.cos((degrees * Math.PI) / 180)
  vector[1] = Math.sin((degrees * Math.PI) / 180)
  return vector
}

describe('a corrected statement', () => {
  test('decides for the same words, whatever their case, punctuation and numbers', () => {
    const text = 'Your printer ate my homework, order 12'
    expect(classifyKind({ text }).kind).not.toBe('praise')
    const teaching = teach([{ text, kind: 'praise' }])
    for (const same of [text, 'your printer ate my homework - ORDER 4711!!']) {
      expect(classifyKind({ text: same }, teaching)).toMatchObject({ kind: 'praise', by: 'teaching', confidence: 1 })
    }
    expect(classifyKind({ text: 'The window does not close' }, teaching)).toMatchObject({
      kind: 'problem',
      by: 'model',
    })
  })

  test('decides for a very similar one by the encoder, and not for one further away', () => {
    const teaching = teach([{ text: 'kettle', vector: at(0), kind: 'request' }])
    const near = classifyKind({ text: 'teapot', vector: at(30) }, teaching)
    expect(near).toMatchObject({ kind: 'request', by: 'teaching' })
    expect(near.confidence).toBeCloseTo(Math.cos(Math.PI / 6), 4)
    expect(classifyKind({ text: 'teapot', vector: at(40) }, teaching).by).toBe('model')
  })

  test('decides for a very similar one by the word table', () => {
    const teaching = teach([{ text: 'The waiter wrote our names on the cake', kind: 'small talk' }])
    expect(classifyKind({ text: 'The waiter wrote our names on a cake!' }, teaching).by).toBe('teaching')
  })

  test('is compared only with statements read in the same way', () => {
    const teaching = teach([{ text: 'kettle', vector: at(0), kind: 'request' }])
    expect(classifyKind({ text: 'teapot' }, teaching).by).toBe('model')
  })

  test('without words decides only for the same characters', () => {
    const teaching = teach([{ text: '🦊🦊', vector: at(0), kind: 'praise' }])
    expect(classifyKind({ text: ' 🦊🦊 ', vector: at(0) }, teaching)).toMatchObject({ kind: 'praise', by: 'teaching' })
    expect(classifyKind({ text: '🗿', vector: at(0) }, teaching).by).toBe('model')
  })

  test('decides in an unknown language too, where nothing else can', () => {
    const text = 'Приложение не открывается'
    expect(classifyKind({ text }, teach([{ text, kind: 'problem' }])).kind).toBe('problem')
  })
})

describe('several corrected statements', () => {
  test('for the same words: the last counts', () => {
    const teaching = teach([
      { text: 'Nice try', kind: 'praise' },
      { text: 'nice try!', kind: 'problem' },
    ])
    expect(classifyKind({ text: 'NICE TRY' }, teaching).kind).toBe('problem')
  })

  test('nearby: the majority decides, weighted by similarity', () => {
    const near = (kind: 'praise' | 'question', degrees: number, text: string) => ({ text, vector: at(degrees), kind })
    const text = 'teapot'
    const two = teach([near('praise', 20, 'a1 b'), near('praise', -20, 'a2 b'), near('question', 15, 'a3 b')])
    expect(classifyKind({ text, vector: at(0) }, two).kind).toBe('praise')
    const close = teach([near('praise', 35, 'b1 a'), near('praise', -35, 'b2 a'), near('question', 2, 'b3 a')])
    expect(classifyKind({ text, vector: at(0) }, close).kind).toBe('question')
  })

  test('equally near and of different kinds: the newer decides', () => {
    const teaching = teach([
      { text: 'older one', vector: at(10), kind: 'praise' },
      { text: 'newer one', vector: at(10), kind: 'question' },
    ])
    expect(classifyKind({ text: 'teapot', vector: at(0) }, teaching).kind).toBe('question')
  })
})

test('without corrections nothing changes', () => {
  const text = 'The export fails for large reports'
  expect(classifyKind({ text }, teach([]))).toEqual(classifyKind({ text }))
})
