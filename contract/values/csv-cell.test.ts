import { expect, test } from 'vitest'
import { csvCell } from './csv-cell.ts'

test.each([
  ['plain', '"plain"'],
  ['', '""'],
  [null, '""'],
  [-3, '"-3"'],
  ['two "words", and\nlines', '"two ""words"", and\nlines"'],
  ['=1+1', `"'=1+1"`],
  ['+1', `"'+1"`],
  ['-1', `"'-1"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  ['\t=1', `"'\t=1"`],
  ['\r=1', `"'\r=1"`],
  ['\n=1', `"'\n=1"`],
  ['＝1', `"'＝1"`],
  ['a=1', '"a=1"'],
  ["'=1", `"''=1"`],
  ["'tis", `"'tis"`],
])('%j as a cell', (value, cell) => {
  expect(csvCell(value)).toBe(cell)
})
