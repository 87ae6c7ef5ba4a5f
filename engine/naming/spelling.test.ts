import fc from 'fast-check'
import { expect, test } from 'vitest'
import { group } from '../group.ts'
import type { Node } from '../state/state.ts'
import type { Language } from '../text/language.ts'
import type { Sentence } from './naming.ts'
import { analysedSentences } from './sentences.ts'
import { spellingOf } from './spelling.ts'

function sentencesOf(texts: readonly string[], language: Language): Sentence[] {
  return texts.flatMap((text) => {
    const node = { text, language } as Node
    return analysedSentences(node).map((read) => ({ ...read, node, weight: 1, centrality: 1 }))
  })
}

function corrected(text: string, others: readonly string[], language: Language = 'en'): string {
  return spellingOf(sentencesOf([text, ...others], language))(text, language)
}

const UPDATE = ['How can I update my number', 'please update the number', 'update my phone number']

test.each<[string, string, string[], Language?]>([
  ['Updat my phone number', 'Update my phone number', UPDATE],
  ['updaet my phone number', 'update my phone number', UPDATE],
  ['I cannot updaate my number', 'I cannot update my number', UPDATE],
  ['The invoce is late', 'The invoice is late', ['my invoice', 'the invoice', 'an invoice']],
  ['Die Rechnug fehlt', 'Die Rechnung fehlt', ['eine Rechnung', 'keine Rechnung', 'die Rechnung'], 'de'],
  ['La factuura no llega', 'La factura no llega', ['la factura', 'una factura', 'mi factura'], 'es'],
])('%j is spelled as most spell it: %j', (text, right, others, language) => {
  expect(corrected(text, others, language)).toBe(right)
})

test.each<[string, string[], Language?]>([
  // What fewer than half spell otherwise, or fewer than three.
  ['Updat my number', ['update it', 'change it', 'where is it', 'no']],
  ['Updat my number', UPDATE.slice(1)],
  // What several write.
  ['Updat my number', [...UPDATE, 'updat the number']],
  // Inflections and other known words.
  ['The report is empty', ['empty reports', 'my reports', 'the reports']],
  ['The order was cancelled', ['cancel the order', 'cancel it', 'cancel my order']],
  ['A desert for two', ['the dessert', 'a dessert', 'no dessert']],
  ['Die Rechnungen fehlen', ['eine Rechnung', 'keine Rechnung', 'die Rechnung'], 'de'],
  ['La app está rota', ['todo roto aquí', 'roto', 'botón roto'], 'es'],
  // Names: with a capital, by the one or by most; with a figure or a hyphen.
  ['We need Flickr for this', ['the flicker', 'a flicker', 'no flicker']],
  ['sync with tallybook', ['sync Tallybrook', 'with Tallybrook', 'our Tallybrook']],
  ['updat3 fails', ['update fails', 'the update', 'my update']],
  ['re-updat it', UPDATE],
  // Two letters, another first letter, short words.
  ['updtae3 pudate upadet it', UPDATE],
  ['the lisr', ['the list', 'a list', 'my list']],
])('%j stays', (text, others, language) => {
  expect(corrected(text, others, language)).toBe(text)
})

test('corrects only to words of the group, at the same place', () => {
  const word = fc.constantFrom(
    'update',
    'updat',
    'updates',
    'phone',
    'phnoe',
    'number',
    'numbers',
    'Acme',
    'the',
    'recieve',
    'receive',
  )
  fc.assert(
    fc.property(
      fc.array(fc.array(word, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 8 }),
      (messages) => {
        const texts = messages.map((words) => words.join(' '))
        const said = new Set(messages.flat())
        const spelled = spellingOf(sentencesOf(texts, 'en'))
        for (const text of texts) {
          const words = spelled(text, 'en').split(' ')
          expect(words).toHaveLength(text.split(' ').length)
          for (const one of words) expect(said).toContain(one)
        }
      },
    ),
    { numRuns: 300 },
  )
})

test('the name of an insight is spelled as most of its mentions spell it', () => {
  const texts = [
    'Updat my phone number',
    'where do I update the phone number',
    'how can I update the phone number',
    'can you update the phone number',
  ]
  const [insight] = group(texts.map((text, i) => ({ id: `${i}`, text, at: i }))).insights
  expect(insight?.mention_count).toBe(4)
  expect(insight?.issue_name).toBe('Update my phone number')
})
