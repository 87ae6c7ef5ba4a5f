import { describe, expect, test } from 'vitest'
import { oneLine } from '../../plain-text.ts'
import { countPeople, gatherEvidence, MENTIONS_READ } from './evidence.ts'

const mentionsOf = (texts: readonly string[], author: (at: number) => string | null = (at) => `p${at}`) =>
  texts.map((text, at) => ({ text, author: author(at) }))

test('at most twelve pieces, each cut, from the newest mentions', () => {
  const texts = Array.from({ length: 100 }, (_, at) => `Export ${at} of the report fails ${'again and '.repeat(60)}`)
  const { quotes, mentions } = gatherEvidence('Title', mentionsOf(texts))
  expect(quotes).toHaveLength(12)
  expect(mentions).toHaveLength(MENTIONS_READ)
  expect(Math.max(...quotes.map(({ text }) => text.length))).toBeLessThanOrEqual(240)
  for (const { text } of quotes) expect(texts.some((whole) => whole.includes(text))).toBe(true)
})

test('what represents the group comes first, and similar pieces come last', () => {
  const texts = [
    'Something else entirely about invoices',
    'CSV export fails for large reports',
    'CSV export fails for large reports!',
    'The export of large reports fails on Mondays',
    'Exporting to CSV never works',
  ]
  const { quotes } = gatherEvidence('Title', mentionsOf(texts))
  expect(quotes[0]?.text).toMatch(/export of large reports|CSV export fails/i)
  const places = quotes.map(({ text }) => text.replace('!', ''))
  expect(places.lastIndexOf('CSV export fails for large reports')).toBeGreaterThan(2)
})

test('one person counts as one: at most two pieces, and the same words without an author once', () => {
  expect(
    gatherEvidence(
      'Title',
      mentionsOf(['the export fails', 'export is broken', 'no export at all'], () => 'Kim'),
    ).mentions,
  ).toHaveLength(2)
  expect(
    gatherEvidence(
      'Title',
      mentionsOf(['the export fails', 'The export fails', 'THE EXPORT FAILS'], () => null),
    ).mentions,
  ).toHaveLength(1)
  const { quotes, mentions } = gatherEvidence('Title', mentionsOf(['the export fails', 'The export fails']))
  expect(countPeople(mentions)).toBe(2)
  expect(quotes).toHaveLength(1)
})

test('links and e-mail addresses are not shown', () => {
  const { quotes } = gatherEvidence(
    'Title',
    mentionsOf(['The export at https://app.example.com/r/1?key=abc fails, write to kim@example.com please']),
  )
  expect(quotes[0]?.text).toBe('The export at … fails, write to … please')
})

describe('oneLine', () => {
  test('removes invisible characters and never cuts a character in two', () => {
    expect(oneLine('a\u200bb\u0000c\n\n d\u2028e\u{e0041}')).toBe('ab c d e')
    expect(oneLine('🤯'.repeat(200), 101).isWellFormed()).toBe(true)
    expect(oneLine('\ud800 broken')).toBe('\ufffd broken')
  })

  test('handles a message of a million characters', () => {
    expect(oneLine('x'.repeat(1_000_000)).length).toBeLessThanOrEqual(240)
    expect(
      gatherEvidence('Title', mentionsOf(['a'.repeat(1_000_000), '@'.repeat(100_000), 'a.'.repeat(100_000)])).mentions
        .length,
    ).toBeLessThan(4)
  })
})
