import { expect, test } from 'vitest'
import { namesNumber, numbersIn, proofText } from './proof-text.ts'

const source = `import { styleOf } from './looks.ts'

/** The colour of a dot. */
const dotOf = async (page) => styleOf(page.locator('i'), 'color')
const isRed = async (page) => (await dotOf(page)) === 'red'
const other = 'never used 240'

many('rows', (stack) => {
  test('one is red', async () => {
    expect(await isRed(stack.page)).toBe(true)
  })

  test('another waits for 4 s', async () => {
    await stack.page.clock.runFor(4_000 - 100)
  })
})
`

test('the text of a test is its own and what it uses of its file, and nothing of the next test', () => {
  const red = proofText(source, 'one is red') ?? ''
  expect(red).toContain('isRed(stack.page)')
  expect(red).toContain("styleOf(page.locator('i'), 'color')")
  expect(red).not.toContain('4_000')
  expect(red).not.toContain('240')
  const wait = proofText(source, 'another waits for 4 s') ?? ''
  expect(wait).toContain('4_000 - 100')
  expect(wait).not.toContain('styleOf')
  expect(proofText(source, 'no such test')).toBeUndefined()
})

test('numbers of a sentence are found in a test as they are or in milliseconds, never as a part of another', () => {
  expect(numbersIn('Toasts: 4 s of 1,000,000 ms, user-store 0, YYYY-MM-DD')).toEqual(['4', '1000000', '0'])
  expect(numbersIn('Comparisons 2: the filter')).toEqual([])
  expect(namesNumber('runFor(4_000 - 100)', '4')).toBe(true)
  expect(namesNumber('runFor(14_000)', '4')).toBe(false)
  expect(namesNumber('width is 2400', '240')).toBe(false)
})
