import { expect, it } from 'vitest'
import { readAll } from '../testing.ts'
import { MAX_MESSAGE_LINES } from './chat-rows.ts'

it('a message of too many lines is left out with the reason, and the next one is read', async () => {
  const below = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}`)
  const chat = [
    '[01.10.26, 08:15] Ada: The shuttle leaves too early',
    '[01.10.26, 08:16] Bo: It has',
    ...below(MAX_MESSAGE_LINES - 1),
    '[01.10.26, 08:17] Bo: It has',
    ...below(MAX_MESSAGE_LINES + 5),
    '[01.10.26, 08:17] Bo: It has',
    'so much '.repeat(70_000),
    'so much '.repeat(70_000),
    '[01.10.26, 08:18] Cy: Shuttle left before eight',
  ]
  const { texts, problems } = await readAll(chat.join('\n'), 'chat.txt')
  expect(texts).toHaveLength(3)
  expect(texts.at(-1)).toBe('Shuttle left before eight')
  expect(problems).toMatchObject([
    { line: 2 + MAX_MESSAGE_LINES, reason: expect.stringContaining('more than 1,000 lines') },
    { line: 8 + 2 * MAX_MESSAGE_LINES },
  ])
})
