import { describe, expect, it } from 'vitest'
import { preview } from './preview.ts'
import { read } from './read.ts'
import { chunked, importedAt, options, readAll } from './testing.ts'

const KIB = 1024
const MIB = 1024 * KIB
const rows = (count: number) =>
  Array.from({ length: count }, (_, at) => JSON.stringify({ id: `r${at}`, message: `The export fails again (${at})` }))

describe('the first line of JSON costs only itself', () => {
  const firsts = {
    'longer than the head and good': JSON.stringify({ id: 'first', message: 'x'.repeat(300 * KIB) }),
    'longer than 1 MiB': JSON.stringify({ id: 'first', message: 'x'.repeat(3 * MIB) }),
    'cut off': '{"id": "first", "message": "The exp',
    'long and cut off': `{"id": "first", "message": "${'x'.repeat(500 * KIB)}`,
    'no JSON at all': 'Exported on Monday',
    'another value': '[1, 2]',
  }

  it.each(Object.entries(firsts))('when it is %s', async (what, first) => {
    const bytes = Buffer.from([first, ...rows(2_500), ''].join('\n'))
    const isGood = what === 'longer than the head and good'
    for (const size of [7 * KIB, MIB]) {
      const { items, problems } = await readAll(chunked(bytes, size), 'feedback.jsonl')
      expect(items.map((item) => item.externalId).slice(-2_500)).toEqual(rows(2_500).map((_, at) => `r${at}`))
      expect(items.at(-1)?.text).toBe('The export fails again (2499)')
      expect([items.length, problems.map(({ line }) => line)]).toEqual(isGood ? [2_501, []] : [2_500, [1]])
    }
  })

  it('when the name does not say what the file is', async () => {
    const { items, problems } = await readAll(['{"broken', ...rows(20)].join('\n'), 'export')
    expect([items.length, problems.map(({ line }) => line)]).toEqual([20, [1]])
    const words = await readAll(['Exported on Monday', ...rows(20)].join('\n'), 'export')
    expect([words.items.length, words.problems.map(({ line }) => line)]).toEqual([20, [1]])
  })

  it('with a chosen mapping, and with dates that only the whole file decides', async () => {
    const dated = Array.from({ length: 3_000 }, (_, at) =>
      JSON.stringify({ when: at === 2_900 ? '25/01/2026' : '02/01/2026', says: `The export fails (${at})` }),
    )
    const bytes = Buffer.from([`{"says": "${'x'.repeat(2 * MIB)}"}`, ...dated].join('\n'))
    const reopenable = { open: () => chunked(bytes) }
    const chosen = options('a.jsonl', { mapping: { text: 'says', date: 'when' } })
    const items = []
    for await (const page of read(reopenable, chosen, importedAt)) items.push(...page.items)
    expect(items).toHaveLength(3_000)
    expect(items[0]?.at.toISOString()).toMatch(/^2026-01-02/)
  })

  it('in a preview too, as far as it has the lines', async () => {
    const bytes = Buffer.from([`{"message": "${'x'.repeat(150 * KIB)}`, ...rows(50)].join('\n'))
    const { format, columns, problems } = await preview(bytes, options('a.jsonl'))
    expect({ format, columns, lines: problems.map(({ line }) => line) }).toEqual({
      format: 'jsonl',
      columns: ['id', 'message'],
      lines: [1],
    })
  })

  it('reads no more of a file than it has to: broken lines are looked at once', async () => {
    const bytes = Buffer.from('nothing\n'.repeat(20_000))
    let read = 0
    const source = (async function* () {
      for await (const chunk of chunked(bytes, KIB)) {
        read += chunk.byteLength
        yield chunk
      }
    })()
    const { problems } = await readAll(source, 'a.jsonl')
    expect(problems).toHaveLength(20_000)
    expect(read).toBe(bytes.byteLength)
  })
})

describe('a table of thousands of columns', () => {
  const names = (count: number) => Array.from({ length: count }, (_, at) => `column ${at}`).join(',')

  it.each([1_001, 10_000])('is refused with an explanation: %i', async (count) => {
    const csv = [names(count), ...Array.from({ length: 5 }, () => 'a,b,c')].join('\n')
    const reason = /^Line 1 has more than 1,000 columns\. /
    await expect(readAll(csv)).rejects.toThrow(reason)
    await expect(preview(Buffer.from(csv), options('a.csv'))).rejects.toThrow(reason)
  })

  it('of a thousand is read', async () => {
    const { items } = await readAll(`${names(999)},message\n${','.repeat(999)}The export fails\n`)
    expect(items.map((item) => item.text)).toEqual(['The export fails'])
  })
})
