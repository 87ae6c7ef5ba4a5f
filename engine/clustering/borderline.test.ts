import { describe, expect, test } from 'vitest'
import { storeRule } from '../corrections/rules.ts'
import { ChangeRecorder } from '../state/recorder.ts'
import { addNode, createState, register, type State } from '../state/state.ts'
import { analyse } from '../text/features.ts'
import { borderlineMatches } from './borderline.ts'

/** A kept statement in an issue, or pending (0). */
function keep(state: State, id: string, text: string, issue = 0, echo = false): number {
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

const ids = (state: State, limit = 10, asked?: (id: string, issue: number) => boolean) =>
  borderlineMatches(state, limit, asked).map(({ statementId, issueId }) => `${statementId} ${issueId}`)

describe('borderlineMatches', () => {
  test('is empty for an empty state, without issues and without pending statements', () => {
    expect(borderlineMatches(createState(), 10)).toEqual([])
    const pending = createState()
    keep(pending, 'a', 'the spreadsheet export stops')
    keep(pending, 'b', 'the spreadsheet export stops again')
    expect(borderlineMatches(pending, 10)).toEqual([])
    expect(ids(known())).toEqual([])
  })

  test('finds the issue that each pending statement is nearest to, the nearest first', () => {
    const state = known()
    keep(state, 'far', 'the export of a spreadsheet is odd')
    keep(state, 'near', 'spreadsheet export stops halfway for us')
    keep(state, 'other', 'calendar sync and birthdays')
    keep(state, 'none', 'please add a dark mode')
    const found = borderlineMatches(state, 10)
    expect(found.map(({ statementId }) => statementId)).not.toContain('none:0')
    expect(found.find(({ statementId }) => statementId === 'near:0')?.issueId).toBe(1)
    expect(found.find(({ statementId }) => statementId === 'other:0')?.issueId).toBe(2)
    const scores = found.map(({ score }) => score)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    for (const { score } of found) expect(score).toBeGreaterThanOrEqual(0.4)
  })

  test('gives at most three different examples, the nearest first', () => {
    const state = known()
    keep(state, 'e4', 'spreadsheet export stops at row 900', 1)
    keep(state, 'near', 'spreadsheet export stops halfway for us')
    const examples = borderlineMatches(state, 10)[0]?.examples ?? []
    expect(examples).toHaveLength(3)
    expect(new Set(examples).size).toBe(3)
    expect(examples[0]).toBe('the spreadsheet export stops halfway')
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
    expect(ids(state, 10, (id, issue) => id === 'near:0' && issue === 1)).toEqual([])
    expect(ids(state, 10, (id, issue) => id === 'near:0' && issue === 2)).toEqual(['near:0 1'])
  })

  test('leaves out what follows its conversation only, and what has lost its text', () => {
    const state = known()
    keep(state, 'echo', 'spreadsheet export stops halfway for us', 0, true)
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
    expect(ids(state)).toEqual([])
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
      expect(ids(state)).toEqual([])
    }
  })
})
