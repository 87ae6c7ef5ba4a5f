import { moving } from '@groundswell/fixtures/engine/corrections.ts'
import { encodedState, receiveEncoded, tellings, vectorsOf } from '@groundswell/fixtures/engine/sentences.ts'
import { describe, expect, test } from 'vitest'
import {
  assign,
  attachVectors,
  correct,
  createState,
  deserialize,
  issues,
  prepare,
  reclassify,
  revise,
  type State,
  serialize,
} from '../index.ts'

const issueOf = (state: State, id: string) =>
  issues(state).find(({ statementIds }) => statementIds.includes(`${id}:0`))?.issueId ?? 0

/** Assigns a message that is praise or small talk. */
function chat(state: State, id: string, text: string, thread?: string) {
  const statements = prepare({ id, text, at: 1, ...(thread ? { thread } : {}) })
  return assign(
    state,
    statements.map((one) => ({ ...one, subjectless: true })),
  ).decisions
}

describe('praise and small talk', () => {
  test('form no issue and join none, however alike they are', () => {
    const state = createState({ seed: 1 })
    for (let n = 0; n < 6; n++)
      chat(state, `p${n}`, `what a wonderful export you have made ${'!'.repeat(n)} number ${n}`)
    for (let n = 0; n < 4; n++) assign(state, prepare({ id: `e${n}`, text: `the export fails, case ${n}`, at: 2 }))
    revise(state)
    expect(issueOf(state, 'e0')).toBeGreaterThan(0)
    expect(chat(state, 'late', 'the export fails, ha ha, case 9')[0]).toMatchObject({
      kind: 'pending',
      reason: 'praise or small talk',
    })
    revise(state)
    expect(['p0', 'p3', 'late'].map((id) => issueOf(state, id))).toEqual([0, 0, 0])
    expect(deserialize(serialize(state)).nodes).toEqual(state.nodes)
  })

  test('stay with a message that they repeat word for word, and with one that they agree with', () => {
    const state = createState({ seed: 1 })
    assign(state, prepare({ id: 'q', text: 'the export never finishes', at: 1, thread: 'q' }))
    assign(state, prepare({ id: 'r', text: 'my export is never finished', at: 1 }))
    revise(state)
    chat(state, 'same', 'The export never finishes!')
    chat(state, 'agrees', 'same here', 'q')
    expect([issueOf(state, 'same'), issueOf(state, 'agrees')]).toEqual([issueOf(state, 'q'), issueOf(state, 'q')])
  })

  test('can be put into an issue by a person, and then stay there', () => {
    const state = encodedState()
    receiveEncoded(state, tellings(['export', 'phone'], 4))
    revise(state)
    chat(state, 'p', 'lovely zzz')
    correct(
      state,
      moving(['p:0'], issueOf(state, 'm0'), () => 'lovely zzz'),
    )
    reclassify(state, [{ statementId: 'p:0', subjectless: true }])
    revise(state)
    expect(issueOf(state, 'p')).toBe(issueOf(state, 'm0'))
  })

  test('are known for sure with the vector: then they leave, or are grouped after all', () => {
    const state = encodedState()
    const messages = tellings(['export', 'phone'], 4)
    receiveEncoded(state, messages)
    revise(state)
    const more = tellings(['export', 'export'], 1, 'n')
    chat(state, 'n0', more[0]?.text ?? '')
    assign(state, prepare({ id: 'n1', text: more[1]?.text ?? '', at: 1 }))
    attachVectors(
      state,
      vectorsOf(more).map((one, n) => ({ ...one, subjectless: n === 1 })),
    )
    expect([issueOf(state, 'n0'), issueOf(state, 'n1')]).toEqual([issueOf(state, 'm0'), 0])
  })

  test('that a person says have a subject are grouped by the next revision, and leave when it is said that they have none', () => {
    const state = encodedState()
    receiveEncoded(state, tellings(['export', 'phone'], 4))
    revise(state)
    const [said] = vectorsOf(tellings(['export'], 1, 'n'))
    chat(state, 'n0', said?.text ?? '')
    if (said) attachVectors(state, [said])
    expect(issueOf(state, 'n0')).toBe(0)
    reclassify(state, [{ statementId: 'n0:0', subjectless: false }])
    revise(state)
    expect(issueOf(state, 'n0')).toBe(issueOf(state, 'm0'))
    const { moves } = reclassify(state, [
      { statementId: 'n0:0', subjectless: true },
      { statementId: 'unknown:0', subjectless: true },
    ])
    expect(moves.map(({ statementId, to }) => [statementId, to])).toEqual([['n0:0', null]])
    revise(state)
    expect(issueOf(state, 'n0')).toBe(0)
  })

  test('leave what is kept with them where it is, if a person says it of one alone', () => {
    const state = createState({ seed: 1 })
    for (const id of ['a', 'b', 'c']) assign(state, prepare({ id, text: 'the export never finishes', at: 1 }))
    revise(state)
    const { moves } = reclassify(state, [
      { statementId: 'a:0', subjectless: true, text: 'the export never finishes', at: 1 },
    ])
    expect(moves.map(({ statementId, to }) => [statementId, to])).toEqual([['a:0', null]])
    expect(['b', 'c'].map((id) => issueOf(state, id))).toEqual([1, 1])
    const said = prepare({ id: 'd', text: 'The export never finishes!', at: 2 })
    const [decision] = assign(
      state,
      said.map((one) => ({ ...one, subjectless: true, taught: true })),
    ).decisions
    expect(decision).toMatchObject({ kind: 'pending' })
    revise(state)
    expect(['a', 'b', 'd'].map((id) => issueOf(state, id))).toEqual([0, 1, 0])
    expect(deserialize(serialize(state)).nodes).toEqual(state.nodes)
  })

  test('that only agree stay with what they reply to, whatever is said of them', () => {
    const state = createState({ seed: 1 })
    assign(state, prepare({ id: 'q', text: 'the export never finishes', at: 1, thread: 'q' }))
    assign(state, prepare({ id: 'r', text: 'my export is never finished', at: 1 }))
    revise(state)
    chat(state, 'agrees', 'same here', 'q')
    expect(reclassify(state, [{ statementId: 'agrees:0', subjectless: true, text: 'same here', at: 1 }]).moves).toEqual(
      [],
    )
    expect(issueOf(state, 'agrees')).toBe(issueOf(state, 'q'))
  })
})
