import { expect, test } from 'vitest'
import { intentsOf } from '../text/intents.ts'
import { informativenessOf, titleQuality } from './readability.ts'
import { analysedSentences } from './sentences.ts'

const quality = (title: string) => titleQuality(title, intentsOf(title), title, 'en')

test.each([
  ['The export is empty', 'New export of reports'],
  ['Choose the colour of a chart', 'Own colour of a chart'],
  ['Vans lose their signal', 'A complaint from our vans'],
  ['Slow report for vans', 'Performance problem from our vans'],
  ['The colour is wrong', 'I selected the colour'],
  ['The chart needs a minute', 'Opened the chart'],
  ['Why is the export empty', 'Why is the the export empty'],
  ['Is the export planned', 'Is that planned for it'],
  ['What is the colour', "What's is the colour"],
  ['Is there a colour limit', 'Is there an colour limit'],
  ['My export is lost', 'What do I do if my export is lost'],
  ["I can't open the export", "I won't open the export"],
  ['Export stops after a minute', 'The error is gateway timeout'],
  ['Timer stops when phone sleeps', 'Timer ≠ running when phone sleeps'],
  ['The export of charts hangs', 'Chart export problems'],
  ['I want a blue parcel', 'I have a blue parcel'],
  ['What colour do I want', 'What colour do you want'],
  ['Why is my chart empty', 'Why is my chart is empty'],
  ['Skipped 4 rows of the import', 'Skipped 4 rows of 31 at the import'],
  ['Is there a way to export all', 'Is no way to export all'],
  ['Have to export each chart', 'Will export each chart'],
  ['Would love an export of charts', 'Would export the charts'],
  ['Charts are empty', 'Through empty charts'],
  ['In-app charts are empty', 'In app charts are empty'],
  ['Could not open a chart', 'Could open a chart'],
  ['After the update charts are empty', 'After updating the empty charts'],
  ['The charts are all empty', 'All because the charts are empty'],
])('%j reads better than %j', (better, worse) => {
  expect(quality(better)).toBeGreaterThan(quality(worse))
})

test('praise in a complaint is a poor name', () => {
  const of = (title: string, sentence: string) => titleQuality(title, intentsOf(title), sentence, 'en')
  const liked = 'The new chart is nice'
  expect(of(liked, `${liked}, loading it is brutal though`)).toBeLessThan(
    0.8 * of(liked, `${liked} for all of us here`),
  )
})

test('a title of many short words is not too long', () => {
  expect(quality('How old do I have to be to open a shop')).toBe(quality('How old must one be to open a shop'))
})

const telling = (text: string) => {
  const [read] = analysedSentences({ text, language: 'en' } as Parameters<typeof analysedSentences>[0])
  return read ? informativenessOf(read, 'en') : Number.NaN
}

test.each([
  ['The export stops after a minute', 'Same here, the export of ours after a minute'],
  ['The export stops after a minute', 'Export screen of the new reports page'],
  ['We cannot open the report', 'See https://x.example for the report that we cannot open'],
  ['Is the export of reports planned', 'Is that planned for the export of reports'],
])('%j tells more than %j', (more, less) => {
  expect(telling(more)).toBeGreaterThan(telling(less))
})
