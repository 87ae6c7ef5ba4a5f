import { seededRandom } from '@groundswell/engine/clustering/random.ts'
import type { Row } from './stream.ts'

/** Filler sentences around the actual message, as in letters. None is in the engine's lists. */
const LEADING_LINES = [
  'Account plan: Business, region EU.',
  'We are a team of twelve accountants in Leeds.',
  'My manager keeps coming back to me with it.',
  'I spoke with Daniel on the phone yesterday.',
  'Ticket created through the widget on the pricing page.',
  'We moved over from another vendor in spring.',
  'My colleague sits next to me and sees the same.',
  'Our workspace is called Blue Finch.',
  'I am usually at my desk between nine and five.',
  'The customer is on our premium tier and pays every year.',
  ...Array<string>(3).fill(''),
]
const TRAILING_LINES = [
  'I do this every single morning before work.',
  'Nobody in the office could tell me more.',
  'Feel free to pass it on to whoever is in charge.',
  'You can see it under my profile if that is useful.',
  'That is all for today from my side.',
  'I would rather not wait until next week.',
  'My number is in your records.',
  ...Array<string>(3).fill(''),
]
const SECOND_LINE_CHANCE = 0.4

/** The same messages, most with one to three filler sentences. Deterministic. */
export function withPadding(rows: readonly Row[]): Row[] {
  const random = seededRandom(11)
  const one = (lines: readonly string[]) => lines[Math.floor(random() * lines.length)] as string
  return rows.map((row) => {
    const said = /[.!?]$/.test(row.text) ? row.text : `${row.text}.`
    const lines = [
      one(LEADING_LINES),
      said,
      one(TRAILING_LINES),
      random() < SECOND_LINE_CHANCE ? one(TRAILING_LINES) : '',
    ]
    return { ...row, text: lines.filter((line) => line !== '').join(' ') }
  })
}
