import { expect, it } from 'vitest'
import { discussionExports } from './cases/discussion-exports.ts'
import { productExports } from './cases/product-exports.ts'
import { preview } from './preview.ts'
import { options, readAll } from './testing.ts'

// That each of these files is read as its product's is tested in `cases`.

it('the dates of an anonymous survey are explained', async () => {
  const { file = '' } = productExports.find(({ what }) => what.startsWith('an anonymous survey')) ?? {}
  expect((await preview(Buffer.from(file), options('a.csv'))).undated).toEqual({
    rows: 2,
    samples: ['1980-01-01 00:00:00'],
    why: 'LimeSurvey writes 1980-01-01 as the date of every answer to an anonymous survey',
  })
  // In any other file it is a day like others.
  expect((await readAll('date,text\n1980-01-01 00:00:00,It began then')).items[0]?.at.getUTCFullYear()).toBe(1980)
})

it('rows that a product wrote itself are reported with the reason', async () => {
  const { file = '', name = '' } = discussionExports.find(({ what }) => what.startsWith('as JSON, without joins')) ?? {}
  expect((await readAll(file, name)).problems).toEqual([
    { line: 1, reason: 'The row is a notice of the channel, such as a join, not a message' },
    { line: 4, reason: 'The message was written by a bot' },
  ])
})

it('a type that is not one of Discord’s notices is a message', async () => {
  const row = { id: '1', type: 'feedback', timestamp: '2026-10-01T08:00:00Z', content: 'It is slow' }
  const file = JSON.stringify([{ ...row, author: { name: 'ada', isBot: false } }])
  expect((await readAll(file, 'chat.json')).items).toMatchObject([{ text: 'It is slow' }])
})
