import { expect, test } from 'vitest'
import { similarityScores as inSteps } from './similarity-scores.ts'

function similaritiesTo(texts: string[], picked: number[]): Float32Array {
  const steps = inSteps(texts, picked)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

const LATE = [
  'The payout is late again, it should have been here on Monday',
  'Nine days until the money for my sales arrives in my bank account',
  'My earnings get to the bank later than you promise',
  'Still waiting for the transfer of last week, when does the payment come',
]
const OTHERS = [
  'Dark mode makes the calendar unreadable',
  'Please let me print all shipping labels at once',
  'The discount code is refused at the checkout',
  'How do I invite a colleague to my team',
  'Photos of my products look blurry on the phone',
  'I would like to sort the list by name',
]

const inOrder = (texts: string[], picked: number[]) =>
  [...similaritiesTo(texts, picked).entries()]
    .filter(([place]) => !picked.includes(place))
    .sort(([, a], [, b]) => b - a)
    .map(([place]) => place)

test('texts that say the same in other words rank before the rest', () => {
  const texts = [...OTHERS, ...LATE]
  const late = LATE.map((_, place) => OTHERS.length + place)
  for (const one of late) expect(late).toContain(inOrder(texts, [one])[0])
  const [first = 0, second = 0, ...rest] = late
  expect(new Set(inOrder(texts, [first, second]).slice(0, 2))).toEqual(new Set(rest))
})

test('texts in another language are found', () => {
  const texts = [
    ...OTHERS,
    'Die Auszahlung auf mein Bankkonto kommt immer zu spät',
    'The payout to my bank account is always late',
  ]
  expect(inOrder(texts, [7])[0]).toBe(6)
})

test('texts without words, or of any size, score zero', () => {
  const texts = ['', '🤯🤯', 'x'.repeat(1_000_000), 'payout late', '\u0000', 'payout late again']
  const found = similaritiesTo(texts, [3])
  expect(found.every(Number.isFinite)).toBe(true)
  expect(inOrder(texts, [3])[0]).toBe(5)
  expect(similaritiesTo([], [])).toHaveLength(0)
  expect(similaritiesTo(['a', 'b'], [])).toEqual(new Float32Array(2))
})

test('is deterministic', () => {
  const texts = [...LATE, ...OTHERS]
  expect(similaritiesTo(texts, [0, 2])).toEqual(similaritiesTo(texts, [0, 2]))
})
