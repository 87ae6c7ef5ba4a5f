import { meaningOf } from '@groundswell/fixtures/engine/meanings.ts'
import { describe, expect, test } from 'vitest'
import { group, type SentenceEncoder, textsToEncode } from '../group.ts'
import { assign, correct, createState, deserialize, issues, prepare, revise, type State, serialize } from '../index.ts'
import type { Kind } from '../kinds/kind.ts'
import type { SplitItem } from '../text/prepare.ts'

/** A message of one sentence, and what a model read in it. */
function read(id: string, text: string, point: string, kind: Kind = 'problem'): SplitItem {
  return { id, text, at: Number(id.slice(1)), points: [{ start: 0, end: text.length, point, kind }] }
}

const EXPORT = [
  read('m1', 'Monatsende, und wieder nur eine Fehlermeldung statt der Datei', 'CSV export fails with an error'),
  read('m2', 'it just spins and then nothing comes out', 'CSV export fails with an error'),
  read('m3', '504 when I want my numbers as a sheet', 'CSV export fails with a timeout error'),
]
const HOLIDAYS = [
  read('m4', 'Ostermontag ist bei euch ein normaler Tag?', 'Public holidays are missing in the calendar'),
  read('m5', 'the first of May was counted as a working day', 'Public holidays missing in the team calendar'),
  read('m6', 'nobody told your planner about Thanksgiving', 'Calendar does not show public holidays'),
]
const ALL = [...EXPORT, ...HOLIDAYS]

const membersOf = (items: SplitItem[], encoder?: SentenceEncoder) =>
  group(items, encoder ? { encoder } : {})
    .insights.map(({ mentions }) => mentions.map(({ itemId }) => itemId))
    .toSorted((a, b) => (a[0] ?? '').localeCompare(b[0] ?? ''))

describe('points that a language model read', () => {
  test('are compared in place of words that have nothing in common', () => {
    expect(membersOf(ALL.map(({ id, text, at }) => ({ id, text, at })))).toEqual([])
    expect(membersOf(ALL)).toEqual([
      ['m1', 'm2', 'm3'],
      ['m4', 'm5', 'm6'],
    ])
  })

  test('are what an encoder reads, also of a message in another language', () => {
    expect(textsToEncode([EXPORT[0] as SplitItem])).toEqual(['CSV export fails with an error'])
    const about = new Map(
      ALL.map(({ id, points }) => [points?.[0]?.point as string, id < 'm4' ? 'export' : 'holidays']),
    )
    const vectors = new Map([...about].map(([point, subject]) => [point, meaningOf([subject], point)]))
    const encoder: SentenceEncoder = { space: 'encoder', languages: ['en'], vectors }
    expect(membersOf(ALL, encoder)).toEqual([
      ['m1', 'm2', 'm3'],
      ['m4', 'm5', 'm6'],
    ])
  })

  test('never reach a name, a summary or a quote: those are customers’ words', () => {
    const state = stateOf(ALL)
    const words = ALL.map(({ text }) => text.toLowerCase()).join(' ')
    for (const { issue_name: name, summary } of group(ALL).insights) {
      for (const word of `${name} ${summary}`.toLowerCase().match(/\p{L}{3,}/gu) ?? []) expect(words).toContain(word)
    }
    for (const node of state.nodes) expect(words).toContain(node?.text.toLowerCase())
  })

  test('are the statements of their message: several, or none', () => {
    const text = 'Export is broken. And please add holidays to the calendar. Thanks!'
    const two: SplitItem = {
      id: 'm9',
      text,
      at: 9,
      points: [
        { start: 0, end: 17, point: 'Export fails', kind: 'problem' },
        { start: 18, end: 58, point: 'Add public holidays to the calendar', kind: 'request' },
      ],
    }
    expect(prepare(two).map((one) => one.text)).toEqual([
      'Export is broken.',
      'And please add holidays to the calendar.',
    ])
    expect(prepare({ ...two, points: [] })).toEqual([])
  })

  test('of praise join nothing', () => {
    const praise = read('m7', 'Best export ever', 'CSV export fails with an error', 'praise')
    expect(group([...EXPORT, praise]).ungrouped).toEqual(['m7'])
  })

  test('of a reply count, not its conversation', () => {
    const reply: SplitItem = { ...(HOLIDAYS[0] as SplitItem), thread: 'm1' }
    const [first, ...others] = EXPORT
    const items = [{ ...(first as SplitItem), thread: 'm1' }, ...others, reply, ...HOLIDAYS.slice(1)]
    expect(membersOf(items)).toEqual([
      ['m1', 'm2', 'm3'],
      ['m4', 'm5', 'm6'],
    ])
  })

  test('survive a stored state and a correction', () => {
    const state = deserialize(serialize(stateOf(ALL)))
    const [issue] = [...issues(state)].filter(({ statementIds }) => statementIds.includes('m1:0'))
    const { text, points } = EXPORT[0] as SplitItem
    correct(state, {
      statements: [
        {
          statementId: 'm1:0',
          issueId: 0,
          pin: 0,
          bans: [],
          text,
          ...(points?.[0] ? { point: points[0].point } : {}),
          at: 1,
        },
      ],
    })
    assign(state, prepare(read('m8', 'wieder nichts', 'CSV export fails with an error')))
    revise(state)
    const groups = [...issues(state)].map(({ statementIds }) => statementIds.toSorted())
    expect(issue).toBeDefined()
    expect(groups).toContainEqual(['m4:0', 'm5:0', 'm6:0'])
    expect(groups.flat()).not.toContain('m1:0')
    expect(state.nodes.find((node) => node?.text === text)?.point).toBe('CSV export fails with an error')
  })
})

function stateOf(items: readonly SplitItem[]): State {
  const state = createState({ seed: 1 })
  assign(state, items.flatMap(prepare))
  revise(state)
  return state
}
