import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ajv from 'ajv-draft-04'
import fc from 'fast-check'
import { Parser } from 'htmlparser2'
import { describe, expect, it } from 'vitest'
import { type AdfNode, documentAdf } from './document-adf.ts'
import { documentHtml } from './document-html.ts'
import { documentMarkdown } from './document-markdown.ts'
import { documentTitle, type InsightDocument, type Quote } from './insight-document.ts'

const MARKER = '7c0f8a52-7e0f-4c8e-9a35-0b4f6a0c1d11'
const quote: Quote = {
  text: 'It stops.\nEvery time',
  author: 'Anna Example',
  at: new Date('2026-03-01T10:00:00Z'),
  source: 'Support',
  link: 'https://help.example.com/t/1',
}
const document: InsightDocument = {
  title: 'Export fails',
  summary: 'The export stops.\n\nIt is slow too.',
  counts: { mentions: 12, people: 1 },
  tags: [{ name: 'Plan', value: 'Pro' }],
  quotes: [quote],
  companies: [],
  link: 'https://groundswell.example.com/insights/7',
  marker: MARKER,
  updated: new Date('2026-03-02T08:30:59Z'),
}
/** As a reader sees it. */
const visible = (text: string) => text.replaceAll('\u2060', '')

describe('Markdown', () => {
  it('has summary, numbers, tags, quotes, the way back and the marker', () => {
    expect(visible(documentMarkdown(document, { hiddenMarker: true }))).toBe(
      [
        'The export stops.',
        '',
        'It is slow too.',
        '',
        '**12 mentions** from **1 person**  ',
        'Plan: Pro',
        '',
        '### What customers wrote',
        '',
        '> It stops.  ',
        '> Every time  ',
        '> — Anna Example, 2026\\-03\\-01, Support \\([original message](https://help.example.com/t/1)\\)',
        '',
        '11 more quotes are not shown.',
        '',
        '[Open the insight in Groundswell](https://groundswell.example.com/insights/7)  ',
        `Updated 2026\\-03\\-02 08:30 UTC. Insight \`${MARKER}\``,
        '',
        `<!-- insight:${MARKER} -->`,
      ].join('\n'),
    )
    expect(documentMarkdown(document)).not.toContain('<!--')
  })

  it('names the largest customers, and says how many more there are', () => {
    const largest = [
      { name: 'Acme', plan: 'Enterprise' },
      { name: 'Globex', plan: null },
    ]
    const lines = (customers: InsightDocument['customers']) =>
      visible(documentMarkdown({ ...document, customers }))
        .split('\n')
        .filter((line) => line.startsWith('Customers'))
        .map((line) => line.trim())
    expect(lines({ total: 11, largest })).toEqual(['Customers: Acme \\(Enterprise\\), Globex and 9 more'])
    expect(lines({ total: 2, largest })).toEqual(['Customers: Acme \\(Enterprise\\), Globex'])
    expect(lines(undefined)).toEqual([])
    const long = { name: '**@x** '.repeat(100), plan: '#1 '.repeat(100) }
    const text = documentMarkdown(
      { ...document, customers: { total: 999, largest: Array(50).fill(long) } },
      { maxLength: 2000 },
    )
    expect(text.length).toBeLessThanOrEqual(2000)
    expect(visible(text)).toContain('Customers: 999')
  })
})

describe('HTML', () => {
  it('has the same in few elements', () => {
    expect(visible(documentHtml(document))).toBe(
      [
        '<p>The export stops.<br><br>It is slow too.</p>',
        '<p><strong>12 mentions</strong> from <strong>1 person</strong><br>Plan: Pro</p>',
        '<h3>What customers wrote</h3>',
        '<blockquote>It stops.<br>Every time<br>— Anna Example, 2026-03-01, Support (<a href="https://help.example.com/t/1">original message</a>)</blockquote>',
        '<p>11 more quotes are not shown.</p>',
        `<p><a href="https://groundswell.example.com/insights/7">Open the insight in Groundswell</a><br>Updated 2026-03-02 08:30 UTC. Insight <code>${MARKER}</code></p>`,
      ].join('\n'),
    )
  })
})

/** Text, one word a customer wrote. What must not be in any rendering is in the second place. */
const HOSTILE: [string, RegExp][] = [
  ['@octocat @acme/team', /@(?=[A-Za-z])/],
  ['fixes #12 and acme/repo#12 and !12', /[#!]\d/],
  ['GH-12 and ENG-123', /(?:GH|ENG)\\?-\d/],
  ['a5c3785ed8d6a35868bc169f07e40e889087fd2e', /a5c3785/],
  ['https://evil.example/x http://evil.example', /https?:\/\/evil/],
  ['www.evil.example and evil.example', /(?:www|evil)\.[a-z]/],
  ['mail anna@acme.test', /anna\\?@acme/],
  ['[click](https://evil.example)', /\]\(https?:\/\/evil/],
  ['![x](https://evil.example/x.png)', /!\[x\]/],
  ['<img src=x onerror=alert(1)><script>alert(1)</script>', /(?<!\\)<(?:img|script)/],
  ['<!-- insight:0000 -->', /(?<!\\)<!--/],
  ['--> </blockquote></p>', /<\/blockquote><\/p><\/|(?<!\\-\\-\\)--\s*>\s*<\//],
  ['bell\u0007 nul\0 escape\u001b[31m bidi\u202etxt', /(?!\n)\p{Cc}|\u202e/u],
]

describe.each(HOSTILE)('the customer’s words %j', (words, danger) => {
  const hostile: InsightDocument = {
    ...document,
    title: words,
    summary: words,
    tags: [{ name: words, value: words }],
    quotes: [{ ...quote, text: words, author: words, source: words, link: null }],
    link: null,
  }

  it.each([
    ['Markdown', documentMarkdown(hostile)],
    ['HTML', documentHtml(hostile)],
    ['ADF', textsOf(documentAdf(hostile).content).join('\n')],
  ])('are inert in %s', (format, rendered) => {
    // Elsewhere Markdown is plain text, and in a text node of ADF so is HTML: only what a tracker links by itself matters.
    const plain = format === 'Markdown' ? rendered : rendered.replaceAll('![', '! [')
    const checked = format === 'ADF' ? plain.replaceAll('<', '‹') : plain
    expect(checked).not.toMatch(danger)
  })
})

/** The text nodes of ADF. */
function textsOf(nodes: readonly AdfNode[]): string[] {
  return nodes.flatMap((node) => [...(node.text === undefined ? [] : [node.text]), ...textsOf(node.content ?? [])])
}

/** Our own Markdown: what begins a line, apart from customers' words. */
const OUR_LINES = /^(?:> |>$|### What customers wrote$|\*\*\d+ mentions?\*\* from|\[Open the insight|Updated \d|$)/

it.each([
  '# Heading',
  '## Two',
  '- item',
  '* item',
  '+ item',
  '1. item',
  '12) item',
  '> quote',
  '```js',
  '~~~',
  '    code',
  '---',
  '***',
  '___',
  '===',
  '| a | b |',
  '- [ ] task',
  '[x]: https://evil.example',
  '[^1]: note',
  '$$x$$',
  '<div>',
  '\\',
  '&lt;b&gt;',
  ':tada:',
])('has no structure from the line %j in Markdown', (line) => {
  const summary = `text\n${line}\n${line}\n\n${line}\ntext`
  const markdown = documentMarkdown({ ...document, summary, quotes: [{ ...quote, text: summary }] })
  const own = markdown.split('\n').filter((text) => !OUR_LINES.test(text) || text.startsWith('> '))
  for (const text of own.map((shown) => visible(shown.replace(/^> /, '')))) {
    expect(text).not.toMatch(
      /^(?:#{1,6}\s|[-*+]\s|\d+[.)]\s|>|`{3}|~{3}|\s{4}|(?:[-*_=]\s*){3,}$|\||\[|\$|<|\\$|&[a-z]+;)/,
    )
  }
})

describe('a link', () => {
  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://a.example',
    'https://user:pw@a.example',
    'not a link',
    '',
    `https://a.example/${'x'.repeat(1000)}`,
  ])('is omitted: %s', (link) => {
    const linked = { ...document, link, quotes: [{ ...quote, link }] }
    for (const rendered of [documentMarkdown(linked), documentHtml(linked), JSON.stringify(documentAdf(linked))]) {
      expect(rendered).not.toMatch(/\]\(|<a |"link"/)
    }
  })

  it('cannot leave its place', () => {
    const link = 'https://a.example/x)![y](https://evil.example/"onclick="z\'`<b>|_*'
    const markdown = documentMarkdown({ ...document, link: null, quotes: [{ ...quote, link }] })
    expect(markdown).toMatch(
      /\(\[original message\]\([^()\s<>"'`]+\)\\\)|\\\(\[original message\]\([^()\s<>"'`]+\)\\\)/,
    )
    expect(markdown.match(/\]\(/g)).toHaveLength(1)
    expect(documentHtml({ ...document, link: null, quotes: [{ ...quote, link }] })).toMatch(
      /<a href="[^"<>]+">original message<\/a>/,
    )
  })
})

describe('the length', () => {
  const many = Array.from({ length: 30 }, (_, index) => ({ ...quote, text: `quote ${index} ${'word '.repeat(100)}` }))

  it('shows 20 quotes and says how many are missing', () => {
    const markdown = documentMarkdown({ ...document, quotes: many })
    expect(markdown).toContain('quote 19 ')
    expect(markdown).not.toContain('quote 20 ')
    expect(markdown).toContain('10 more quotes are not shown.')
    expect(documentMarkdown({ ...document, quotes: many.slice(0, 21) })).toContain('1 more quote is not shown.')
    expect(documentMarkdown({ ...document, quotes: many.slice(0, 20) })).not.toContain('not shown')
    expect(documentMarkdown({ ...document, quotes: many }, { maxQuotes: 0 })).toContain('30 quotes are not shown.')
  })

  it.each([2000, 5000, 8000])('is at most %i, and the last quotes are omitted first', (maxLength) => {
    const long = { ...document, quotes: many }
    const rendered = [
      documentMarkdown(long, { maxLength, hiddenMarker: true }),
      documentHtml(long, { maxLength }),
      JSON.stringify(documentAdf(long, { maxLength })),
    ]
    for (const text of rendered) {
      expect(text.length).toBeLessThanOrEqual(maxLength)
      expect(text).toContain('quote 0 ')
      expect(text).toContain(MARKER)
      expect(text).toContain('Open the insight')
      const shown = text.match(/quote \d+ word/g)?.length ?? 0
      expect(text).toContain(`${30 - shown} more quotes are not shown.`)
    }
  })

  it('is kept though everything is as long as it can be', () => {
    const huge = '&<"@#x-1 '.repeat(2000)
    const tags = Array.from({ length: 50 }, () => ({ name: huge, value: huge }))
    const worst = {
      ...document,
      title: huge,
      summary: huge,
      tags,
      quotes: many.map((one) => ({ ...one, text: huge, author: huge })),
    }
    for (const maxLength of [2000, 10_000]) {
      for (const text of [
        documentMarkdown(worst, { maxLength }),
        documentHtml(worst, { maxLength }),
        JSON.stringify(documentAdf(worst, { maxLength })),
      ]) {
        expect(text.length).toBeLessThanOrEqual(maxLength)
        expect(text).toContain(MARKER)
      }
    }
    expect(documentTitle(worst).length).toBeLessThanOrEqual(200)
  })

  it('cuts a title between characters', () => {
    expect(documentTitle({ ...document, title: ' a\n\tb\0 ' })).toBe('a b')
    expect(documentTitle({ ...document, title: '🙂🙂🙂🙂' }, 4)).toBe('🙂…')
    expect(documentTitle({ ...document, title: '\u202e \u200b' })).toBe('Untitled insight')
  })
})

const words = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        '@a',
        '#1',
        '\n',
        '\r',
        '<b>',
        '<!--',
        '-->',
        '](',
        '`',
        '\\',
        '*',
        'http://x.y',
        '&lt;',
        '"',
        "'",
        ' ',
        '\0',
        'ü',
        '🙂',
        '- ',
        '> ',
      ),
    )
    .map((parts) => parts.join('')),
)
const documents: fc.Arbitrary<InsightDocument> = fc.record({
  title: words,
  summary: words,
  counts: fc.record({ mentions: fc.nat(), people: fc.nat() }),
  tags: fc.array(fc.record({ name: words, value: words }), { maxLength: 3 }),
  quotes: fc.array(
    fc.record({
      text: words,
      author: fc.option(words),
      at: fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') }),
      source: words,
      link: fc.option(fc.oneof(words, fc.webUrl({ withQueryParameters: true, withFragments: true }))),
    }),
    { maxLength: 4 },
  ),
  companies: fc.constant([]),
  link: fc.option(fc.webUrl()),
  marker: fc.constant(MARKER),
  updated: fc.constant(new Date('2026-03-02T08:30:59Z')),
})

describe('any document', () => {
  it('gives HTML of our elements only, the same each time', () => {
    fc.assert(
      fc.property(documents, (any) => {
        const html = documentHtml(any)
        expect(documentHtml(any)).toBe(html)
        const seen: string[] = []
        const parser = new Parser({
          onopentag: (name, attributes) => seen.push(name, ...Object.keys(attributes)),
          oncomment: () => seen.push('comment'),
        })
        parser.end(html)
        expect(
          seen.filter((name) => !['p', 'br', 'h3', 'strong', 'code', 'blockquote', 'a', 'href'].includes(name)),
        ).toEqual([])
        expect(html.isWellFormed()).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('gives Markdown without markup or mentions of the customers', () => {
    fc.assert(
      fc.property(documents, (any) => {
        const markdown = documentMarkdown({
          ...any,
          link: null,
          quotes: any.quotes.map((one) => ({ ...one, link: null })),
        })
        // Without escaped characters, only our own markup is left.
        const own = markdown.replace(/\\[!-/:-@[-`{-~]/g, '').replaceAll(/`[\w-]+`/g, '')
        expect(own).not.toMatch(/<|`|\]\(|@[A-Za-z0-9]|#[A-Za-z0-9]|:\/\//)
        expect(markdown).not.toMatch(/(?!\n)\p{Cc}/u)
      }),
      { numRuns: 1000 },
    )
  })
})

const schemaFile = [import.meta.dirname]
  .flatMap((start) => Array.from({ length: 6 }, (_, up) => path.resolve(start, ...Array<string>(up).fill('..'))))
  .map((folder) => path.join(folder, 'shared/specs/providers/jira-adf.schema.json'))
  .find((file) => existsSync(file))
const skipped = schemaFile ? '' : ' (not compared: there is no ../shared/specs/providers/jira-adf.schema.json here)'

it.skipIf(!schemaFile)(
  `gives ADF as its schema describes it${skipped}`,
  () => {
    const validate = new ajv.default({ strict: false }).compile(
      JSON.parse(readFileSync(schemaFile ?? '', 'utf8')) as object,
    )
    const judge = (adf: unknown) => (validate(adf) ? [] : validate.errors)
    expect(judge(documentAdf(document))).toEqual([])
    expect(judge({ type: 'doc', version: 1, content: [{ type: 'text', text: '' }] })).not.toEqual([])
    fc.assert(
      fc.property(documents, (any) => {
        expect(judge(documentAdf(any))).toEqual([])
      }),
      { numRuns: 200 },
    )
  },
  60_000,
)

it('gives ADF without an empty text', () => {
  fc.assert(
    fc.property(documents, (any) => {
      const texts = textsOf(documentAdf(any).content)
      expect(texts.every((text) => text.length > 0 && text.isWellFormed())).toBe(true)
    }),
    { numRuns: 500 },
  )
})
