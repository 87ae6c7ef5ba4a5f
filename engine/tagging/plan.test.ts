import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Cue, parseTagPlan, type TagPlan } from './plan.ts'

const plan = (description: string, name = 'Tag') => parseTagPlan({ name, description })
const tokens = (cues: readonly Cue[]) => cues.map(({ words }) => words.map(({ token }) => token).join(' '))

/** The cues of each value, as texts. */
function cuesOf(read: TagPlan): Record<string, string[]> {
  if (read.kind !== 'category') return {}
  return Object.fromEntries(read.options.map(({ value, cues }) => [value, tokens(cues)]))
}

describe('a tag that counts', () => {
  test.each([
    ['Share of all mentions in percent', { kind: 'calculated', measure: 'mention-share' }],
    ['Number of customers who said it', { kind: 'number', measure: 'people' }],
    ['Number of mentions this year', { kind: 'none' }],
  ])('%j', (description, expected) => {
    expect(plan(description)).toMatchObject(expected)
  })

  test('what cannot be counted is explained', () => {
    expect(plan('The number of customers on the enterprise plan').understood).toMatch(/^This number is not known/)
    expect(plan('Which part of the product').understood).toMatch(/^Not understood/)
  })
})

describe('a tag with values', () => {
  test('looks for each value and for what is said about it', () => {
    expect(cuesOf(plan('Kitchen (crumbs, late orders), Garden (weeds)'))).toEqual({
      Kitchen: ['kitchen', 'crumbs', 'late orders'],
      Garden: ['garden', 'weeds'],
    })
  })

  test('knows what common labels stand for', () => {
    const { Bug = [], Question = [] } = cuesOf(plan('One of: Bug, Question'))
    expect(Bug).toEqual(expect.arrayContaining(['crash', 'not working']))
    expect(Question).toEqual(expect.arrayContaining(['how do i']))
  })

  test('a cue of two values is used for neither', () => {
    const cues = cuesOf(plan('Web (checkout, menus), App (checkout, push)'))
    expect(cues.Web).not.toContain('checkout')
    expect(cues.App).not.toContain('checkout')
    expect(cues.Web).toContain('menus')
    expect(cues.App).toContain('push')
  })

  test('what a description names for one value is not taken from it by what another label usually means', () => {
    const cues = cuesOf(plan('Kitchen (refund of cold food), Refund (money)'))
    expect(cues.Kitchen?.join(' ')).toContain('food')
    expect(cues.Refund).toContain('money')
  })

  test('a grade is no word to look for', () => {
    const cues = cuesOf(plan('One of: high, medium, low'))
    expect(cues).toEqual({ high: [], medium: [], low: [] })
    expect(cuesOf(plan('high: money is lost; low: a typo')).high).toEqual(['money lost'])
  })

  test('sentiment tells values apart only where both kinds occur', () => {
    const sentiments = (description: string) => {
      const read = plan(description)
      return read.kind === 'category' ? read.options.map(({ sentiment }) => sentiment) : []
    }
    expect(sentiments('One of: Bug, Feature request, Question')).toEqual(['problem', 'request', null])
    expect(sentiments('One of: Bug, Billing')).toEqual([null, null])
  })

  test('exclusions of a value are not among its cues', () => {
    expect(cuesOf(plan('Billing: invoices but not salaries; Login: passwords')).Billing).not.toContain('salaries')
  })

  test('two parts of a label are looked for on their own', () => {
    expect(cuesOf(plan('One of: Shipping & Delivery, Taste/Smell or Price')).Shipping).toBeUndefined()
    const cues = cuesOf(plan('One of: Shipping & Courier, Taste'))
    expect(cues['Shipping & Courier']).toEqual(expect.arrayContaining(['shipping', 'courier']))
  })
})

describe('a tag of one subject', () => {
  const subject = (description: string, name = 'Tag') => {
    const read = plan(description, name)
    return read.kind === 'category'
      ? { cues: tokens(read.options[0]?.cues ?? []), against: tokens(read.against) }
      : null
  }

  test('looks for its name, its quotes and its words', () => {
    expect(subject('Everything about weeds and “late harvest”', 'Garden')?.cues).toEqual([
      'garden',
      'late harvest',
      'weeds',
    ])
  })

  test('takes what follows "but not" as exclusions', () => {
    const read = subject('Everything about payments, but not salaries or bonuses', 'Money')
    expect(read?.against).toEqual(['salaries', 'bonuses'])
    expect(read?.cues).not.toContain('salaries')
  })

  test.each([
    ['Alles über Rechnungen, aber nicht Gehälter', 'gehälter'],
    ['Tout sur les factures, sauf salaires', 'salaires'],
    ['Todo sobre facturas, excepto salarios', 'salarios'],
    ['Tudo sobre faturas, exceto salários', 'salários'],
  ])('also in %j', (description, excluded) => {
    expect(subject(description)?.against).toEqual([excluded])
  })

  test('a light verb counts with its particle only', () => {
    expect(subject('Everything about getting in', 'Access door')?.cues).toContain('getting in')
    expect(subject('Everything about getting', 'Access door')?.cues).not.toContain('getting')
  })

  test('a word with a particle is looked for in that order', () => {
    const read = plan('Everything about people who are locked out', 'Entry')
    const cue = read.kind === 'category' ? read.options[0]?.cues.find(({ words }) => words.length === 2) : undefined
    expect(cue?.words.map(({ token }) => token)).toEqual(['locked', 'out'])
    expect(cue?.inOrder).toBe(true)
  })

  test('lists at most six of its words to the author', () => {
    expect(
      plan('Everything about one, apples, pears, plums, cherries, figs, dates, limes', 'Fruit').understood,
    ).toMatch(/: apples, pears, plums, cherries, figs, dates, …$/)
    expect(plan('Everything about apples', 'Fruit').understood).toBe('“Fruit” where an insight speaks of: apples')
  })

  test('of stop words alone, or without a name, is not understood', () => {
    expect(plan('Everything about it', 'The')).toMatchObject({ kind: 'none' })
    expect(plan('Everything about invoices', '  ')).toMatchObject({ kind: 'none' })
  })
})

describe('any description', () => {
  test('is read without an error, and explained', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), fc.string({ maxLength: 20 }), (description, name) => {
        const read = parseTagPlan({ name, description })
        expect(read.understood.length).toBeGreaterThan(5)
        expect(read.kind !== 'category' || read.options.length > 0).toBe(true)
        expect(parseTagPlan({ name, description })).toEqual(read)
      }),
      { numRuns: 200 },
    )
  })

  test('is read as far as 4,000 characters, its name as far as 200', () => {
    const filler = 'invoices, '.repeat(400)
    expect(plan(`Everything about ${filler}zebras`)).toEqual(plan(`Everything about ${filler}llamas`))
    const read = plan('Everything about invoices', 'n'.repeat(300))
    expect(read.kind === 'category' ? read.options[0]?.value : '').toHaveLength(200)
  })

  test('has at most 120 cues', () => {
    const words = Array.from({ length: 300 }, (_, i) => `word${String.fromCharCode(97 + (i % 26))}${i}x`)
    const read = plan(`Everything about ${words.join(', ')}`.slice(0, 4_000))
    expect(read.kind === 'category' ? read.options[0]?.cues.length : 0).toBeLessThanOrEqual(120)
    expect(read.kind === 'category' ? read.options[0]?.cues.length : 0).toBeGreaterThan(100)
  })
})
