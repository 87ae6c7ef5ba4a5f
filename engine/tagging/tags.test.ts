import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sentimentOf } from '../text/sentiment.ts'
import { parseTagPlan, prepareTagText, type TagCounts, tagValue } from './tags.ts'

const DAY = 86_400_000
const counts: TagCounts = {
  mentions: 30,
  people: 12,
  week: 9,
  weekBefore: 6,
  firstSeen: 10 * DAY,
  lastSeen: 37.5 * DAY,
  allMentions: 240,
  allPeople: 48,
  now: 40 * DAY,
}

const plan = (description: string, name = 'Tag') => parseTagPlan({ name, description })
const values = (description: string) => {
  const read = plan(description)
  return read.kind === 'category' ? read.options.map(({ value }) => value) : read.kind
}
const of = (description: string, text: { name: string; summary?: string; quotes?: string[] }, name = 'Tag') =>
  tagValue(plan(description, name), prepareTagText({ summary: '', quotes: [], ...text }), counts)

describe('the values that a description lists', () => {
  test.each([
    [
      'One of Billing, Login or Export: which part of the product the feedback is about.',
      ['Billing', 'Login', 'Export'],
    ],
    ['Which part of the product? One of: Billing, Login, Export.', ['Billing', 'Login', 'Export']],
    ['Choose between Web, iOS and Android, depending on where it happens.', ['Web', 'iOS', 'Android']],
    ['The area of the product, such as Billing, Login or Export, in one word.', ['Billing', 'Login', 'Export']],
    ['How urgent it is for the customer: high, medium or low', ['high', 'medium', 'low']],
    ['Whether it is a bug, a feature request or a question from a customer', ['bug', 'feature request', 'question']],
    ['blocker when nothing works, major when there is a workaround, minor for looks', ['blocker', 'major', 'minor']],
    ['Bug: something is broken; Feature request: something new is wished for', ['Bug', 'Feature request']],
    ['- Booking: finding a slot\n- Visit: the waiting room\n- Results: lab values', ['Booking', 'Visit', 'Results']],
    ['Which team: Kitchen (food, taste), Drivers (courier) or Payments (refunds)', ['Kitchen', 'Drivers', 'Payments']],
    ['Set "Sales" when a deal is at stake, "Support" when a ticket waits', ['Sales', 'Support']],
    ['Which product it is about: “Desk”, “Chair” or “Lamp”, nothing else', ['Desk', 'Chair', 'Lamp']],
    ['Classify the feedback as positive, negative or neutral based on the tone', ['positive', 'negative', 'neutral']],
    ['Customer segment: Enterprise, Mid-market or SMB, depending on its size.', ['Enterprise', 'Mid-market', 'SMB']],
    ['iOS, Android or Web: the platform on which the problem occurs', ['iOS', 'Android', 'Web']],
    ['The customer journey stage (awareness, onboarding, renewal)', ['awareness', 'onboarding', 'renewal']],
    ['1 = trivial typo, 2 = annoying, 3 = blocks the work of a customer', ['1', '2', '3']],
    ['Gib an, ob es sich um einen Fehler, einen Wunsch oder eine Frage handelt', ['Fehler', 'Wunsch', 'Frage']],
    ['Eines von: Rechnung, Lieferung oder Anmeldung, je nachdem worum es geht', ['Rechnung', 'Lieferung', 'Anmeldung']],
    ['Une de Facturation, Connexion ou Export selon la partie concernée', ['Facturation', 'Connexion', 'Export']],
    ['Uno de: Pagos, Envíos o Devoluciones, según la parte de la tienda', ['Pagos', 'Envíos', 'Devoluciones']],
    ['Uma de: Pagamento, Entrega ou Conta, conforme a parte do produto', ['Pagamento', 'Entrega', 'Conta']],
  ])('%s', (description, wanted) => {
    expect(values(description)).toEqual(wanted)
    expect(plan(description).understood).toBe(`One of: ${wanted.join(', ')}`)
  })

  test.each([
    'Which part of the product the feedback is about, one word.',
    'The name of the customer success manager who should answer',
    'Overall emotional tone of the customer in this thread of feedback',
    'A short summary of the root cause for the weekly meeting',
  ])('are not guessed: %s', (description) => {
    expect(plan(description)).toMatchObject({ kind: 'none', understood: expect.stringMatching(/^Not understood/) })
  })
})

describe('a description of one subject', () => {
  const billing = 'Everything about invoices, payments and what they cost, but not salaries'

  test('gives the name of the tag, and lists the words it looks for', () => {
    expect(plan(billing, 'Billing').understood).toBe('“Billing” where an insight speaks of: invoices, payments, cost')
    const late = { name: 'Invoices arrive late', quotes: ['my invoice is late', 'late invoices'] }
    expect(of(billing, late, 'Billing')).toBe('Billing')
    expect(of(billing, { name: 'The map is blank', quotes: ['blank map'] }, 'Billing')).toBeNull()
  })

  test('gives no value when an exclusion matches too', () => {
    const both = { name: 'Salaries and payments are mixed up', quotes: ['salaries and payments in one list'] }
    expect(of(billing, both, 'Billing')).toBeNull()
  })

  test('is not set by one of two mentions', () => {
    const passing = { name: 'The map is blank', quotes: ['the map is blank since my invoice came', 'blank map'] }
    expect(of(billing, passing, 'Billing')).toBeNull()
  })
})

describe('one option of several', () => {
  const areas = 'One of Billing, Login or Export: which part of the product the feedback is about.'

  test('is set by clear matches, including misspellings and separated words', () => {
    expect(of(areas, { name: 'CSV exprot is cut off', quotes: ['exprot is cut off'] })).toBe('Export')
    expect(of(areas, { name: 'Cannot log in', quotes: ['I cannot log in', 'logging in fails'] })).toBe('Login')
  })

  test('is left open between two matches', () => {
    expect(of(areas, { name: 'Export after login fails', quotes: ['login, then export: fails'] })).toBeNull()
  })

  test('is not set by a grading word', () => {
    const levels = 'How urgent it is: high (data loss, outage), medium (slow) or low (typo)'
    expect(of(levels, { name: 'API limit is too low', quotes: ['limit too low', 'the limit is low'] })).toBeNull()
    expect(of(levels, { name: 'Typo on the start page', quotes: ['a typo', 'typo on the start page'] })).toBe('low')
  })

  test('distinguishes words that share a stem by accident', () => {
    const imports = 'Everything about imports of files and their columns and rows'
    expect(of(imports, { name: 'This is important to us', quotes: ['important!', 'very important'] })).toBeNull()
  })
})

describe('counted values', () => {
  test.each([
    ['The share of all mentions that this insight has, in percent', 'calculated', 12.5],
    ['Percentage of customers who have said it, of all customers', 'calculated', 25],
    ['Growth of mentions per week in percent, against the week before', 'calculated', 50],
    ['How many customers have mentioned this insight so far, in total', 'number', 12],
    ['The number of mentions that this insight has had up to now', 'number', 30],
    ['Number of mentions this week, so that new ones can be seen', null, null],
    ['How many mentions there were in the last 7 days, in total', 'number', 9],
    ['Days since the last mention of this insight, as a number', 'number', 2],
    ['How many days ago this insight was mentioned for the first time', 'number', 30],
    ['Anzahl der Kunden, die dieses Problem gemeldet haben, insgesamt', 'number', 12],
    ['Wachstum der Erwähnungen pro Woche in Prozent, als eine Zahl', 'calculated', 50],
    ['How many customers of the Enterprise plan have mentioned this', null, null],
    ['Number of mentions in the current quarter, for the board meeting', null, null],
    ['The total monthly revenue of all customers who mentioned this', null, null],
  ])('%s', (description, kind, value) => {
    expect(plan(description).kind).toBe(kind ?? 'none')
    expect(of(description, { name: 'x' })).toBe(value)
  })

  test('has no value without a base to compare with', () => {
    const nothing: TagCounts = { ...counts, weekBefore: 0, allMentions: 0, lastSeen: null }
    const text = prepareTagText({ name: 'x', summary: '', quotes: [] })
    for (const description of [
      'Growth of mentions per week in percent, against the week before',
      'The share of all mentions that this insight has, in percent',
      'Days since the last mention of this insight, as a number',
    ]) {
      expect(tagValue(plan(description), text, nothing)).toBeNull()
    }
  })
})

describe('any description and any text', () => {
  const pieces = fc.constantFrom(
    'one of ',
    ': ',
    ', ',
    ' or ',
    '; ',
    '\n- ',
    '"',
    '“',
    '(',
    ')',
    ' when ',
    ' not ',
    'Growth ',
    'number of ',
    'such as ',
    'ß',
    '🎉',
    '1',
    ' - ',
    'A ',
    'login',
    'e.g. ',
    '/',
    "'",
  )
  const anyText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 500 }),
    fc.array(fc.oneof(pieces, fc.string({ maxLength: 8 })), { maxLength: 200 }).map((parts) => parts.join('')),
  )

  test('give a value of the plan, or none', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, (name, description, said) => {
        const read = parseTagPlan({ name, description })
        expect(read.understood).not.toBe('')
        const value = tagValue(read, prepareTagText({ name: said, summary: description, quotes: [said, name] }), counts)
        const values = read.kind === 'category' ? read.options.map((option) => option.value) : []
        const fits =
          value === null || (read.kind === 'category' ? values.includes(String(value)) : Number.isFinite(value))
        expect(fits).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test.each([
    'a',
    'a, ',
    'one of ',
    '"a" ',
    '(a) ',
    'A, ',
    'a when b, ',
    '- a: b\n',
    ': ',
    ' - ',
    'share ',
    '(',
    'ab ',
  ])(
    'the worst repetitions are read: %j',
    (piece) => {
      const description = piece.repeat(4_000).slice(0, 4_000)
      const read = parseTagPlan({ name: 'Tag', description })
      expect(
        tagValue(read, prepareTagText({ name: description, summary: description, quotes: [description] }), counts),
      ).not.toBe(undefined)
    },
    5_000,
  )

  test('the same input gives the same plan', () => {
    const description = 'One of Billing, Login or Export: which part of the product the feedback is about.'
    expect(plan(description)).toEqual(plan(description))
  })
})

describe('values that differ in sentiment', () => {
  const KIND = 'Bug when something is broken, fails or gets lost. Request when people wish for something new.'
  const saying = (...quotes: string[]) => of(KIND, { name: quotes[0] ?? '', summary: quotes[0], quotes })

  test('are set by sentiment, whatever the words', () => {
    expect(saying('Meetings come in double', 'every meeting shows up twice', 'doubled again since Monday')).toBe('Bug')
    expect(saying('Der Aufzug hängt schon wieder', 'er steckt fest', 'geht nicht mehr weiter')).toBe('Bug')
    expect(saying('I would love a second colour', 'any plans for colours?', 'could you add blue')).toBe('Request')
    expect(saying('Sería útil un mapa', 'me gustaría un mapa', 'ojalá hubiera un mapa')).toBe('Request')
  })

  test('a request may describe the problem it would solve', () => {
    expect(
      saying('It would be great to copy a week', 'we cannot copy a week, please add that', 'would love to copy it'),
    ).toBe('Request')
  })

  test('are not set when both sentiments occur, or neither', () => {
    expect(saying('The station is near', 'five minutes to the station', 'around the corner')).toBeNull()
    expect(saying('Copies', 'copying is broken and fails', 'would be nice to copy more', 'Copies')).toBeNull()
  })

  test('need both a problem and a request among the values', () => {
    const quotes = ['it came twice', 'came twice again']
    expect(of('One of Billing, Bug or Shipping.', { name: 'It came twice', summary: 'twice', quotes })).toBeNull()
  })

  test('read only the beginning of a long text', () => {
    const long = `${'a '.repeat(500_000)} it crashes and fails`
    expect(sentimentOf(long)).toBeNull()
    expect(sentimentOf(long.slice(-22))).toBe('problem')
  })
})

test('a light verb counts with its particle', () => {
  const about = 'People cannot get in: the login or a password is refused, whatever the reason is'
  const said = (name: string) => of(about, { name, quotes: [name] }, 'Getting in')
  expect(said('I cannot get in since Monday')).toBe('Getting in')
  expect(said("Managers don't get reminded of open timesheets")).toBeNull()
})
