import { describe, expect, test } from 'vitest'
import type { Node } from '../state/state.ts'
import type { Language } from '../text/language.ts'
import type { WordShares } from './details.ts'
import { chooseName, type Sentence } from './naming.ts'
import { analysedSentences, nameKey } from './sentences.ts'

type Message = readonly [text: string, options?: { weight?: number; language?: string }]

/** The sentences of these messages, most central first, and the share of the messages that have each stem. */
function groupOf(messages: readonly Message[]) {
  const sentences = messages.flatMap(([text, { weight = 1, language = 'en' } = {}], place): Sentence[] => {
    const node = { text, language } as Node
    return analysedSentences(node).map((read) => ({ ...read, node, weight, centrality: messages.length - place }))
  })
  const total = messages.reduce((sum, [, options]) => sum + (options?.weight ?? 1), 0)
  const shares: WordShares = new Map()
  for (const { stems, weight } of sentences)
    for (const stem of stems) shares.set(stem, (shares.get(stem) ?? 0) + weight / total)
  return { sentences, shares }
}

function named(messages: readonly Message[], taken: readonly string[] = [], language = 'en', earlier?: string) {
  const { sentences, shares } = groupOf(messages)
  const reserved = new Set(taken.flatMap((one) => [one, nameKey(one)]))
  return chooseName(sentences, shares, () => 5, language as Language, reserved, earlier)
}

const name = (...group: Parameters<typeof named>) => named(...group)?.name ?? null

const EXPORT: Message[] = [
  ['The CSV export fails for large reports'],
  ['CSV export fails again'],
  ['Our CSV export fails since Monday'],
  ['The CSV export fails'],
]

describe('chooseName', () => {
  test('of no sentence, or of none that can be a title, is null', () => {
    expect(name([])).toBeNull()
    expect(name([['ok']])).toBeNull()
    expect(name([['see https://example.com/x_1 {a}'], ['`code_here` 123456']])).toBeNull()
  })

  test('of a single message is its title', () => {
    expect(name([['hello, the barcode scanner freezes at checkout!']])).toBe('The barcode scanner freezes at checkout')
  })

  test('is a title that most messages share', () => {
    expect(name([['Could you have a look at our office chairs'], ...EXPORT])).toMatch(/CSV export fails/)
  })

  test('does not promise what only one message says', () => {
    const chosen = name([...EXPORT, ['The CSV export fails in Lisbon'], ['The CSV export fails in Porto']])
    expect(chosen).toMatch(/export fails/)
    expect(chosen).not.toMatch(/Lisbon|Porto/)
  })

  test('is not one that is taken, in any wording', () => {
    const first = name(EXPORT) as string
    const second = name(EXPORT, [first])
    expect(second).not.toBe(first)
    expect(nameKey(second ?? '')).not.toBe(nameKey(first))
    const all = EXPORT.map(([text]) => text)
    expect(name([['CSV export fails again']], ['CSV exports failing again'])).toBeNull()
    expect(name(EXPORT, [...all, first, second ?? ''])).not.toBe(first)
  })

  test('is the same whichever equal message comes first', () => {
    const messages: Message[] = [...EXPORT, ...EXPORT.map(([text]): Message => [`${text}.`])]
    expect(name(messages.toReversed())).toBe(name(messages))
  })

  test('follows the messages a sentence stands for', () => {
    const messages = (scanner: number): Message[] => [
      ['The CSV export fails every night', { weight: 4 }],
      ['The barcode scanner freezes at checkout', { weight: scanner }],
    ]
    expect(name(messages(1))).toMatch(/export/)
    expect(name(messages(16))).toMatch(/scanner/)
  })

  test('prefers the language of the group', () => {
    const messages: Message[] = [
      ['The export fails every night'],
      ['Der Export schlägt jede Nacht fehl', { language: 'de' }],
    ]
    expect(name(messages, [], 'en')).toBe('The export fails every night')
    expect(name(messages, [], 'de')).toBe('Der Export schlägt jede Nacht fehl')
  })

  test('prefers what a message says first', () => {
    const messages: Message[] = Array.from({ length: 6 }, () => [
      'The invoice stops halfway. The export stops halfway.',
    ])
    expect(name(messages)).toBe('The invoice stops halfway')
  })

  test.each([
    ['fr', "L'export des rapports échoue chaque nuit"],
    ['es', 'La exportación de informes falla cada noche'],
    ['pt', 'A exportação de relatórios falha toda noite'],
    ['other', 'Выгрузка отчётов не работает'],
  ])('names a group in %s', (language, text) => {
    expect(
      name(
        [
          [text, { language }],
          [text, { language }],
        ],
        [],
        language,
      ),
    ).toBe(text)
  })

  test('of a hundred messages looks at the most central ones', () => {
    const messages: Message[] = [
      ...Array.from({ length: 100 }, (): Message => ['The CSV export fails']),
      ['The barcode scanner freezes at checkout'],
    ]
    expect(name(messages)).toBe('The CSV export fails')
  })

  test('is one noun or verb phrase, never two joined', () => {
    const points: Message[] = [
      ...Array.from({ length: 14 }, (_, n): Message => [`How many points have I earned ${'so far '.repeat(n % 2)}`]),
      ...Array.from({ length: 10 }, (): Message => ['How do I redeem points']),
    ]
    expect(name(points)).toBe('How many points have I earned')
    expect(name([["I can't redeem my points"], ["We still can't redeem our points"]])).toMatch(/^Can't redeem/)
  })

  test('never comes from what only one message says beside the subject', () => {
    const messages: Message[] = [
      ['Right now I have to say mostly good things. The invoice export stops halfway'],
      ["Morning team, I'm on early shift today. Our invoice export stops halfway"],
      ['1) pictures of the office party 2) invoice export stops halfway'],
      ['Invoice export stops halfway &amp; nobody answers'],
    ]
    expect(named(messages)?.confident).toBe(true)
    expect(name(messages)).toMatch(/^(?:The |Our )?invoice export stops halfway$/i)
  })

  test('is a guess when fewer than half say it', () => {
    const messages: Message[] = [
      ['The invoice export stops halfway'],
      ['My avatar is upside down'],
      ['Bicycles collide with our garden fence'],
      ['A lighthouse needs fresh paint'],
      ['Someone ate the last sandwich'],
    ]
    expect(named(messages)?.confident).toBe(false)
  })

  test('is a phrase that most share when no title is supported, as a guess', () => {
    const messages: Message[] = [
      ['Bicycle couriers from Porto scratched our dark mode banner yesterday evening'],
      ['Grandmother finds dark mode soothing while knitting woollen socks'],
      ['Lighthouse keepers asked whether dark mode survives thunderstorms offshore'],
      ['Dark mode tempts sleepy accountants during quarterly paperwork marathons'],
    ]
    expect(named(messages)).toEqual({ name: 'Dark mode', confident: false })
  })

  test('stays while it is acceptable, and only then', () => {
    expect(name(EXPORT, [], 'en', 'Our CSV export fails since Monday')).toBe('Our CSV export fails since Monday')
    expect(name(EXPORT, [], 'en', 'The barcode scanner freezes')).toMatch(/CSV export fails/)
    expect(name(EXPORT, ['CSV export fails'], 'en', 'CSV exports fail')).not.toBe('CSV exports fail')
  })
})
