import type { LanguageModel } from '@groundswell/contract/models/language-model.ts'
import { expect, test } from 'vitest'
import { budgetText, estimateText, judgeErrorText } from './language-model-words.ts'

const base: LanguageModel = {
  model: null,
  where: null,
  messages: 794,
  undecided: 312,
  unnamed: 36,
  tokens: 134_400,
  tokens_per_thousand: { least: 190_000, most: 350_000 },
}
const RATE = 'About 190,000 to 350,000 tokens per 1,000 messages.'

test('the estimate is for 1,000 messages and for what is stored now', () => {
  expect(estimateText(base)).toBe(
    `${RATE} For the 794 messages stored now: about 130,000 (312 in no insight, 36 insights to name); long messages come on top.`,
  )
  expect(estimateText({ ...base, messages: 1, undecided: 1, unnamed: 0, tokens: 350 })).toBe(
    `${RATE} For the 1 message stored now: about 350 (1 in no insight); long messages come on top.`,
  )
})

test('where there is nothing to ask, it says so', () => {
  expect(estimateText({ ...base, messages: 0, undecided: 0, unnamed: 0, tokens: 0 })).toBe(
    `${RATE} Nothing is stored yet.`,
  )
  expect(estimateText({ ...base, undecided: 0, unnamed: 0, tokens: 0 })).toBe(
    `${RATE} Of the 794 messages stored now, there is nothing left to ask.`,
  )
})

test('says how the budget of a day is shared', () => {
  expect(budgetText(base)).toBe('')
  expect(budgetText({ ...base, tokens_per_day: null })).toBe('')
  expect(budgetText({ ...base, tokens_per_day: 200_000 })).toMatch(/^The server may use 200,000 tokens a day/)
})

test('says how often it is wrong about controls', () => {
  expect(judgeErrorText(base)).toBe('')
  expect(judgeErrorText({ ...base, judge_errors: { asked: 0, wrong: 0, rate: 0.05 } })).toBe('')
  expect(judgeErrorText({ ...base, judge_errors: { asked: 80, wrong: 4, rate: 0.05 } })).toBe(
    'Of 80 control questions about messages in no insight, it answered 4 wrong: an estimated error rate of 5%, by which its answers are weighed.',
  )
})
