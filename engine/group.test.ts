import { CHAT, labelOf, SAMPLE } from '@groundswell/fixtures/engine/feedback.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { group, type Item } from './index.ts'

const HOSTILE: Record<string, string> = {
  nothing: '',
  'one character': 'x',
  'a megabyte of one word': 'x'.repeat(1_000_000),
  'a megabyte of words': 'the export fails again '.repeat(45_000),
  'a megabyte of lines': 'a\n'.repeat(500_000),
  'ten thousand emoji': '😀'.repeat(10_000),
  HTML: '<div class="a"><script>alert(1)</script><p>The export <b>fails</b>'.repeat(200),
  'open tags': '<'.repeat(50_000),
  'a stack trace': `TypeError: x is not a function\n${'    at render (https://x.example/app.js:10:20)\n'.repeat(500)}`,
  NUL: 'the export\0 fails\0\0',
  'lone surrogates': '\ud83d the export \udc00 fails \ud800',
  marks: `e${'\u0301'.repeat(20_000)}`,
  'right to left': '\u202eلا يعمل التصدير\u202c',
  quotes: '> '.repeat(20_000),
  dashes: `${'-'.repeat(50_000)}\n`.repeat(3),
  spaces: ' \t\n'.repeat(50_000),
  'prototype names': '__proto__ constructor toString hasOwnProperty',
  brackets: '('.repeat(30_000),
  'at signs': '@a'.repeat(30_000),
}

describe('group', () => {
  test('groups a file and accounts for every item', () => {
    const { insights, ungrouped } = group(SAMPLE)
    expect(insights.map((insight) => insight.mention_count)).toEqual([5, 5, 5])
    for (const { mentions, mention_count } of insights) {
      expect(mentions).toHaveLength(mention_count)
      expect(new Set(mentions.map((mention) => labelOf(mention.itemId))).size).toBe(1)
      for (const mention of mentions) expect(mention.statementIds).toEqual([`${mention.itemId}:0`])
    }
    const chat = SAMPLE.filter((item) => CHAT.includes(item.text)).map((item) => item.id)
    expect(ungrouped).toEqual(chat)
  })

  test('returns nothing for no items', () => {
    expect(group([])).toEqual({ insights: [], ungrouped: [] })
  })

  test('two identical items are an insight of two mentions', () => {
    const items = ['a', 'b'].map((id) => ({ id, text: 'The invoice shows the wrong tax', at: 1 }))
    expect(group(items).insights).toMatchObject([{ issue_name: 'The invoice shows the wrong tax', mention_count: 2 }])
  })

  test.each(Object.entries(HOSTILE))('stands %s, twice, among real feedback', (_, text) => {
    const items: Item[] = [...SAMPLE, { id: 'h1', text, at: 1 }, { id: 'h2', text: `${text} `, at: 2 }]
    const { insights, ungrouped } = group(items)
    const seen = [...insights.flatMap((insight) => insight.mentions.map((mention) => mention.itemId)), ...ungrouped]
    expect(new Set(seen)).toEqual(new Set(items.map((item) => item.id)))
    for (const { issue_name, summary } of insights) {
      expect(issue_name.length).toBeGreaterThan(0)
      expect(issue_name.length).toBeLessThan(120)
      expect(issue_name.isWellFormed() && summary.isWellFormed()).toBe(true)
    }
  })

  test('handles any texts, deterministically', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.lorem({ maxCount: 12 }),
      fc.constantFrom(...CHAT),
    )
    fc.assert(
      fc.property(fc.array(text, { maxLength: 40 }), (texts) => {
        const items = texts.map((one, i) => ({ id: `i${i}`, text: one, at: i }))
        const answer = group(items)
        expect(group(items)).toEqual(answer)
        const mentioned = new Set(
          answer.insights.flatMap((insight) => insight.mentions.map((mention) => mention.itemId)),
        )
        expect(mentioned.size + answer.ungrouped.length).toBe(items.length)
        for (const insight of answer.insights) expect(insight.mention_count).toBeGreaterThanOrEqual(2)
      }),
      { numRuns: 60 },
    )
  })
})
