import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { descriptionKind, parseOptions, quotedPhrases } from './options.ts'

const labels = (description: string) => parseOptions(description).map(({ label }) => label)
const explained = (description: string) => Object.fromEntries(parseOptions(description).map((o) => [o.label, o.about]))

describe('descriptionKind', () => {
  test.each([
    ['Everything about invoices and payments', 'subject'],
    ['Set this when a customer asks for a refund', 'subject'],
    ['Feedback of users who cannot log in', 'subject'],
    ['Alles über Rechnungen', 'subject'],
    ['Which part of the product it is about', 'open'],
    ['The severity of the problem', 'open'],
    ['Customer segment: its size', 'open'],
    ['Welche Abteilung zuständig ist', 'open'],
    ['Invoices and payments', 'plain'],
    ['', 'plain'],
    ['   ', 'plain'],
  ] as const)('%j is %s', (description, kind) => {
    expect(descriptionKind(description)).toBe(kind)
  })

  test('a heading asks for a value, unless it names feedback itself', () => {
    expect(descriptionKind('Region: where the customer is')).toBe('open')
    expect(descriptionKind('Feedback: about invoices')).toBe('subject')
  })

  test('only the beginning counts', () => {
    expect(descriptionKind(`Invoices ${'and receipts '.repeat(30)}which part`)).toBe('plain')
  })
})

describe('what a description says about each value', () => {
  test('after a colon or a dash, one per sentence or line', () => {
    expect(explained('Bug: something is broken; Request: something new')).toEqual({
      Bug: 'something is broken',
      Request: 'something new',
    })
    expect(explained('- Billing – invoices and refunds\n- Login – passwords')).toEqual({
      Billing: 'invoices and refunds',
      Login: 'passwords',
    })
  })

  test('in brackets', () => {
    expect(explained('Billing (invoices, refunds), Login (passwords) or Export (CSV)')).toEqual({
      Billing: 'invoices, refunds',
      Login: 'passwords',
      Export: 'CSV',
    })
  })

  test('after when or if, and what has no condition belongs to the value before', () => {
    expect(explained('blocker when nothing works, data is lost, minor for looks')).toEqual({
      blocker: 'nothing works,  data is lost',
      minor: 'looks',
    })
  })

  test('is empty for a plain list', () => {
    expect(explained('One of: red, green')).toEqual({ red: '', green: '' })
  })
})

describe('the values of a description', () => {
  test.each([
    ['One of red, green or blue', ['red', 'green', 'blue']],
    ['One of red/green/blue', ['red', 'green', 'blue']],
    ['Either red or green', ['red', 'green']],
    ['One of: the red one, a green one', ['red one', 'green one']],
    ['One of: Red, red, RED, green', ['Red', 'green']],
    ['Which colour (red, green, blue)?', ['red', 'green', 'blue']],
    ['Eines von: Rot, Grün oder Blau', ['Rot', 'Grün', 'Blau']],
    ['One of: Оплата, Доставка', ['Оплата', 'Доставка']],
    ['One of: 返品, 配送', ['返品', '配送']],
    ['One of: C++, C#', ['C++', 'C#']],
  ])('%j', (description, expected) => {
    expect(labels(description)).toEqual(expected)
  })

  test.each([
    ['', 'nothing'],
    ['One of: red', 'a single value'],
    ['One of: red, RED', 'the same value twice'],
    ['Everything about "dark mode" and "night shift"', 'quotes of a subject'],
    ['Mentions words like "crash" or "freeze"', 'quotes of words that occur'],
    ['Everything about invoices, receipts or refunds', 'a list of a subject'],
    ['One of: options, values', 'words that are no values'],
    [`One of: ${'x'.repeat(50)}, ${'y'.repeat(50)}`, 'labels that are too long'],
    ['One of: this is much too long for one value, so is this here too', 'clauses'],
  ])('%j has none: %s', (description) => {
    expect(labels(description)).toEqual([])
  })

  test('end where the list ends', () => {
    expect(labels('One of: Billing, Login or Export depending on the part, or whatever fits')).toEqual([
      'Billing',
      'Login',
      'Export',
    ])
    expect(labels('One of: Billing, Login. Never Export.')).toEqual(['Billing', 'Login'])
    expect(labels('One of: Billing, Login in the app, Export')).toEqual(['Billing', 'Login'])
  })

  test('are at most forty', () => {
    const many = Array.from({ length: 60 }, (_, i) => `v${i}`)
    expect(labels(`One of: ${many.join(', ')}`)).toEqual(many.slice(0, 40))
  })

  test('of any text are short, different and not empty', () => {
    fc.assert(
      fc.property(
        fc
          .array(
            fc.constantFrom('One of', ':', ',', ' or ', '"a"', 'Bug', 'red', '(', ')', '=', '\n', 'when', '/', 'ß'),
          )
          .map((parts) => parts.join('')),
        (description) => {
          const found = labels(description)
          expect(found.length).not.toBe(1)
          expect(new Set(found.map((label) => label.toLowerCase())).size).toBe(found.length)
          for (const label of found) {
            expect(label).toBe(label.trim())
            expect(label.length).toBeGreaterThan(0)
            expect(label.length).toBeLessThanOrEqual(40)
          }
        },
      ),
      { numRuns: 500 },
    )
  })

  test('are found in reasonable time in a long text without any', () => {
    const long = `${'word, '.repeat(600)}${'('.repeat(200)}${'"'.repeat(201)}`
    expect(Array.isArray(labels(long))).toBe(true)
  })
})

describe('quotedPhrases', () => {
  test.each([
    ['says "locked out" or “cannot get in”', ['locked out', 'cannot get in']],
    ['sagt „gesperrt“ oder «bloqué »', ['gesperrt', 'bloqué']],
    ["the word 'refund', not the customer's", ['refund']],
    ['nothing quoted', []],
    ['', []],
  ])('%j', (description, phrases) => {
    expect(quotedPhrases(description)).toEqual(phrases)
  })
})
