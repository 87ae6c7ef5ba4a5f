import type { ReadingState } from '@groundswell/contract/feedback/reading.ts'
import { expect, test } from 'vitest'
import { reachText, readingText, readingTime, reviewErrorText, reviewText } from './reading-words.ts'

const base: ReadingState = {
  scope: 'off',
  paused: false,
  reviews: false,
  reviews_stopped: false,
  read: 0,
  empty: 0,
  unread: 0,
  left: 0,
  stored: 2_000,
  tokens: 90_000,
  tokens_per_day: 200_000,
  chosen_by: null,
  chosen_at: null,
}

test('says what was read, and what is left', () => {
  expect(readingText(base)).toBe('Off. Messages are grouped by their own words.')
  expect(readingText({ ...base, scope: 'new' })).toBe('Up to date.')
  expect(readingText({ ...base, scope: 'all', left: 1_203, read: 1, empty: 2, unread: 1 })).toBe(
    '1,203 messages to read, the newest first. So far: 1 message read, 2 in which nothing was found, 1 grouped by its own words.',
  )
  expect(readingText({ ...base, scope: 'all', paused: true, left: 3, read: 5 })).toBe(
    'Paused. So far: 5 messages read.',
  )
  expect(readingText({ ...base, read: 5 })).toBe('Off. So far: 5 messages read.')
})

test('says how many days the stored messages take', () => {
  expect(readingTime(base)).toBe('That fits into one day’s budget.')
  expect(readingTime({ ...base, tokens: 450_000 })).toBe('At half of the day’s budget, that takes about 5 days.')
  expect(readingTime({ ...base, tokens_per_day: null })).toBe('')
})

test('says in numbers what reading may change', () => {
  expect(reachText(base)).toBe('')
  const reach = { insights: 14, insights_to_change: 12, ungrouped: 120, kept: 30 }
  expect(reachText({ ...base, reach })).toBe(
    '12 of 14 insights may grow, be merged or split, or end. 120 messages in no insight may join one. 30 messages that people have corrected, or in insights that they have locked, stay as they are.',
  )
  expect(reachText({ ...base, reach: { insights: 0, insights_to_change: 0, ungrouped: 0, kept: 1 } })).toBe(
    'There is no insight yet. 1 message that people have corrected, or in insights that they have locked, stays as it is.',
  )
})

test('says what reviews take now', () => {
  expect(reviewText(base)).toBe('')
  const tokens = { least: 2_300, most: 2_900 }
  expect(reviewText({ ...base, reviews_due: 2, review_tokens: tokens })).toBe(
    '2 insights to review now, for about 2,300 to 2,900 tokens.',
  )
  expect(reviewText({ ...base, reviews_due: 0, review_tokens: { least: 0, most: 0 } })).toBe(
    'No insight is to be reviewed now.',
  )
})

test('says how often reviews are wrong, and how to go on when that is too often', () => {
  expect(reviewErrorText(base)).toBe('')
  expect(reviewErrorText({ ...base, review_errors: { asked: 0, wrong: 0, rate: 0.05 } })).toBe('')
  expect(reviewErrorText({ ...base, review_errors: { asked: 30, wrong: 1, rate: 0.04 } })).toBe(
    'Of 30 reviews with control questions, 1 was wrong: an estimated error rate of 4%.',
  )
  const stopped = {
    ...base,
    reviews: true,
    reviews_stopped: true,
    reviews_due: 3,
    review_tokens: { least: 1, most: 2 },
  }
  expect(reviewErrorText({ ...stopped, review_errors: { asked: 10, wrong: 5, rate: 0.2 } })).toMatch(
    /^Of 10 reviews with control questions, 5 were wrong: an estimated error rate of 20%\. That is too often: no insight is reviewed.*start again to measure this one again\.$/,
  )
  expect(reviewText(stopped)).toBe('')
})
