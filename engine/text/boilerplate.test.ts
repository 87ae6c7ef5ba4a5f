import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { group } from '../index.ts'
import { Boilerplate } from './boilerplate.ts'

const SUBJECTS = [
  'invoices',
  'reports',
  'calendars',
  'exports',
  'charts',
  'seats',
  'timers',
  'refunds',
  'labels',
  'boards',
]

function taught(line: string): Boilerplate {
  const boilerplate = new Boilerplate()
  for (const subject of SUBJECTS) boilerplate.strip(`Where do I find the ${subject}? ${line}`)
  return boilerplate
}

describe('boilerplate', () => {
  test('recurring sentences are stripped, whatever their case and punctuation', () => {
    const boilerplate = taught('Our office is in Leeds, floor 3.')
    expect(boilerplate.strip('The map shows the wrong street. Our office is in Leeds, floor 3.')).toBe(
      'The map shows the wrong street.',
    )
    expect(boilerplate.strip('OUR OFFICE IS IN LEEDS; FLOOR 12\nThe door code has changed.')).toBe(
      'The door code has changed.',
    )
    expect(boilerplate.strip('Our office is in York. The door code has changed.')).toContain('York')
  })

  test('the first messages are unchanged: nothing is learned yet', () => {
    const boilerplate = new Boilerplate()
    const text = 'Where is the map? Our office is in old Leeds.'
    expect([1, 2, 3, 4, 5].map(() => boilerplate.strip(text))).toEqual(Array(5).fill(text))
  })

  test('common problems, requests and questions stay', () => {
    for (const line of [
      'The export fails every single time.',
      'Please add a dark mode for the night.',
      'I want to talk to an agent.',
      'Cancel my order of last week.',
      'Where is my parcel with the lamp?',
      'Ich möchte meine Adresse jetzt ändern.',
    ]) {
      const text = `I open the ledger at noon. ${line}`
      expect(taught(line).strip(text)).toBe(text)
    }
  })

  test('a sentence that also occurs alone stays', () => {
    const line = 'Opening hours at the weekend in May.'
    const boilerplate = taught(line)
    for (let i = 0; i < 5; i++) boilerplate.strip(line)
    const text = `I stand before the shop now. ${line}`
    expect(boilerplate.strip(text)).toBe(text)
  })

  test('a text of boilerplate only is unchanged', () => {
    const boilerplate = taught('Our office is in old Leeds.')
    const text = 'Hello you. Our office is in old Leeds.'
    expect(boilerplate.strip(text)).toBe(text)
  })

  test('learned sentences survive storing', () => {
    const one = taught('Our office is in old Leeds.')
    const other = Boilerplate.fromNumbers(one.toNumbers())
    expect(other.toNumbers()).toEqual(one.toNumbers())
    const text = 'The map shows the wrong street. Our office is in old Leeds.'
    expect(other.stripWithoutCounting(text)).toBe('The map shows the wrong street.')
    expect(other.toNumbers()).toEqual(one.toNumbers())
    expect(other.strip(text)).toBe(one.strip(text))
  })

  test('strips whole sentences only, and stays within its capacity', () => {
    const sentence = fc.constantFrom(
      'It is me.',
      'Our office is in Leeds!',
      'A b c?',
      'the line\n',
      '。。。',
      'x'.repeat(50),
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(sentence, fc.string()), { maxLength: 60 }), (parts) => {
        const boilerplate = new Boilerplate()
        for (let i = 0; i + 3 < parts.length; i++) {
          const text = parts.slice(i, i + 3).join(' ')
          const left = boilerplate.strip(text)
          expect(left.length).toBeLessThanOrEqual(text.length + 3)
          for (const piece of left.split(' ')) expect(text).toContain(piece)
        }
      }),
    )
    const boilerplate = new Boilerplate()
    for (let i = 0; i < 30_000; i++) boilerplate.strip(`Word ${letters(i)} is new. And ${letters(i * 7)} is too.`)
    expect(boilerplate.toNumbers().length).toBeLessThanOrEqual(3 * 20_000 + 1)
  })
})

test('messages are grouped by their content, not by recurring lines', () => {
  const lines = [
    'Ticket created through the widget on the pricing page.',
    'We are a team of twelve accountants in Leeds.',
    'I spoke with Daniel on the phone yesterday.',
    'You can see it under my profile if that is useful.',
  ]
  const said = {
    export: ['The CSV export stops half way', 'CSV export stops in the middle', 'Our CSV export stops at row 900'],
    login: ['I cannot log in with my password', 'My password is refused when I log in', 'Log in refuses my password'],
    tax: ['The tax rate on the invoice is wrong', 'Wrong tax rate on my invoice', 'Invoice shows a wrong tax rate'],
  }
  const items = Array.from({ length: 120 }, (_, i) => {
    const about = Object.keys(said)[i % 3] as keyof typeof said
    const text = `${lines[i % 4]} ${said[about][Math.floor(i / 3) % 3]}, for order ${i}. ${lines[(i + 1) % 4]}`
    return { id: `${about}-${i}`, text, at: i }
  })
  const { insights } = group(items)
  const late = insights.map(({ mentions }) =>
    mentions.flatMap(({ itemId }) => (Number(itemId.split('-')[1]) >= 30 ? [itemId.split('-')[0]] : [])),
  )
  for (const about of late) expect(new Set(about).size).toBeLessThanOrEqual(1)
  expect(late.flat().length).toBeGreaterThan(80)
})

function letters(number: number): string {
  return number.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)] as string)
}
