import { describe, expect, test } from 'vitest'
import { splitLong } from './split.ts'

const SENTENCE = 'The export of a large report stops half way and shows no error at all. '

function pieces(text: string): string[] {
  return splitLong(text, { start: 0, end: text.length }).map(({ start, end }) => text.slice(start, end))
}

describe('splitLong', () => {
  test('packs sentences into pieces of about 320 characters', () => {
    const found = pieces(SENTENCE.repeat(10))
    expect(found.length).toBeGreaterThan(1)
    for (const piece of found) expect(piece.length).toBeLessThanOrEqual(320)
    expect(found.join('')).toBe(SENTENCE.repeat(10))
  })

  test('separates paragraphs, even short ones of a sentence each', () => {
    const [first, second] = [SENTENCE.trim(), 'The invoice of March shows the wrong tax rate for all our branches.']
    expect(pieces(`${first}\n\n${second}`)).toEqual([first, second])
  })

  test('merges a heading into the paragraph after it', () => {
    expect(pieces(`Exports\n\n${SENTENCE.trim()}`)).toEqual([`Exports\n\n${SENTENCE.trim()}`])
  })

  test('cuts a sentence of more than 600 characters, never inside a character', () => {
    const text = '😀'.repeat(700)
    const found = pieces(text)
    expect(found.join('')).toBe(text)
    for (const piece of found) {
      expect(piece.length).toBeLessThanOrEqual(601)
      expect(piece.isWellFormed()).toBe(true)
    }
  })

  test('stays within the span it is given', () => {
    const text = `before ${SENTENCE.repeat(6)} after`
    const span = { start: 7, end: 7 + 6 * SENTENCE.length }
    const found = splitLong(text, span)
    expect(found[0]?.start).toBe(span.start)
    expect(found.at(-1)?.end).toBe(span.end)
  })

  test('ends sentences at Chinese and Japanese full stops', () => {
    const sentence = `${'导出大型报告时失败'.repeat(20)}。`
    expect(pieces(sentence.repeat(2))).toEqual([sentence, sentence])
  })
})
