import { describe, expect, it } from 'vitest'
import { documentFor } from '../testing.ts'
import { documentAdf } from './document-adf.ts'
import { documentHtml } from './document-html.ts'
import { documentMarkdown } from './document-markdown.ts'

const quotes = Array.from({ length: 20 }, (_, index) => ({
  text: `It stops after ${index} rows`,
  author: null,
  at: new Date('2026-03-01T10:00:00Z'),
  source: 'Support',
  link: null,
}))

describe('the quotes that a document does not show', () => {
  it.each([
    [60, undefined, '40 more quotes are not shown.'],
    [60, 14, '46 more quotes are not shown.'],
    [21, undefined, '1 more quote is not shown.'],
    [60, 0, '60 quotes are not shown.'],
  ])('are counted from all %i mentions, at most %s quotes', (mentions, maxQuotes, text) => {
    const document = documentFor('7f3c', { counts: { mentions, people: 1 }, quotes })
    const options = maxQuotes === undefined ? {} : { maxQuotes }
    expect(documentMarkdown(document, options)).toContain(text)
    expect(documentHtml(document, options)).toContain(text)
    expect(JSON.stringify(documentAdf(document, options))).toContain(text)
  })

  it('are not mentioned where every mention is shown, or the messages were deleted', () => {
    const shown = documentFor('7f3c', { counts: { mentions: 20, people: 1 }, quotes })
    expect(documentMarkdown(shown)).not.toContain('not shown')
    const withdrawn = documentFor('7f3c', { counts: { mentions: 20, people: 1 }, quotes: [] })
    expect(documentMarkdown(withdrawn)).not.toContain('not shown')
  })
})
