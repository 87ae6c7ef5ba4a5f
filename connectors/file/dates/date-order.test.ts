import { describe, expect, it } from 'vitest'
import { preview } from '../preview.ts'
import { read } from '../read.ts'
import { settle } from '../settle.ts'
import { chunked, importedAt, options, readAll } from '../testing.ts'
import { orderOf, orderTally } from './date-order.ts'

const day = (at: number) => `0${(at % 9) + 1}/0${(at % 7) + 1}/2026`
const table = (dates: readonly string[]) =>
  `id,date,text\n${dates.map((date, at) => `${at},${date},message number ${at} of a long list of messages`).join('\n')}\n`

describe('the order of a column', () => {
  it.each([
    ['first numbers over 12', ['03/04/2026', '13/04/2026'], 'day_first'],
    ['second numbers over 12', ['03/04/2026', '04/13/2026', 'x', ''], 'month_first'],
    ['the majority, where they disagree', ['13/04/2026', '14/04/2026', '04/15/2026'], 'day_first'],
    ['nothing, where each could be a month', ['03/04/2026', '05/06/2026'], 'undecided'],
    ['nothing, where as many say so as not', ['13/04/2026', '04/13/2026'], 'undecided'],
    ['hyphens and short years too', ['14-04-2026', '13/4/26 10:00'], 'day_first'],
  ])('is decided by %s', (_, cells, order) => {
    expect(orderOf(cells)).toBe(order)
  })

  it('is null where no date is ambiguous', () => {
    expect(orderOf(['2026-04-03', '03.04.2026', 'Nov 3, 2026', '1775037600', '04/04/2026', ''])).toBeNull()
    expect(orderOf([])).toBeNull()
    expect(orderTally().order()).toBeNull()
  })
})

describe('in a file', () => {
  const ambiguous = Array.from({ length: 3000 }, (_, at) => day(at))
  const late = table([...ambiguous, '31/01/2026'])

  it('is decided by the whole column, however far down', async () => {
    expect(late.length).toBeGreaterThan(128 * 1024)
    for (const size of [1000, 64 * 1024, late.length]) {
      expect(await settle(chunked(late, size), options('a.csv'))).toMatchObject({ dateOrder: 'day_first' })
    }
    const american = table([...ambiguous, '01/31/2026'])
    expect(await settle(chunked(american), options('a.csv'))).toMatchObject({ dateOrder: 'month_first' })
  })

  it('applies to every row that is read afterwards', async () => {
    const settled = await settle(chunked(late), options('a.csv'))
    const { items, problems } = await readAll(late, 'a.csv', settled)
    expect(problems).toEqual([])
    expect(items[0]?.at.toISOString()).toBe('2026-01-01T00:00:00.000Z')
    expect(items[1]?.at.toISOString()).toBe('2026-02-02T00:00:00.000Z')
    expect(items[8]?.at.toISOString()).toBe('2026-02-09T00:00:00.000Z')
    const pages = await Array.fromAsync(read({ open: () => chunked(late) }, options('a.csv'), importedAt))
    expect(pages.flatMap((page) => page.items).map((item) => item.at)).toEqual(items.map((item) => item.at))
    const without = await readAll(late, 'a.csv')
    expect(without.items[8]?.at.toISOString()).toBe('2026-09-02T00:00:00.000Z')
    expect(without.problems).toEqual([])
    expect(without.items.filter(({ dateKnown }) => dateKnown === false)).toMatchObject([{ at: importedAt }])
  })

  it('is the caller’s choice, whatever the dates look like', async () => {
    const seen = await preview(Buffer.from(table(['03/04/2026'])), options('a.csv', { dateOrder: 'day_first' }))
    expect(seen.dateOrder).toBe('day_first')
    const { items } = await readAll(table(['03/04/2026']), 'a.csv', { dateOrder: 'day_first' })
    expect(items[0]?.at.toISOString()).toBe('2026-04-03T00:00:00.000Z')
    const own = options('a.csv', { dateOrder: 'month_first' })
    expect(await settle(chunked(late), own)).toEqual(own)
  })

  it('is shown by the preview as far as its rows decide it', async () => {
    const order = async (dates: string[]) => (await preview(Buffer.from(table(dates)), options('a.csv'))).dateOrder
    expect(await order(['03/04/2026', '05/06/2026', '07/08/2026'])).toBe('undecided')
    expect(await order(['03/04/2026', '25/06/2026', '07/08/2026'])).toBe('day_first')
    expect(await order(['2026-04-03', '2026-06-05', '2026-08-07'])).toBeNull()
    expect((await preview(Buffer.from('text\nhello there'), options('a.csv'))).dateOrder).toBeNull()
  })

  it('is undecided where the whole file does not decide it; otherwise no more is read than needed', async () => {
    expect(await settle(chunked(table(ambiguous)), options('a.csv'))).toEqual(options('a.csv'))
    let read = 0
    async function* counted() {
      for await (const chunk of chunked(table(['2026-01-01', ...ambiguous.map(() => '2026-01-02')]), 16 * 1024)) {
        read += chunk.byteLength
        yield chunk
      }
    }
    await settle(counted(), options('a.csv'))
    expect(read).toBeLessThan(128 * 1024)
  })

  it('leaves malformed files to the reader, which gives the reason', async () => {
    const picture = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    expect(await settle(chunked(picture), options('a.csv'))).toEqual(options('a.csv'))
    async function* broken() {
      yield Buffer.from('id,date')
      throw new Error('the connection broke')
    }
    await expect(settle(broken(), options('a.csv'))).rejects.toThrow('the connection broke')
  })
})
