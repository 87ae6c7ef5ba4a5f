import { meaningOf } from '@groundswell/fixtures/engine/meanings.ts'
import { OPPOSITES } from '@groundswell/fixtures/engine/opposites.ts'
import { describe, expect, test } from 'vitest'
import { correct } from '../corrections/corrections.ts'
import { issues } from '../corrections/remove.ts'
import { toneOf } from '../kinds/tone.ts'
import type { Statement } from '../model.ts'
import { describe as described } from '../naming/describe.ts'
import { createState, type State } from '../state/state.ts'
import { prepare } from '../text/prepare.ts'
import { assign } from './assign.ts'
import { needsRevision, revise } from './revise.ts'

type Opposite = (typeof OPPOSITES)[number]

/** Statements about one thing, praise and complaints in turn; with vectors, all mean the same. */
function statementsOf({ praise, complaint, about, style }: Opposite, { encoded }: { encoded: boolean }): Statement[] {
  const said = praise.flatMap((text, n) => [text, complaint[n] as string])
  return said.flatMap((text, n) =>
    prepare({ id: `m${n}`, text, at: n }).map((one) => ({
      ...one,
      ...(style === 'point' ? { point: text, kind: 'problem' as const } : {}),
      ...(encoded ? { vector: meaningOf([about], text) } : {}),
      // As if no classifier had told praise apart.
      subjectless: false,
    })),
  )
}

const ENCODER = { space: 'stand-in', languages: null }
const textsIn = (state: State, said: readonly Statement[]) => {
  const byId = new Map(said.map(({ id, text }) => [id, text]))
  return [...issues(state)].map(({ issueId, statementIds }) => ({
    issueId,
    texts: statementIds.map((id) => byId.get(id) as string),
  }))
}
/** The issues in which somebody praises and somebody complains. */
const mixed = (state: State, said: readonly Statement[], { praise, complaint }: Opposite) =>
  textsIn(state, said).filter(
    ({ texts }) => texts.some((text) => praise.includes(text)) && texts.some((text) => complaint.includes(text)),
  )

describe.each(OPPOSITES)('$style in $language about $about', (one) => {
  test.each([
    ['by words', false],
    ['by meaning', true],
  ])('praise and complaints are in no insight together, %s', (_, encoded) => {
    const state = createState({ seed: 1, ...(encoded ? ENCODER : {}) })
    const said = statementsOf(one, { encoded })
    for (const statement of said) {
      assign(state, [statement])
      if (needsRevision(state, { idle: true })) revise(state)
      expect(mixed(state, said, one)).toEqual([])
    }
    revise(state)
    expect(mixed(state, said, one)).toEqual([])
    if (!encoded) return
    const insights = textsIn(state, said).filter(({ texts }) => texts.length > 1)
    expect(insights.map(({ texts }) => texts.length)).toEqual([3, 3])
  })

  test('a problem is never named with praise', () => {
    const state = createState({ seed: 1, ...ENCODER })
    const said = statementsOf(one, { encoded: true })
    assign(state, said)
    revise(state)
    const complaints = textsIn(state, said).filter(({ texts }) => one.complaint.includes(texts[0] as string))
    const tones = complaints.map(({ issueId }) => toneOf(described(state, issueId).name, one.language))
    expect(tones).not.toEqual([])
    expect(tones).not.toContain('praise')
  })
})

test('praise that is grouped again does not return to complaints, in its own language', () => {
  const state = createState({ seed: 1 })
  const complaints = ['Der Export dauert ewig', 'Der Export ist sehr langsam', 'Der Export ist furchtbar']
  assign(
    state,
    complaints
      .flatMap((text, n) => prepare({ id: `c${n}`, text, at: n }))
      .map((one) => ({ ...one, subjectless: false })),
  )
  const ids = complaints.map((_, n) => ({ statementId: `c${n}:0`, issueId: 1, pin: -1, bans: [] }))
  correct(state, { statements: ids })
  const again = (text: string, id: string) =>
    assign(
      state,
      prepare({ id, text, at: 9, formers: [1] }).map((one) => ({ ...one, subjectless: false })),
    ).decisions
  expect(again('Die Rechnung ist toll geworden', 'praise')).toMatchObject([{ kind: 'pending' }])
  expect(again('Die Rechnung fehlt seit Mai', 'complaint')).toMatchObject([{ kind: 'joined', issueId: 1 }])
})

test('a complaint that begins with praise is not named by it', () => {
  const state = createState({ seed: 1, ...ENCODER })
  const texts = [
    'I love the new editor, but it crashes on every save',
    'The new editor is great, however it crashes when I save',
    'The new editor is very nice but crashes',
  ]
  assign(
    state,
    texts.flatMap((text, n) =>
      prepare({ id: `m${n}`, text, at: n }).map((one) => ({ ...one, vector: meaningOf(['editor'], text) })),
    ),
  )
  revise(state)
  const names = [...issues(state)].map(({ issueId }) => described(state, issueId).name)
  expect(names).toHaveLength(1)
  expect(names.filter((name) => toneOf(name, 'en') === 'praise')).toEqual([])
})

test('where a person put praise, it stays', () => {
  const [one] = OPPOSITES as [Opposite]
  const state = createState({ seed: 1, ...ENCODER })
  const said = statementsOf(one, { encoded: true })
  assign(state, said)
  revise(state)
  const complaints = textsIn(state, said).find(({ texts }) => texts.includes(one.complaint[0] as string))
  const issueId = complaints?.issueId as number
  correct(state, { statements: [{ statementId: 'm0:0', issueId, pin: issueId, bans: [] }] })
  revise(state)
  expect(textsIn(state, said).find((found) => found.issueId === issueId)?.texts).toHaveLength(4)
})
