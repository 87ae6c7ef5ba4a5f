import { describe, expect, test } from 'vitest'
import { storeRule } from '../corrections/rules.ts'
import { ChangeRecorder } from '../state/recorder.ts'
import { addNode, createState, type Echo, type Node, register, type State } from '../state/state.ts'
import { analyse } from '../text/features.ts'
import type { JudgeAnswer } from './answers.ts'
import { judgeQuestions } from './questions.ts'

/** A kept statement in an issue, or pending (0). */
function keep(state: State, id: string, text: string, issue = 0, echo: Echo = 0): number {
  const reading = analyse(text)
  const features = state.featureExtractor.extract(reading)
  state.vocabulary.count(features.terms)
  const index = addNode(state, { features, text, language: reading.language, hash: reading.hash, at: 0, issue })
  register(state, `${id}:0`, index, echo)
  return index
}

/** Two visible issues. */
function known(): State {
  const state = createState()
  keep(state, 'e1', 'the spreadsheet export stops halfway', 1)
  keep(state, 'e2', 'spreadsheet export stops after one minute', 1)
  keep(state, 'e3', 'our spreadsheet export stops every night', 1)
  keep(state, 'c1', 'the calendar sync loses birthdays', 2)
  keep(state, 'c2', 'birthdays are lost by the calendar sync', 2)
  for (let n = 0; n < 30; n++) keep(state, `o${n}`, `topic${n} matter${n} thing${n}`)
  new ChangeRecorder(state).changes()
  return state
}

/** Each statement that is asked about, with the most similar issue. */
const ids = (state: State, limit = 10, answers: JudgeAnswer[] = []) =>
  judgeQuestions(state, limit, answers).flatMap(({ of, candidates }) => {
    const issue = candidates.find(({ ref, isControl }) => typeof ref === 'number' && !isControl)
    return issue ? [`${of} ${issue.ref}`] : []
  })

const no = (of: string, candidate: number): JudgeAnswer => ({ of, candidate, score: 0.5, yes: false, isControl: false })

describe('judgeQuestions', () => {
  test('is empty for an empty state and without anything similar', () => {
    expect(judgeQuestions(createState(), 10)).toEqual([])
    expect(judgeQuestions(known(), 10)).toEqual([])
  })

  test('asks about two similar statements where there is no issue', () => {
    const pending = createState()
    keep(pending, 'a', 'the spreadsheet export stops')
    keep(pending, 'b', 'the spreadsheet export stops again')
    for (let n = 0; n < 30; n++) keep(pending, `o${n}`, `topic${n} matter${n} thing${n}`)
    expect(judgeQuestions(pending, 10).map(({ of, candidates }) => [of, candidates[0]?.ref])).toEqual([
      ['a:0', 'b:0'],
      ['b:0', 'a:0'],
    ])
  })

  test('asks about what no model has read, beside what one has', () => {
    const state = known()
    const text = 'the export of a spreadsheet is odd'
    const read = keep(state, 'read', text)
    Object.assign(state.nodes[read] as Node, { point: text })
    keep(state, 'unread', text.replace('odd', 'strange'))
    expect(ids(state)).toEqual(['unread:0 1'])
    const all = judgeQuestions(state, 10, [], { ofRead: true }).map(({ of }) => of)
    expect(new Set(all)).toEqual(new Set(['read:0', 'unread:0']))
  })

  test('offers each statement the issue that it is nearest to, the nearest statement first', () => {
    const state = known()
    keep(state, 'far', 'the export of a spreadsheet is odd')
    keep(state, 'near', 'spreadsheet export stops halfway for us')
    keep(state, 'other', 'calendar sync and birthdays')
    expect(ids(state)).toContain('near:0 1')
    expect(ids(state)).toContain('other:0 2')
    const best = judgeQuestions(state, 10).map(({ candidates }) => candidates[0]?.score ?? 0)
    expect(best).toEqual(best.toSorted((a, b) => b - a))
  })

  test('shows an issue by two different examples, the nearest first', () => {
    const state = known()
    keep(state, 'near', 'spreadsheet export stops halfway for us')
    const texts = judgeQuestions(state, 10)[0]?.candidates.find(({ ref }) => ref === 1)?.texts ?? []
    expect(texts).toHaveLength(2)
    expect(texts[0]).toBe('the spreadsheet export stops halfway')
  })

  test('gives at most as many as asked for, the nearest', () => {
    const state = known()
    keep(state, 'near', 'spreadsheet export stops halfway for us')
    keep(state, 'other', 'calendar sync and birthdays')
    const all = ids(state)
    expect(all).toHaveLength(2)
    expect(ids(state, 1)).toEqual(all.slice(0, 1))
    expect(ids(state, 0)).toEqual([])
    expect(ids(state, -1)).toEqual([])
  })

  test('leaves out pairs that were asked about already', () => {
    const state = known()
    keep(state, 'near', 'spreadsheet export stops halfway for us')
    expect(ids(state, 10, [no('near:0', 1)])).not.toContain('near:0 1')
    expect(ids(state, 10, [no('near:0', 2)])).toEqual(['near:0 1'])
  })

  test('leaves out what follows its conversation only, and what has lost its text', () => {
    const state = known()
    keep(state, 'echo', 'spreadsheet export stops halfway for us', 0, 1)
    expect(ids(state)).toEqual([])
    const silent = keep(state, 'silent', 'spreadsheet export stops halfway with us')
    expect(ids(state)).toEqual(['silent:0 1'])
    Object.assign(state.nodes[silent] ?? {}, { text: '' })
    expect(ids(state)).toEqual([])
  })

  test('leaves out hidden and deleted issues', () => {
    const state = known()
    keep(state, 'near', 'spreadsheet export stops halfway for us')
    const issue = state.issues.get(1)
    expect(ids(state)).toEqual(['near:0 1'])
    Object.assign(issue ?? {}, { visible: false })
    expect(ids(state)).not.toContain('near:0 1')
  })

  test('leaves out an issue when something as near was rejected from it, or put in no issue', () => {
    for (const rule of [
      { pin: -1, bans: [1] },
      { pin: 0, bans: [] },
    ]) {
      const state = known()
      keep(state, 'near', 'spreadsheet export stops halfway for us')
      const ruled = keep(state, 'ruled', 'spreadsheet export stops halfway for us too')
      storeRule(state, 'ruled:0', rule)
      Object.assign(state.nodes[ruled] ?? {}, rule)
      expect(ids(state)).not.toContain('near:0 1')
    }
  })
})
