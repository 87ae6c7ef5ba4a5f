import { expect, test } from 'vitest'
import type { Node } from '../state/state.ts'
import type { Sentence } from './naming.ts'
import { analysedSentences } from './sentences.ts'
import { overlap, summaryOf } from './summary.ts'

/** Sentences of one message each, most central first. */
function sentences(...texts: string[]): Sentence[] {
  return texts.flatMap((text, place) => {
    const node = { text, language: 'en' } as Node
    return analysedSentences(node).map((read) => ({ ...read, node, weight: 1, centrality: 10 - place }))
  })
}

test('is the most central sentence and one that adds to it', () => {
  expect(
    summaryOf(
      sentences(
        'hello, the export stops after a minute',
        'the export stops after a minute again',
        'It is worse for reports of a whole year',
      ),
      'Name',
    ),
  ).toBe('The export stops after a minute. It is worse for reports of a whole year.')
})

test('does not repeat the name if there is an alternative', () => {
  const said = sentences('The export of reports stops', 'Large reports are never exported completely')
  expect(summaryOf(said, 'The export of reports stops')).toMatch(/^Large reports are never exported completely/)
  expect(summaryOf(said.slice(0, 1), 'The export of reports stops')).toBe('The export of reports stops.')
})

test('prefers sentences to headings, asides and code', () => {
  expect(
    summaryOf(
      sentences(
        'Export > CSV',
        'Same here, the export of ours',
        'See `export_failed` in the log',
        'The export never ends for us',
      ),
      'Name',
    ),
  ).toMatch(/^The export never ends for us\./)
})

test('uses what there is, and is empty without sentences', () => {
  expect(summaryOf(sentences('Export broken'), 'Name')).toBe('Export broken.')
  expect(summaryOf(sentences('x'.repeat(290)), 'Name')).toHaveLength(291)
  expect(summaryOf([], 'Name')).toBe('')
})

test('overlap is the share of the second that is in the first', () => {
  expect(overlap(new Set(['a', 'b']), new Set(['b', 'c']))).toBe(0.5)
  expect(overlap(new Set(['a']), new Set())).toBe(1)
})
