import { expect, test } from 'vitest'
import { comparisonCsv, comparisonJsonl } from './comparison-export.ts'
import { viewSessions } from './comparison-view.ts'
import { scatterOf } from './generator-scatter.ts'

const sessions = viewSessions({
  generators: ['one', '=two()'],
  comparisons: [
    {
      datetime_from: '2026-09-14T00:00:00Z',
      datetime_to: '2026-09-20T23:59:59Z',
      responses: [
        [{ name: 'The "export" hangs', quotes: ['-first', 'second'] }, { name: '@cmd' }],
        [{ name: '=1+1', extra: { a: 1 } }],
      ],
      formatted_user_input: 'said',
    },
  ],
})

test('what is shown is exported as JSON lines, unchanged', () => {
  const lines = comparisonJsonl('tickets', sessions).trimEnd().split('\n')
  const about = { source: 'tickets', from: '2026-09-14', to: '2026-09-20' }
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { ...about, generator: 'one', number: 1, response: { name: 'The "export" hangs', quotes: ['-first', 'second'] } },
    { ...about, generator: 'one', number: 2, response: { name: '@cmd' } },
    { ...about, generator: '=two()', number: 1, response: { name: '=1+1', extra: { a: 1 } } },
  ])
})

test('in CSV no cell is a formula, and each key has a column', () => {
  expect(comparisonCsv('tickets', sessions).split('\r\n')).toEqual([
    '"source","from","to","generator","number","name","quotes","extra"',
    `"tickets","2026-09-14","2026-09-20","one",1,"The ""export"" hangs","'-first\nsecond",""`,
    `"tickets","2026-09-14","2026-09-20","one",2,"'@cmd","",""`,
    `"tickets","2026-09-14","2026-09-20","'=two()",1,"'=1+1","","{""a"":1}"`,
    '',
  ])
})

test('two generators are compared over the inputs that both have responses to', () => {
  const two = {
    ...sessions.comparisons[0],
    rows: [[[['name', 'only one']], null]],
  } as (typeof sessions.comparisons)[number]
  const inputs = [...sessions.comparisons, two]
  const label = '2026-09-14 - 2026-09-20'
  expect(scatterOf(inputs, 0, 1, 'responses')).toEqual([{ label, x: 2, y: 1 }])
  // "The "export" hangs" and ["-first","second"], then "@cmd": (18 + 19 + 4) / 2; "=1+1" and {"a":1}.
  expect(scatterOf(inputs, 0, 1, 'characters')).toEqual([{ label, x: 21, y: 11 }])
})
