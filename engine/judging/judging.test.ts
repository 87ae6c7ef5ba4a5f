import { moving, rejecting } from '@groundswell/fixtures/engine/corrections.ts'
import { meaningOf } from '@groundswell/fixtures/engine/meanings.ts'
import { encodedState, receiveEncoded, tellings } from '@groundswell/fixtures/engine/sentences.ts'
import { describe, expect, test } from 'vitest'
import {
  advise,
  assign,
  attachVectors,
  correct,
  deserialize,
  foundEmerging,
  isEmerging,
  issues,
  type JudgeAnswer,
  type JudgeQuestion,
  type JudgeRef,
  judgeOutcome,
  judgeQuestions,
  judgeRounds,
  loadConstraints,
  lockIssue,
  prepare,
  replay,
  revise,
  type State,
  serialize,
} from '../index.ts'

const SUBJECTS = ['export', 'phone', 'login', 'invoice', 'calendar', 'search']
/** Vague about a subject: too far from its issue to join without a model. */
const HALF = ['weather', 'traffic', 'lunch', 'garden']

function built(subjects = SUBJECTS): State {
  const state = encodedState()
  receiveEncoded(state, tellings(subjects, 4))
  revise(state)
  return state
}

/** A message that is partly about each of these. */
function say(state: State, id: string, about: string[]): void {
  const text = `${id} ${id}`
  assign(state, prepare({ id, text, at: 9 }))
  attachVectors(state, [{ statementId: `${id}:0`, text, at: 9, vector: meaningOf(about, id) }])
}

const issueOf = (state: State, id: string) =>
  issues(state).find(({ statementIds }) => statementIds.includes(`${id}:0`))?.issueId ?? 0
const about = (questions: readonly JudgeQuestion[], id: string) => questions.find(({ of }) => of === `${id}:0`)
const refs = (question: JudgeQuestion | undefined) =>
  question?.candidates.filter(({ isControl }) => !isControl).map(({ ref }) => ref) ?? []
/** Lets a judge decide each pair. */
function judge(
  state: State,
  isSame: (a: JudgeRef, b: JudgeRef) => boolean,
  answers: JudgeAnswer[] = [],
): JudgeAnswer[] {
  const rounds = judgeRounds(state, answers)
  for (let asked = rounds.next(); !asked.done; ) {
    asked = rounds.next(
      asked.value.flatMap(({ of, candidates }) =>
        candidates.map(({ ref, score, isControl }) => ({
          of,
          candidate: ref,
          score,
          isControl,
          yes: !isControl && isSame(of, ref),
        })),
      ),
    )
  }
  return answers
}
/** Controls with this many yeses, as of a judge that was asked a hundred times before. */
const controls = (yes: number): JudgeAnswer[] =>
  Array.from({ length: 100 }, (_, at) => ({ of: 'x:0', candidate: 1, score: 0, yes: at < yes, isControl: true }))
const said = (of: JudgeRef, candidate: JudgeRef, score: number, yes = true): JudgeAnswer => ({
  of,
  candidate,
  score,
  yes,
  isControl: false,
})

describe('questions', () => {
  test('are about statements in no issue, with candidates in order of similarity, and change nothing', () => {
    const state = built()
    say(state, 'qqvv', ['export', ...HALF])
    say(state, 'wwzz', ['export', ...HALF, 'football'])
    revise(state)
    const before = serialize(state)
    const question = about(judgeQuestions(state, 10), 'qqvv')
    expect(serialize(state)).toEqual(before)
    expect(question?.texts).toEqual(['qqvv qqvv'])
    expect(refs(question)).toContain(issueOf(state, 'm0'))
    expect(refs(question)).toContain('wwzz:0')
    const scores = question?.candidates.filter(({ isControl }) => !isControl).map(({ score }) => score) ?? []
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    expect(question?.candidates.find(({ ref }) => ref === issueOf(state, 'm0'))?.texts).toHaveLength(2)
    expect(judgeQuestions(state, 0)).toEqual([])
  })

  test('offer five issues and ten statements at most, and one control that is far from it', () => {
    const many = Array.from({ length: 14 }, (_, at) => `subject ${at}`)
    const state = built(many)
    for (let at = 0; at < 14; at++) say(state, `qq${String.fromCharCode(97 + at)}`, [...many.slice(0, 8), `${at}`])
    const question = about(judgeQuestions(state, 100), 'qqa')
    expect(refs(question).filter((ref) => typeof ref === 'number')).toHaveLength(5)
    expect(refs(question).filter((ref) => typeof ref === 'string')).toHaveLength(10)
    const far = question?.candidates.filter(({ isControl }) => isControl) ?? []
    expect(far).toHaveLength(1)
    expect(refs(question)).not.toContain(far[0]?.ref)
    expect(far[0]?.score).toBeLessThan(0.15)
  })

  test('leave out what was answered, and what people decided or locked', () => {
    const state = built()
    say(state, 'qqvv', ['export', ...HALF])
    const issueId = issueOf(state, 'm0')
    const asked = (of: State = state, answers: JudgeAnswer[] = []) =>
      refs(about(judgeQuestions(of, 10, answers), 'qqvv'))
    expect(asked()).toEqual([issueId])
    expect(asked(state, [said('qqvv:0', issueId, 0.3, false)])).toEqual([])
    const copy = () => deserialize(serialize(state))
    const locked = copy()
    lockIssue(locked, issueId, true)
    expect(asked(locked)).toEqual([])
    const rejected = copy()
    correct(
      rejected,
      rejecting(rejected, ['qqvv:0'], issueId, () => 'qqvv qqvv'),
    )
    expect(asked(rejected)).toEqual([])
    const out = copy()
    correct(
      out,
      moving(['qqvv:0'], 0, () => 'qqvv qqvv'),
    )
    expect(asked(out)).toEqual([])
  })
})

describe('the outcome', () => {
  const pending = () => {
    const state = built()
    say(state, 'qqvv', ['export', ...HALF])
    return { state, issueId: issueOf(state, 'm0') }
  }

  test('a yes of a good judge puts a statement into an issue; a no does not', () => {
    const { state, issueId } = pending()
    const { joins, groups, askBack } = judgeOutcome(state, [...controls(1), said('qqvv:0', issueId, 0.3)])
    expect(joins).toEqual([{ statementId: 'qqvv:0', issueId, score: 0.3 }])
    expect([groups, askBack]).toEqual([[], []])
    expect(judgeOutcome(state, [...controls(1), said('qqvv:0', issueId, 0.3, false)]).joins).toEqual([])
  })

  test('a worse judge is asked in both directions, and two yeses are required', () => {
    const { state, issueId } = pending()
    const answers = [...controls(15), said('qqvv:0', issueId, 0.25)]
    const { joins, askBack, rates } = judgeOutcome(state, answers)
    expect(rates.falseYes).toBeGreaterThan(0.1)
    expect(joins).toEqual([])
    expect(askBack).toMatchObject([{ of: issueId, candidates: [{ ref: 'qqvv:0', texts: ['qqvv qqvv'] }] }])
    const back = judgeOutcome(state, [...answers, said(issueId, 'qqvv:0', 0.25)])
    expect(back.joins.map(({ statementId }) => statementId)).toEqual(['qqvv:0'])
    const denied = judgeOutcome(state, [...answers, said(issueId, 'qqvv:0', 0.25, false)])
    expect([denied.joins, denied.askBack]).toEqual([[], []])
  })

  test('a judge that says yes to everything changes nothing', () => {
    const { state, issueId } = pending()
    const answers = [...controls(100), said('qqvv:0', issueId, 0.3), said(issueId, 'qqvv:0', 0.3)]
    expect(judgeOutcome(state, answers)).toMatchObject({ joins: [], groups: [], askBack: [] })
  })

  test('two issues are never joined by a statement that is said to belong to both', () => {
    const { state, issueId } = pending()
    const other = issueOf(state, 'm1')
    const { joins } = judgeOutcome(state, [...controls(0), said('qqvv:0', issueId, 0.4), said('qqvv:0', other, 0.3)])
    expect(joins).toEqual([{ statementId: 'qqvv:0', issueId, score: 0.4 }])
  })
})

describe('what a judge founds', () => {
  /** Two messages that have a subject in common which no issue has, among others. */
  function founded(): { state: State; issueId: number } {
    const state = built()
    say(state, 'qqvv', ['refund', 'weather', 'traffic', 'lunch'])
    say(state, 'wwzz', ['refund', 'football', 'garden', 'holidays'])
    revise(state)
    expect([issueOf(state, 'qqvv'), issueOf(state, 'wwzz')]).toEqual([0, 0])
    judge(state, (a, b) => typeof a === 'string' && typeof b === 'string')
    return { state, issueId: issueOf(state, 'qqvv') }
  }

  test('is an emerging issue, which revisions, a start and a rebuild keep', () => {
    const { state, issueId } = founded()
    expect(isEmerging(issueId)).toBe(true)
    expect(issueOf(state, 'wwzz')).toBe(issueId)
    expect(about(judgeQuestions(state, 10), 'qqvv')).toBeUndefined()
    const started = deserialize(serialize(state))
    for (let round = 0; round < 3; round++) {
      receiveEncoded(started, tellings(SUBJECTS, 1, `r${round}`))
      revise(started)
    }
    expect([issueOf(started, 'qqvv'), issueOf(started, 'wwzz')]).toEqual([issueId, issueId])
    expect(issues(started).filter(({ statementIds }) => statementIds.includes('qqvv:0'))).toHaveLength(1)
  })

  test('is rebuilt from what was stored', () => {
    const state = encodedState()
    const advice = ['qqvv:0', 'wwzz:0'].map((statementId) => ({ statementId, issueId: 1_000_000_004 }))
    loadConstraints(state, { rules: [], merges: [], advice, lastIssue: 0, lastEmerging: 1_000_000_004 })
    const statements = ['qqvv', 'wwzz'].flatMap((id) => prepare({ id, text: `${id} ${id}`, at: 9 }))
    replay(
      state,
      statements,
      advice.map((one) => ({ ...one, kind: 'joined', score: 0.3, reason: '' })),
    )
    revise(state)
    expect([issueOf(state, 'qqvv'), issueOf(state, 'wwzz')]).toEqual([1_000_000_004, 1_000_000_004])
  })

  test('attracts what means the same, and is an issue once that alone would be a group', () => {
    const { state, issueId } = founded()
    const like = ['refund', 'weather', 'traffic', 'lunch']
    say(state, 'kkpp', like)
    revise(state)
    expect(issueOf(state, 'kkpp')).toBe(issueId)
    say(state, 'ggnn', like)
    say(state, 'ddff', like)
    revise(state)
    const regular = issueOf(state, 'ggnn')
    expect(isEmerging(regular)).toBe(false)
    expect(['qqvv', 'wwzz', 'kkpp'].map((id) => issueOf(state, id))).toEqual([regular, regular, regular])
    revise(state)
    expect(issueOf(state, 'wwzz')).toBe(regular)
  })

  test('yields to a person', () => {
    const { state, issueId } = founded()
    const to = issueOf(state, 'm0')
    correct(
      state,
      moving(['qqvv:0'], to, () => 'qqvv qqvv'),
    )
    revise(state)
    expect(issueOf(state, 'qqvv')).toBe(to)
    expect(issueOf(state, 'wwzz')).toBe(0)
    expect(issues(state).map((one) => one.issueId)).not.toContain(issueId)
  })

  test('continues an emerging issue of which it has most, and leaves out what can no longer be moved', () => {
    const state = built()
    receiveEncoded(state, tellings(['refund'], 2, 'n'))
    say(state, 'qqvv', ['football', 'garden', 'holidays'])
    revise(state)
    const emerging = issueOf(state, 'n0')
    expect(isEmerging(emerging)).toBe(true)
    const { taken } = foundEmerging(state, [{ statementIds: ['n0:0', 'n1:0', 'qqvv:0', 'm0:0', 'no:0'], score: 0.3 }])
    expect(taken.map(({ issueId }) => issueId)).toEqual([emerging, emerging, emerging])
    expect(foundEmerging(state, [{ statementIds: ['m0:0', 'm1:0'], score: 0.3 }]).taken).toEqual([])
    revise(state)
    expect(['n0', 'n1', 'qqvv'].map((id) => issueOf(state, id))).toEqual([emerging, emerging, emerging])
  })

  test('another statement may join it', () => {
    const { state, issueId } = founded()
    say(state, 'ttrr', ['refund', 'books', 'cinema', 'garden', 'sailing'])
    expect(refs(about(judgeQuestions(state, 10), 'ttrr'))).toContain(issueId)
    advise(state, [{ statementId: 'ttrr:0', issueId, score: 0.3 }])
    revise(state)
    expect(issueOf(state, 'ttrr')).toBe(issueId)
  })
})
