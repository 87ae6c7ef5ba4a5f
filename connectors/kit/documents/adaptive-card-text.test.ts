import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { adaptiveCardText } from './adaptive-card-text.ts'

const card = (...body: unknown[]) => ({ type: 'AdaptiveCard', version: '1.5', body })
const block = (text: string) => ({ type: 'TextBlock', text })

describe('the text of a card', () => {
  it('has one line for each element, in the order in which they are shown', () => {
    const ticket = {
      ...card(
        block('**New ticket** from [Anna](mailto:anna@acme.test)'),
        { type: 'RichTextBlock', inlines: ['The export ', { type: 'TextRun', text: 'fails', weight: 'bolder' }, '.'] },
        {
          type: 'FactSet',
          facts: [
            { title: 'Plan', value: 'Pro' },
            { title: 'Seats', value: '12' },
          ],
        },
        { type: 'Container', items: [block('Inside'), { type: 'Container', items: [block('Deeper')] }] },
        {
          type: 'ColumnSet',
          columns: [
            { type: 'Column', items: [block('Left')] },
            { type: 'Column', items: [block('Right')] },
          ],
        },
        { type: 'Table', rows: [{ type: 'TableRow', cells: [{ type: 'TableCell', items: [block('Cell')] }] }] },
        { type: 'Image', url: 'https://acme.test/x.png', altText: 'A chart' },
        { type: 'ImageSet', images: [] },
        { type: 'ActionSet', actions: [{ type: 'Action.OpenUrl', title: 'Open', url: 'https://acme.test/secret' }] },
      ),
      actions: [{ type: 'Action.ShowCard', title: 'More', card: card(block('Shown later')) }],
    }
    const lines = [
      'New ticket from Anna (anna@acme.test)',
      'The export fails.',
      'Plan: Pro',
      'Seats: 12',
      'Inside',
      'Deeper',
      'Left',
      'Right',
      'Cell',
      'A chart',
      'Open',
      'More',
      'Shown later',
    ]
    expect(adaptiveCardText(ticket)).toBe(lines.join('\n'))
    expect(adaptiveCardText(JSON.stringify(ticket))).toBe(lines.join('\n'))
  })

  it.each([
    ['snake_case_name and 2*3*4', 'snake_case_name and 2*3*4'],
    ['_really_ **bad**', 'really bad'],
    ['<at>Anna</at>, look', '@Anna, look'],
    ['on {{DATE(2026-03-01T12:00:00Z,SHORT)}}', 'on 2026-03-01T12:00:00Z'],
    ['[acme.test](https://acme.test)', 'acme.test'],
    ['[x](javascript:alert(1))', '[x](javascript:alert(1))'],
    ['two\r\rlines\0 \ud800', 'two\r\rlines \ufffd'],
  ])('of %j is %j', (text, plain) => {
    expect(adaptiveCardText(card(block(text)))).toBe(plain)
  })

  it('shows inputs with their label, choices, and facts without a value', () => {
    const input = { type: 'Input.ChoiceSet', label: 'Rating', value: '2', choices: [{ title: 'Poor', value: '2' }] }
    const facts = { type: 'FactSet', facts: [{ title: 'Same', value: 'Same' }, { title: 'Alone' }, { value: 'none' }] }
    expect(adaptiveCardText(card(input, facts))).toBe('Rating: 2\nPoor: 2\nSame\nAlone')
  })

  it('omits what is hidden', () => {
    expect(
      adaptiveCardText(
        card(
          { ...block('x'), isVisible: false },
          { type: 'Container', isVisible: false, items: [block('y')] },
          block('z'),
        ),
      ),
    ).toBe('z')
  })

  it.each([
    [null],
    [undefined],
    ['not JSON'],
    ['[1]'],
    [5],
    [{}],
    [{ body: 'text' }],
    [{ body: [null, 5, []] }],
    [block('')],
  ])('is empty for %j', (value) => {
    expect(adaptiveCardText(value)).toBe('')
  })
})

describe('a hostile card', () => {
  it('is read to a depth only', () => {
    let deep: unknown = block('deepest')
    for (let level = 0; level < 50_000; level += 1) deep = { type: 'Container', items: [deep] }
    expect(adaptiveCardText(card(block('top'), deep, block('end')))).toBe('top\nend')
  })

  it('is read to a size only', () => {
    expect(adaptiveCardText(card(...Array.from({ length: 100_000 }, () => block('word')))).length).toBeLessThanOrEqual(
      20_000,
    )
    expect(adaptiveCardText(card(block('x'.repeat(1_000_000))))).toHaveLength(20_000)
    expect(adaptiveCardText(card(...Array.from({ length: 100 }, () => block('['.repeat(20_000)))))).toHaveLength(20_000)
    expect(adaptiveCardText(card(block('**a'.repeat(30_000)))).length).toBeLessThanOrEqual(20_000)
  })

  it('never causes an error', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.anything()), fc.string(), (value, text) => {
        const result = adaptiveCardText({ type: 'AdaptiveCard', body: [value, block(text)], actions: value })
        expect(result.isWellFormed()).toBe(true)
        expect(result).not.toContain('\0')
      }),
      { numRuns: 1000 },
    )
  })
})
