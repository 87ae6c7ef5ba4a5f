import { describe, expect, it, vi } from 'vitest'
import { table } from './table.ts'

describe('a long text', () => {
  it('is encoded piece by piece, and no sign between two pieces is lost', () => {
    const encode = vi.spyOn(TextEncoder.prototype, 'encode')
    const cells = Array.from({ length: 60_000 }, (_, at) => `${'a'.repeat(at % 7)}👩‍💻é${at}`)
    const { slices } = table(`name\n${cells.join('\n')}`, 'customers.csv')
    const rows = [...slices].flatMap((slice) => slice.rows)
    const longest = Math.max(...encode.mock.calls.map(([text = '']) => text.length))
    encode.mockRestore()
    expect(rows.map((row) => row.cells[0])).toEqual(cells)
    expect(longest).toBeLessThanOrEqual(64 * 1024)
  })
})

describe('the names of columns', () => {
  /** How many characters are made small letters, which every comparison of names begins with. */
  function compared(text: string): number {
    const lower = vi.spyOn(String.prototype, 'toLowerCase')
    table(text, 'customers.csv')
    const sum = lower.mock.contexts.reduce<number>((total, name) => total + (name as string).length, 0)
    lower.mockRestore()
    return sum
  }

  it.each([
    ['one of thousands of characters', `${'aB'.repeat(30_000)}\n`],
    ['a thousand', `${Array.from({ length: 1_000 }, (_, at) => `aB${'c'.repeat(50)}${at}`).join()}\n`],
  ])('are made comparable a few times, not for each known product: %s', (_what, text) => {
    expect(compared(`${text}a,b\n`)).toBeLessThan(text.length * 20)
  })
})
