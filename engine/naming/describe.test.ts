import { SAMPLE } from '@groundswell/fixtures/engine/feedback.ts'
import { expect, describe as suite, test } from 'vitest'
import {
  assign,
  createState,
  describe,
  deserialize,
  group,
  type Item,
  issues,
  needsRename,
  prepare,
  revise,
  serialize,
} from '../index.ts'

function built(items: Item[]) {
  const state = createState()
  assign(
    state,
    items.flatMap((item) => prepare(item)),
  )
  revise(state)
  return state
}

const collapsed = (text: string) => text.replace(/\s+/g, ' ')

suite('names, summaries and quotes', () => {
  test('names a group by one of its own sentences', () => {
    const names = group(SAMPLE).insights.map((insight) => insight.issue_name)
    expect(names).toHaveLength(3)
    expect(names.join('\n')).toMatch(/CSV export fails/i)
    expect(names.join('\n')).toMatch(/log in/i)
    expect(names.join('\n')).toMatch(/dark mode/i)
    for (const name of names) {
      expect(name).toMatch(/^\p{Lu}/u)
      expect(name).not.toMatch(/[.!?,]$/)
      expect(SAMPLE.some((item) => item.text.toLowerCase().includes(name.toLowerCase()))).toBe(true)
    }
  })

  test('a summary consists of the group’s sentences, and quotes are its statements', () => {
    const state = built(SAMPLE)
    for (const issue of issues(state)) {
      const { summary, quotes, hash } = describe(state, issue.issueId)
      expect(hash).toMatch(/^[0-9a-f]{8}$/)
      expect(quotes.length).toBeGreaterThan(0)
      for (const quote of quotes) expect(issue.statementIds).toContain(quote.statementId)
      const own = SAMPLE.filter((item) => issue.statementIds.includes(`${item.id}:0`))
      const said = own.filter((item) => summary.toLowerCase().includes(collapsed(item.text).toLowerCase()))
      expect(said.length).toBeGreaterThan(0)
    }
  })

  test('a name is stable until the group has grown by half', () => {
    const state = built(SAMPLE)
    const before = issues(state).map((issue) => describe(state, issue.issueId))
    assign(state, prepare({ id: 'later', text: 'csv export of large reports fails, always', at: 1 }))
    revise(state)
    expect(issues(state).map((issue) => describe(state, issue.issueId))).toEqual(before)
    const more = Array.from(
      { length: 12 },
      (_, i) => `CSV export of the annual report times out ${'very '.repeat(i % 4)}often`,
    )
    more.forEach((text, i) => assign(state, prepare({ id: `more${i}`, text, at: 1 })))
    revise(state)
    expect(issues(state).map((issue) => describe(state, issue.issueId).hash)).not.toEqual(before.map((one) => one.hash))
  })

  test('no two issues have the same name', () => {
    const items = ['export', 'import', 'search', 'login'].flatMap((noun) =>
      ['is broken', 'does not work', 'fails with an error', 'is broken again'].map((what, i) => ({
        id: `${noun}${i}`,
        text: `the ${noun} ${what}`,
        at: i,
      })),
    )
    const names = group(items).insights.map((insight) => insight.issue_name)
    expect(new Set(names).size).toBe(names.length)
  })

  test('falls back to a name for a group without a suitable sentence', () => {
    const state = built([
      { id: 'a', text: '{"error":"export_failed","code":50012}', at: 1 },
      { id: 'b', text: '{"error":"export_failed","code":50013}', at: 2 },
    ])
    const [issue] = issues(state)
    expect(describe(state, issue?.issueId ?? 0).name.length).toBeGreaterThan(5)
    expect(describe(createState(), 1).name).toBe('Unnamed issue')
  })
})

suite('what a name says', () => {
  const named = (texts: string[]) =>
    group(texts.map((text, i) => ({ id: `m${i}`, text, at: i }))).insights.map((insight) => insight.issue_name)

  test('is the most common problem, not the rarer question', () => {
    const names = named([
      'how do I use contactless payment',
      'my contactless payment is not working',
      'contactless payment not working again',
      'why is contactless payment not working',
      'the contactless payment does not work for me',
      'contactless payment has not worked since Monday',
    ])
    expect(names).toHaveLength(1)
    expect(names[0]).toMatch(/contactless payment.*not work/i)
  })

  test('contains no time or place of a single member', () => {
    const names = named([
      'reserve a meeting room on Monday',
      'reserve a meeting room at 5 pm',
      'reserve a meeting room on Friday',
      'reserve a meeting room at 11 am',
      'reserve a meeting room in Lisbon',
    ])
    expect(names).toEqual(['Reserve a meeting room'])
  })

  test('prefers first sentences', () => {
    const ending = 'I have tried it in two browsers and on my phone.'
    const names = named([
      `The PDF export is empty. ${ending}`,
      `PDF export is empty again. ${ending}`,
      `Why is the PDF export empty? ${ending}`,
      `Empty PDF export. ${ending}`,
    ])
    expect(names).toHaveLength(1)
    expect(names[0]).toMatch(/PDF export/i)
  })

  test('is one of the group’s sentences in other languages too', () => {
    const texts = [
      '¿Por qué no funciona la exportación de facturas?',
      'No funciona la exportación de facturas',
      'La exportación de facturas no funciona desde ayer',
      'La exportación de facturas no funciona',
    ]
    const names = named(texts)
    expect(names).toHaveLength(1)
    expect(texts.join('\n').toLowerCase()).toContain(names[0]?.toLowerCase())
    expect(names[0]).toMatch(/no funciona/i)
  })
})

suite('a stored name', () => {
  test('stays while most say it, though the issue has outgrown it', () => {
    const state = built(SAMPLE)
    const [issue] = issues(state)
    const { name, confident } = describe(state, issue?.issueId ?? 0)
    expect(confident).toBe(true)
    const more = Array.from({ length: 20 }, (_, i) => `CSV export fails for ${'very '.repeat(i % 5)}large reports`)
    more.forEach((text, i) => assign(state, prepare({ id: `more${i}`, text, at: 1 })))
    revise(state)
    expect(describe(state, issue?.issueId ?? 0).name).toBe(name)
  })

  test('of two halves is replaced at the next revision, and one that nobody says when the issue outgrows it', () => {
    const state = built(SAMPLE)
    const [first] = state.issues.values()
    if (!first?.shown) throw new Error('not described')
    first.shown.name = 'CSV export fails / Report is empty'
    revise(state)
    expect(first.shown.name).toMatch(/export/i)
    expect(first.shown.name).not.toContain(' / ')
    first.shown.name = 'Lighthouse paint'
    first.shown.size = 1_000
    revise(state)
    expect(first.shown.name).toMatch(/export/i)
  })

  test('is a guess after it was stored and read, too', () => {
    const state = built(SAMPLE)
    const [first] = state.issues.values()
    if (!first?.shown) throw new Error('not described')
    first.shown.confident = false
    const read = deserialize(serialize(state))
    const confident = [...read.issues.values()].map(({ shown }) => shown?.confident)
    expect(confident).toEqual([...state.issues.values()].map(({ shown }) => shown?.confident))
    expect(confident[0]).toBe(false)
    expect(describe(read, first.id).confident).toBe(false)
  })

  test('comes from what is feedback, not from praise or our own replies among it', () => {
    const state = built(SAMPLE)
    const [first] = state.issues.values()
    if (!first) throw new Error('no issue')
    for (const index of [...first.nodes].slice(1)) (state.nodes[index] as { subjectless: boolean }).subjectless = true
    const kept = state.nodes[[...first.nodes][0] as number]
    first.shown = null
    const { name } = describe(state, first.id)
    expect(kept?.text.toLowerCase()).toContain(name.toLowerCase())
  })
})

test.each([
  ['a new issue', { mentions: 1, reshaped: false }, true],
  ['an issue that grew a little', { mentions: 4, describedMentions: 4, reshaped: false }, false],
  ['an issue just below a quarter more', { mentions: 124, describedMentions: 100, reshaped: false }, false],
  ['an issue that grew by a quarter', { mentions: 125, describedMentions: 100, reshaped: false }, true],
  ['an issue that lost mentions', { mentions: 50, describedMentions: 100, reshaped: false }, false],
  ['an issue reshaped by a move', { mentions: 100, describedMentions: 100, reshaped: true }, true],
])('needsRename: %s', (_, issue, expected) => {
  expect(needsRename(issue)).toBe(expected)
})
