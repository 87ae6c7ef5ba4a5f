import { expect, test } from 'vitest'
import { isOwnAuthor } from './own-author.ts'

const replies = [
  'Sorry to hear that! Please send us a DM with your order number and we will look into it.',
  'Thanks for reaching out. Our team is looking into this and will get back to you.',
  'We apologise for the wait. Please let us know if there is anything else we can do.',
  'Happy to help! Could you let us know which version you are using?',
  'Thank you for your patience, we have forwarded this to our engineers.',
]
const complaints = [
  'The export of invoices stops at page two',
  'It still fails with a blank page',
  'Please add a dark mode',
  'My parcel never arrived',
  'Great app otherwise',
]

test('who mostly writes like a company’s support is of the own side', () => {
  expect(isOwnAuthor(replies)).toBe(true)
  expect(isOwnAuthor([...replies, ...complaints.slice(0, 2)])).toBe(true)
})

test('few messages, or as many of a customer’s, decide nothing: the author stays a customer', () => {
  expect(isOwnAuthor(replies.slice(0, 4))).toBe(false)
  expect(isOwnAuthor([...replies, ...complaints])).toBe(false)
  expect(isOwnAuthor(complaints)).toBe(false)
})

test('who answers many numbered customers is of the own side, whatever is said', () => {
  const answers = complaints.map((text, at) => `@10023${at} ${text}`)
  expect(isOwnAuthor(answers)).toBe(true)
  expect(isOwnAuthor([...answers, ...complaints])).toBe(false)
})

test('who writes to few people is a customer', () => {
  expect(isOwnAuthor(complaints.map((text) => `@100231 ${text}`))).toBe(false)
  expect(isOwnAuthor(complaints.map((text) => `@exampleair ${text}`))).toBe(false)
})

test('who addresses many at once answers nobody', () => {
  expect(isOwnAuthor(complaints.map((text, at) => `@10023${at} @200100 @300100 ${text}`))).toBe(false)
})

test('a name in place of a number tells less: a helpful user also answers many', () => {
  const toNames = (texts: readonly string[]) => texts.map((text, at) => `@user_${'abcde'[at]} ${text}`)
  expect(isOwnAuthor(toNames(complaints))).toBe(false)
  expect(isOwnAuthor(toNames([...replies.slice(0, 2), ...complaints.slice(0, 3)]))).toBe(true)
})
