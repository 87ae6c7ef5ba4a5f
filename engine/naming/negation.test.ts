import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { group } from '../group.ts'
import type { Item } from '../model.ts'
import type { Node } from '../state/state.ts'
import type { Language } from '../text/language.ts'
import { titleVariants } from './details.ts'
import { keepsNegation } from './negation.ts'
import { analysedSentences, laterTitlesIn } from './sentences.ts'
import { asPhrase } from './wording.ts'

/** Clauses by language: what is negated, its negation, and a word that stands for the rest of it. */
const NEGATED: Record<Exclude<Language, 'other'>, [clause: string, negation: RegExp, about: RegExp][]> = {
  en: [
    ['no new levels have been released', /\bno\b/i, /levels/],
    ['No dark mode in the settings', /\bno\b/i, /dark mode/],
    ['there is no way to export the invoices', /\bno\b/i, /export/],
    ["I can't change my phone number", /\bcan't\b/i, /phone number/],
    ['the calendar does not show holidays', /\bnot\b/i, /show/],
    ["the app doesn't open the camera any more", /doesn't/i, /open/],
    ['we are no longer able to see the reports', /no longer/i, /able to see/],
    ['I never received the confirmation mail', /never/i, /received/],
    ['you can hardly read the labels on the map', /hardly/i, /read the labels/],
    ["I wish it didn't log me out", /didn't/i, /log me out/],
    ['nobody answers the support line', /nobody/i, /answers/],
    ['not able to log in with the new password', /\bnot\b/i, /able to log in/],
    ['the export stops without any error message', /without/i, /error message/],
    ["I don't think the price is fair", /don't/i, /price is fair/],
    ["I'm not sure the price is right", /\bnot\b/i, /price is right/],
    ['none of our customers says the checkout is easy', /none/i, /checkout is easy/],
    ['nobody says that the search is fast', /nobody/i, /search is fast/],
  ],
  de: [
    ['keine neuen Kurse seit dem Update', /keine/i, /neuen Kurse/],
    ['der Export funktioniert nicht mit Safari', /nicht/i, /funktioniert/],
    ['ohne Internet startet die App', /ohne/i, /startet die App/],
    ['ich kann das Passwort nie ändern', /nie\b/i, /ändern/],
  ],
  fr: [
    ['aucun nouveau cours depuis la mise à jour', /aucun/i, /nouveau cours/],
    ["l'export ne fonctionne pas avec Safari", /pas/i, /fonctionne/],
    ['impossible de payer sans carte bancaire', /sans/i, /carte bancaire/],
    ["je n'arrive jamais à me connecter", /jamais/i, /connecter/],
  ],
  es: [
    ['no hay nuevos niveles desde la actualización', /\bno\b/i, /nuevos niveles/],
    ['no funciona la exportación de facturas', /\bno\b/i, /funciona/],
    ['nunca recibo el correo de confirmación', /nunca/i, /recibo/],
    ['la aplicación se cierra sin guardar los cambios', /\bsin\b/i, /guardar/],
  ],
  pt: [
    ['não consigo exportar as faturas', /não/i, /consigo/],
    ['nenhum nível novo desde a atualização', /nenhum/i, /nível novo/],
    ['nunca recebo o e-mail de confirmação', /nunca/i, /recebo/],
    ['o aplicativo fecha sem salvar as alterações', /sem/i, /salvar/],
  ],
}

const BEFORE = [
  '',
  'Hi, ',
  'Sorry, ',
  'Sorry ',
  'Ok so ',
  'No, ',
  'Well, ',
  'please note that ',
  'Unfortunately ',
  'It seems that ',
]
const AFTER = [
  '',
  '!',
  ' since the last update',
  ' for us',
  ', please help',
  ' because the button is missing',
  ' when I am on the train to work',
]

const LANGUAGES = Object.keys(NEGATED) as Exclude<Language, 'other'>[]

/** All titles that a sentence yields in a group in which these words are shared. */
function titlesOf(text: string, language: Language, shares: ReadonlyMap<string, number>): string[] {
  return analysedSentences({ text, language } as Node).flatMap((sentence) =>
    [...(sentence.title ? [sentence.title] : []), ...laterTitlesIn(sentence, language)].flatMap((title) =>
      titleVariants(title, sentence.text, language, new Map(shares)).flatMap((one) => [one.text, asPhrase(one.text)]),
    ),
  )
}

describe('a name cut from a sentence keeps its negation', () => {
  test.each(LANGUAGES)('in %s, wherever it is cut', (language) => {
    let titles = 0
    fc.assert(
      fc.property(
        fc.constantFrom(...BEFORE),
        fc.constantFrom(...NEGATED[language]),
        fc.constantFrom(...AFTER),
        fc.dictionary(
          fc.constantFrom('level', 'export', 'releas', 'price', 'invoic', 'report'),
          fc.double({ min: 0, max: 1, noNaN: true }),
        ),
        (before, [clause, negation, about], after, shares) => {
          for (const title of titlesOf(`${before}${clause}${after}`, language, new Map(Object.entries(shares)))) {
            if (!about.test(title)) continue
            titles++
            expect(title).toMatch(negation)
          }
        },
      ),
      { numRuns: 400 },
    )
    expect(titles).toBeGreaterThan(100)
  })

  test('in a group that is named by what its messages share', () => {
    const texts = [
      'No new levels have been released',
      'no new levels released for months',
      'When will you finally release something? No new levels since May',
      'still no new levels',
      'no new levels again',
      'There are no new levels, released or planned',
    ]
    const items = texts.map((text, n): Item => ({ id: `m${n}`, text, at: n }))
    const { insights } = group(items)
    expect(insights).toHaveLength(1)
    expect(insights[0]?.issue_name).toMatch(/\bno\b/i)
  })
})

describe('keepsNegation', () => {
  test.each([
    ['The export fails', 'No, the export fails'],
    ['How to pay in euros', "I don't know how to pay in euros"],
    ['The export fails', "I'm not sure what happened but the export fails"],
    ['What is my limit', 'no idea what my limit is'],
    ['Kalender zeigt keine Feiertage', 'Der Kalender zeigt keine Feiertage'],
  ])('%j says what is said in %j', (title, sentence) => {
    expect(keepsNegation(title, sentence, sentence.startsWith('Der') ? 'de' : 'en')).toBe(true)
  })

  test.each([
    ['New levels have been released', 'No new levels have been released'],
    ['The price is high', 'I leave, not because the price is high'],
    ['Export stops with a message', 'Export stops without a message'],
    ['Able to log in', "I'm not able to log in"],
  ])('%j is not what is said in %j', (title, sentence) => {
    expect(keepsNegation(title, sentence, 'en')).toBe(false)
  })
})
