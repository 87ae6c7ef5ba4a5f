import { EXPORT_COLUMNS } from '@groundswell/contract/insight-fields.ts'
import { describe, expect, it } from 'vitest'
import { readAll } from './testing.ts'

const cells = (text: string, place = 'Email') => [
  '7',
  'It fails',
  '',
  'open',
  '2',
  '2',
  '',
  '',
  '',
  '',
  '',
  '0',
  '',
  '2026-02-01T10:00:00.000Z',
  "'@ann",
  'zendesk',
  place,
  text,
  'https://example.com/1',
]
const csv = (columns: readonly string[], ...rows: string[][]) =>
  [columns, ...rows].map((row) => row.map((cell) => `"${cell}"`).join(',')).join('\r\n')

describe('our own export', () => {
  it('of insights as CSV gives the same feedback back, without the guards', async () => {
    const file = csv(EXPORT_COLUMNS, cells("'=1+1 is wrong"), cells("''-5 stars", ''), cells("'tis slow"))
    const { items, problems } = await readAll(`\uFEFF${file}`, 'groundswell-insights.csv')
    expect(problems).toEqual([])
    expect(items).toMatchObject([
      { text: '=1+1 is wrong', author: '@ann', place: 'Email', link: 'https://example.com/1' },
      { text: "'-5 stars", author: '@ann', place: 'zendesk' },
      { text: "'tis slow", author: '@ann', place: 'Email' },
    ])
    expect(items[0]?.at.toISOString()).toBe('2026-02-01T10:00:00.000Z')
  })

  it('is told by its whole header: below any other one an apostrophe stays', async () => {
    const columns = [...EXPORT_COLUMNS.slice(0, -1), 'link']
    const { items } = await readAll(csv(columns, cells("'=1+1 is wrong")), 'other.csv')
    expect(items[0]).toMatchObject({ text: "'=1+1 is wrong", author: "'@ann", place: 'other.csv' })
  })

  it('of insights as JSONL gives each mention back', async () => {
    const mention = (id: string, text: string, place: string | null) => ({
      id,
      text,
      link: null,
      date: '2026-02-01T10:00:00.000Z',
      author: 'Ann',
      source: 'slack',
      place,
      kind: 'problem',
    })
    const line = (number: number, ...evidence: object[]) =>
      JSON.stringify({
        issue_number: number,
        issue_name: 'It fails',
        summary: 'What they say',
        status: 'created',
        sources: ['slack'],
        categories: [],
        evidence,
      })
    const file = `${line(1, mention('1:0', "'=1 fails", '#help'), mention('2:0', 'It fails', null))}\n${line(2, mention('3:1', 'It is slow', '#help'))}\n`
    const { items } = await readAll(file, 'groundswell-insights.jsonl')
    expect(items.map((item) => [item.text, item.author, item.place, item.at.toISOString().slice(0, 10)])).toEqual([
      ["'=1 fails", 'Ann', '#help', '2026-02-01'],
      ['It fails', 'Ann', 'slack', '2026-02-01'],
      ['It is slow', 'Ann', '#help', '2026-02-01'],
    ])
  })

  it.each([
    [
      { date: '2026-02-01', date_only: true },
      { at: new Date('2026-02-01'), dateOnly: true },
    ],
    [{ date: '2026-02-01T10:00:00.000Z', date_known: false }, { dateKnown: false }],
  ])('of insights as JSONL is recognised where the first mention has %j', async (when, expected) => {
    const { date, ...more } = when
    const mention = {
      id: '1:0',
      text: 'It fails',
      link: null,
      date,
      ...more,
      author: 'Ann',
      source: 'slack',
      place: null,
    }
    const file = `${JSON.stringify({ issue_number: 1, issue_name: 'It fails', evidence: [mention] })}\n`
    const { items } = await readAll(file, 'groundswell-insights.jsonl')
    expect(items).toMatchObject([{ text: 'It fails', author: 'Ann', place: 'slack', ...expected }])
  })

  it('of all feedback as JSONL gives each message back', async () => {
    const message = {
      id: 5,
      source: 'file',
      source_name: 'Reviews',
      external_id: 'r1',
      text: 'It fails',
      author: 'Ann',
      date: '2026-02-01T10:00:00.000Z',
      link: null,
      thread: null,
      place: null,
    }
    const { items } = await readAll(`${JSON.stringify(message)}\n`, 'feedback.jsonl')
    expect(items[0]).toMatchObject({ externalId: '5', text: 'It fails', author: 'Ann', place: 'Reviews' })
    const undated = await readAll(`${JSON.stringify({ ...message, date_known: false })}\n`, 'feedback.jsonl')
    expect(undated.items[0]).toMatchObject({ externalId: '5', place: 'Reviews', dateKnown: false })
  })
})
