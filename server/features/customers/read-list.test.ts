import { setImmediate as nextTurn } from 'node:timers/promises'
import { connectors } from '@groundswell/connectors/index.ts'
import { MAX_LIST_LENGTH } from '@groundswell/contract/customers.ts'
import { describe, expect, it } from 'vitest'
import { guessColumns, type ReadList, readList } from './read-list.ts'

const [reader] = connectors.flatMap(({ file }) => file ?? [])

function read(text: string): Promise<ReadList> {
  const table = reader?.table(text, 'customers.csv')
  if (!table) throw new Error('no connector reads files')
  return readList(table, guessColumns(table.columns))
}

/** What it comes to, and how often the event loop could do something else meanwhile. */
async function counted<T>(work: Promise<T>): Promise<{ result: T; turns: number }> {
  let done = false
  const result = work.finally(() => {
    done = true
  })
  let turns = 0
  for (; !done; turns += 1) await nextTurn()
  return { result: await result, turns }
}

const header = 'domain,name,revenue\n'
const filled = (line: string, lines: number) => header + line.repeat(lines)

describe('a long list', () => {
  it('is read in slices, and no line between two slices is lost', async () => {
    const lines = Array.from({ length: 40_000 }, (_, at) => `a${at}.com,"Firm ${at}, called ""Ä""",${at}\n`)
    const { result, turns } = await counted(read(header + lines.join('')))
    expect(result.listed).toHaveLength(40_000)
    expect(result.listed.map(({ line }) => line)).toEqual(lines.map((_, at) => at + 2))
    expect(result.listed[20_000]).toMatchObject({
      domain: 'a20000.com',
      name: 'Firm 20000, called "Ä"',
      revenue: 20_000,
    })
    expect(turns).toBeGreaterThan(400)
  })

  it.each([
    ['empty cells', ',,\n'],
    ['one sign', 'a\n'],
    ['an open quote', '"\n'],
    ['no domain', 'x y,,\n'],
    ['nothing', '\n'],
  ])('of short lines is refused once it has too many, between which others are answered: %s', async (_what, line) => {
    const text = filled(line, Math.floor((MAX_LIST_LENGTH - header.length) / line.length))
    const { result, turns } = await counted(read(text).catch((error: Error) => error))
    expect(result).toMatchObject({ code: 'invalid_input', message: 'A list has at most 200,000 lines' })
    // At most 4,096 lines between two of them.
    expect(turns).toBeGreaterThanOrEqual(48)
  })

  it('with more than 50,000 customers is refused', async () => {
    const text = header + Array.from({ length: 50_001 }, (_, at) => `a${at}.com,,\n`).join('')
    await expect(read(text)).rejects.toThrow('A list has at most 50,000 customers')
  })

  it('counts every rejected line, and shows the first 200', async () => {
    const { rejected, rejectedCount } = await read(filled('gmail.com,,\n', 1_000))
    expect([rejected.length, rejectedCount]).toEqual([200, 1_000])
    expect(rejected[199]?.line).toBe(201)
  })
})
