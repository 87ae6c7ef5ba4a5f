import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { longSpans, prepare } from './prepare.ts'

const said = (text: string) => prepare({ id: 'm', text, at: 5 }).map((statement) => statement.text)

describe('prepare', () => {
  test('gives a short message as it is, with its offsets, time, author and conversation', () => {
    expect(prepare({ id: 'm', text: '  CSV export fails \n', at: 5, author: 'ann', thread: 't' })).toEqual([
      { id: 'm:0', itemId: 'm', text: 'CSV export fails', start: 2, end: 18, at: 5, author: 'ann', thread: 't' },
    ])
  })

  test('gives nothing for blanks', () => {
    expect(said('')).toEqual([])
    expect(said(' \n\t\u00a0 ')).toEqual([])
  })

  test.each([
    ['Hi team,\nthe export fails', 'the export fails'],
    ['Hello! The export fails', 'The export fails'],
    ['Hallo zusammen, der Export geht nicht', 'der Export geht nicht'],
    ['Hi there! Please add dark mode', 'Please add dark mode'],
    ['The export fails.\n\nBest regards,\nElena Popescu', 'The export fails.'],
    ['The export fails.\n\nThanks,\nJasmine\nACME Ltd', 'The export fails.'],
    ['Der Export geht nicht.\n\nViele Grüße\nOona', 'Der Export geht nicht.'],
    ['The export fails.\n\nElena Popescu', 'The export fails.'],
    ['The export fails.\n-- \nElena\n+44 20 7946 0311', 'The export fails.'],
    ['The export fails\n\nSent from my iPhone', 'The export fails'],
    [
      'It fails for us too\n\nOn Mon, 3 Mar 2025 at 10:02, Ann <ann@x.example> wrote:\n> old text',
      'It fails for us too',
    ],
    ['Fails again\n\nAm 3. März 2025 um 10:02 schrieb Ann:\n> alter Text', 'Fails again'],
    ['Fails\n-----Original Message-----\nFrom: Ann\nold', 'Fails'],
    ['Fails\n\nFrom: Ann\nSent: Monday\nTo: us\nold', 'Fails'],
  ])('cuts what is not said here: %j', (text, expected) => {
    expect(said(text)).toEqual([expected])
  })

  test('leaves out quoted lines between what is said', () => {
    expect(said('> you asked for logs\nhere they are\n> and for the version\nit is 5.14')).toEqual([
      'here they are',
      'it is 5.14',
    ])
  })

  test('keeps a message that is nothing but a greeting, a thank-you or a name', () => {
    expect(said('Hello!')).toEqual(['Hello!'])
    expect(said('Thanks')).toEqual(['Thanks'])
    expect(said('Elena Popescu')).toEqual(['Elena Popescu'])
  })

  test('splits a long letter at paragraphs and sentences, nothing lost but blanks', () => {
    const first = 'The export of large reports fails with a timeout after one minute. '.repeat(5).trim()
    const second = 'The phone app loses the timer when it is in the background. '.repeat(6).trim()
    const pieces = prepare({ id: 'm', text: `${first}\n\n${second}`, at: 0 })
    expect(pieces.length).toBeGreaterThanOrEqual(3)
    expect(pieces.every((piece) => piece.text.length <= 600)).toBe(true)
    expect(pieces.some((piece) => piece.text.includes('export') && piece.text.includes('phone'))).toBe(false)
    expect(pieces.map((piece) => piece.text).join(' ')).toBe(`${first} ${second}`)
    expect(pieces.map((piece) => piece.id)).toEqual(pieces.map((_, index) => `m:${index}`))
  })

  test('gives at most 12 statements of a megabyte, and the same each time', () => {
    const text = 'It fails. Really, it does not work at all for us here! '.repeat(20_000)
    const statements = prepare({ id: 'm', text, at: 0 })
    expect(statements).toHaveLength(12)
    expect(prepare({ id: 'm', text, at: 0 })).toEqual(statements)
  })

  test('never cuts a character in two', () => {
    for (const { text } of prepare({ id: 'm', text: '😀'.repeat(10_000), at: 0 }))
      expect(text.isWellFormed()).toBe(true)
  })

  test('every statement is exactly its piece of the text, in order, for any text', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.constantFrom(
        '\n',
        '\n\n',
        '> ',
        'Hi all,\n',
        'Best regards,\n',
        'On 3 May 2025, Ann wrote:\n',
        '. ',
        '\0',
        '\ud83d',
        '<b>',
        '```',
      ),
      fc.lorem({ maxCount: 40 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('')
        let last = 0
        for (const statement of prepare({ id: 'x:1', text, at: 1 })) {
          expect(text.slice(statement.start, statement.end)).toBe(statement.text)
          expect(statement.text.trim()).not.toBe('')
          expect(statement.start).toBeGreaterThanOrEqual(last)
          last = statement.end
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('pieces that a model gave', () => {
  const one = 'The export of our yearly report stops half way and nobody can tell us why that is. '
  const text =
    `Hello,\n\n${one.repeat(5)}\n\n${'The invoices show the wrong tax number since the update of last week. '.repeat(5)}`.trim()
  const item = { id: 'i', text, at: 1 }
  const [span] = longSpans(item)

  test('are asked about where a text is long and the engine would cut it', () => {
    expect(text.slice(span?.start, span?.end).startsWith('The export')).toBe(true)
    expect(longSpans({ ...item, text: one })).toEqual([])
    expect(longSpans({ ...item, text: 'x'.repeat(590) })).toEqual([])
  })

  test('are the statements in place of the engine’s own', () => {
    const second = text.indexOf('The invoices')
    const pieces = [
      { start: span?.start ?? 0, end: second },
      { start: second, end: text.length },
    ]
    const made = prepare({ ...item, pieces })
    expect(made.map((statement) => statement.id)).toEqual(['i:0', 'i:1'])
    expect(made.map(({ start, end }) => text.slice(start, end))).toEqual(made.map((statement) => statement.text))
    expect(made[1]?.text.startsWith('The invoices')).toBe(true)
    expect(prepare(item).length).toBeGreaterThan(2)
  })

  test('are passed over outside of a long text', () => {
    expect(prepare({ ...item, pieces: [{ start: 0, end: 3 }] })).toEqual(prepare(item))
    const short = { ...item, text: one }
    expect(prepare({ ...short, pieces: [{ start: 4, end: 10 }] })).toEqual(prepare(short))
  })
})
