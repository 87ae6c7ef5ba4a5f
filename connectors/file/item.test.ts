import { describe, expect, it } from 'vitest'
import type { FeedbackItem } from '../connector.ts'
import { indexesOf } from './columns.ts'
import { itemReader } from './item.ts'
import { textRows } from './rows/text-rows.ts'
import { readAll } from './testing.ts'

const columns = ['id', 'text', 'author', 'date', 'link', 'thread']
const mapping = { id: 'id', text: 'text', author: 'author', date: 'date', link: 'link', thread: 'thread' }
const at = new Date('2026-05-01T00:00:00Z')

function maker(dayFirst = false) {
  const indexes = indexesOf(mapping, columns)
  const top = { format: 'csv' as const, header: true, leading: 1, skipped: 0, preset: null, columns }
  const dateOrder = dayFirst ? ('day_first' as const) : ('undecided' as const)
  return itemReader({ ...top, mapping, indexes, dateOrder, zones: {}, rows: [], reader: textRows }, 'a.csv', at)
}

const made = (cells: string[], dayFirst?: boolean) => maker(dayFirst)(cells) as FeedbackItem

describe('an item', () => {
  it.each([
    ['https://example.com/a', 'https://example.com/a'],
    ['HTTP://example.com', 'HTTP://example.com'],
    ['javascript:alert(1)', null],
    ['data:text/html,x', null],
    ['/relative', null],
    ['https://', null],
    [`https://example.com/${'x'.repeat(3000)}`, null],
    ['', null],
  ])('has the link %s as %s', (link, expected) => {
    expect(made(['1', 'hi', '', '', link, '']).link).toBe(expected)
  })

  it('is trimmed and well-formed', () => {
    const item = made([' 1 ', '  hi \n there  ', ' Ann ', '', '', ' t '])
    expect(item).toMatchObject({ externalId: '1', text: 'hi \n there', author: 'Ann', thread: 't', place: 'a.csv', at })
    expect(made(['1', 'half \ud83d', '', '', '', '']).text).toBe('half \ufffd')
  })

  it('has an author of at most 200 characters, cut between two', () => {
    const { author } = made(['1', 'hi', `${'x'.repeat(199)}🙂`, '', '', ''])
    expect(author).toHaveLength(200)
    expect(author?.isWellFormed()).toBe(true)
  })

  it('reads a date as its file writes them', () => {
    expect(made(['1', 'hi', '', '03/04/2026', '', '']).at.toISOString()).toBe('2026-03-04T00:00:00.000Z')
    expect(made(['1', 'hi', '', '03/04/2026', '', ''], true).at.toISOString()).toBe('2026-04-03T00:00:00.000Z')
  })

  it('without an id is identified by its whole content', () => {
    const rows = [
      ['', 'hi', 'Ann', '2026-04-01', '', 't'],
      ['', 'hi', 'Bo', '2026-04-01', '', 't'],
      ['', 'hi', 'Ann', '2026-04-02', '', 't'],
      ['', 'hi', 'Ann', '2026-04-01', '', 'u'],
      ['', 'ho', 'Ann', '2026-04-01', '', 't'],
      ['', 'hi', 'Ann', '2026-04-01', '', 't'],
      ['', 'hi', 'Ann', '2026-04-01', 'https://example.com', 't'],
    ]
    const make = maker()
    const ids = rows.map((row) => (make(row) as FeedbackItem).externalId)
    expect(new Set(ids).size).toBe(7)
    expect(ids.map((id) => id.split('-')[1])).toEqual(['1', '1', '1', '1', '1', '2', '3'])
    const again = maker()
    expect(rows.map((row) => (again(row) as FeedbackItem).externalId)).toEqual(ids)
  })

  it('is refused with a message that does not repeat the text', () => {
    const reasons = [
      ['1'],
      ['1', '   ', 'Ann', '', '', ''],
      ['1', 'my words', '', '', '', '', 'too', 'many'],
      ['1', 'my words\0', '', '', '', ''],
    ].map((cells) => JSON.stringify(maker()(cells)))
    expect(reasons.filter((reason) => !reason.startsWith('"The '))).toEqual([])
    expect(reasons.filter((reason) => reason.includes('my words'))).toEqual([])
    expect(Math.max(...reasons.map((reason) => reason.length))).toBeLessThan(120)
  })
})

describe('indexesOf', () => {
  it('finds columns by name first and by number second', () => {
    expect(indexesOf({ text: 'b', id: '1' }, ['a', 'b'])).toEqual({ text: 1, id: 0 })
    expect(indexesOf({ text: '1' }, ['2', '1'])).toEqual({ text: 1 })
    expect(indexesOf({ text: 'a', author: '' }, ['a'])).toEqual({ text: 0 })
  })

  it.each(['c', '0', '3', '-1', '1.5', '', '__proto__'])('refuses %j', (text) => {
    expect(() => indexesOf({ text }, ['a', 'b'])).toThrow(/no column/)
  })
})

it('counts a message that others reply to as the first of their thread', async () => {
  const rows = 'id,thread,text\na,,The export fails\nb,a,Here too\nc,,Another subject'
  const { items } = await readAll(rows)
  expect(items.map(({ thread }) => thread)).toEqual(['a', 'a', 'c'])
  const alone = await readAll('id,text\na,The export fails')
  expect(alone.items.map(({ thread }) => thread)).toEqual([null])
})
