import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lineBreakOf, lineSplitter } from '../line-splitter.ts'
import { tableRows } from './table-rows.ts'

function rowsOf(text: string, delimiter = ',', literalQuotes = false) {
  const bytes = Buffer.from(text)
  const splitter = lineSplitter(lineBreakOf(bytes))
  const reader = tableRows({ delimiter, literalQuotes })
  const lines = [...splitter.push(bytes), ...splitter.end()]
  return [...lines.flatMap((line) => reader.push(line)), ...reader.end()]
}

const cell = fc.string({ unit: fc.constantFrom('a', 'é', '🙂', ' ', ',', '"', '\n', ';'), maxLength: 8 })
const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`

describe('table rows', () => {
  it('are those of csv-parse for every well-formed file', () => {
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 6 }), (table) => {
        const text = table.map((row) => row.map(quoted).join(',')).join('\n')
        const ours = rowsOf(text)
        const theirs = parse(text, { relax_column_count: true }) as string[][]
        expect(ours.map((row) => row.cells)).toEqual(theirs)
        expect(ours.every((row) => row.problem === null)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('start at the reported line, whatever the input, and none is lost silently', () => {
    const text = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r\n', ' '), maxLength: 60 })
    fc.assert(
      fc.property(text, fc.boolean(), (input, literalQuotes) => {
        const rows = rowsOf(input, ',', literalQuotes)
        const numbers = rows.map((row) => row.line)
        expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
        expect(new Set(numbers).size).toBe(numbers.length)
        const letters = (value: string) => value.replaceAll(/[^a]/g, '').length
        const read = rows.reduce((sum, row) => sum + letters(row.cells.join('')), 0)
        const bad = rows.filter((row) => row.problem !== null).length
        expect(read === letters(input) || bad > 0).toBe(true)
        expect(literalQuotes ? bad : 0).toBe(0)
      }),
      { numRuns: 1000 },
    )
  })

  it.each([
    ['a,b', [['a', 'b']]],
    ['a,', [['a', '']]],
    [',', [['', '']]],
    ['a, "b, c" ,d', [['a', 'b, c', 'd']]],
    ['"a""b",c', [['a"b', 'c']]],
    ['a"b,c', [['a"b', 'c']]],
    [
      '"a\n\nb",c\nd,e',
      [
        ['a\n\nb', 'c'],
        ['d', 'e'],
      ],
    ],
    ['""', [['']]],
    ['a\n\n\nb', [['a'], ['b']]],
  ])('of %j are %j', (text, cells) => {
    expect(rowsOf(text).map((row) => row.cells)).toEqual(cells)
  })
})

describe('records that are never closed', () => {
  /** How often the texts of these lines are read, for each line. */
  function readsPerLine(texts: readonly string[], literalQuotes: boolean): number {
    let reads = 0
    const reader = tableRows({ delimiter: literalQuotes ? '\t' : ',', literalQuotes })
    const lines = texts.map((text, at) => {
      const line = { number: at + 1, problem: null }
      return Object.defineProperty(line as typeof line & { text: string }, 'text', {
        get: () => [text, (reads += 1)][0],
      })
    })
    const rows = [...lines.flatMap((line) => reader.push(line)), ...reader.end()]
    expect(rows.length).toBeGreaterThan(0)
    return reads / texts.length
  }

  it.each([
    ['that each line begins', '"a', false],
    ['that each line closes and begins', 'b","a', false],
    ['of tab-separated text', 'b"\t"a', true],
    ['that a line cannot end', '"a"b","', false],
  ])('are not read again and again: %s', (_what, line, literalQuotes) => {
    const texts = Array.from({ length: 5_000 }, () => line)
    expect(readsPerLine(['"', ...texts], literalQuotes)).toBeLessThan(20)
  })
})

describe('tab-separated text', () => {
  it('never joins lines over a stray quote', () => {
    const rows = rowsOf('"cannot log in\tlogin\nwhy\tlogin\nthe 5"\tsize', '\t', true)
    expect(rows.map((row) => row.cells[0])).toEqual(['"cannot log in', 'why', 'the 5"'])
  })

  it('reads a quoted cell of several lines, as spreadsheets write it', () => {
    const rows = rowsOf('"first\nsecond"\tlabel\nthird\tlabel', '\t', true)
    expect(rows.map(({ line, cells }) => [line, cells[0]])).toEqual([
      [1, 'first\nsecond'],
      [3, 'third'],
    ])
  })
})
