import { describe, expect, it } from 'vitest'
import { ReplyTooLong } from '../kit/http/json-call.ts'
import { failureFrom } from '../kit/testing.ts'
import { entries, type PageQuery } from './pages.ts'

/** A list of numbers whose pages are too long above a size. */
function listOf(count: number, longest = 100) {
  const all = Array.from({ length: count }, (_, at) => at)
  const asked: PageQuery[] = []
  const read = async ({ per_page, page }: PageQuery) => {
    asked.push({ per_page, page })
    if (per_page > longest) throw new ReplyTooLong('too long')
    return all.slice((page - 1) * per_page, page * per_page)
  }
  return { all, asked, read }
}

async function taken<T>(from: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const one of from) list.push(one)
  return list
}

describe('the entries of a list', () => {
  it.each([
    [0, 1],
    [1, 1],
    [99, 1],
    [100, 2],
    [101, 2],
    [250, 3],
  ])('%i take %i requests', async (count, requests) => {
    const { all, asked, read } = listOf(count)
    expect(await taken(entries(read, 1000))).toEqual(all)
    expect(asked).toHaveLength(requests)
  })

  it.each([20, 4, 1])('are complete where pages may have %i at most', async (longest) => {
    const { all, read } = listOf(47, longest)
    expect(await taken(entries(read, 1000))).toEqual(all)
  })

  it('are each there once where a later page is too long', async () => {
    const { all, asked, read } = listOf(230)
    const later = async (query: PageQuery) => {
      if (query.per_page > 4 && (query.page - 1) * query.per_page >= 100) throw new ReplyTooLong('too long')
      return await read(query)
    }
    expect(await taken(entries(later, 1000))).toEqual(all)
    expect(asked.slice(0, 2)).toEqual([
      { per_page: 100, page: 1 },
      { per_page: 4, page: 26 },
    ])
  })

  it('end at the limit', async () => {
    const { asked, read } = listOf(1000)
    expect(await taken(entries(read, 200))).toHaveLength(200)
    expect(asked).toHaveLength(2)
  })

  it('are requested no further than they are used', async () => {
    const { asked, read } = listOf(1000)
    for await (const one of entries(read, 1000)) if (one === 5) break
    expect(asked).toHaveLength(1)
  })

  it('fail where a single one is too long, and with any other failure', async () => {
    expect(await failureFrom(taken(entries(listOf(5, 0).read, 100)))).toBeInstanceOf(ReplyTooLong)
    const broken = () => Promise.reject(new Error('broken'))
    expect(await failureFrom(taken(entries(broken, 100)))).toMatchObject({ message: 'broken' })
  })
})
