import { moving } from '@groundswell/fixtures/engine/corrections.ts'
import {
  encodedState,
  groupsOf,
  receive,
  receiveEncoded,
  tellings,
  vectorsOf,
} from '@groundswell/fixtures/engine/sentences.ts'
import { describe, expect, test } from 'vitest'
import {
  attachVectors,
  correct,
  deserialize,
  isEmerging,
  issues,
  lockIssue,
  removeIssue,
  revise,
  type State,
  serialize,
} from '../index.ts'

const SUBJECTS = ['export', 'phone', 'login', 'invoice', 'calendar', 'search', 'colours', 'prices']

/** The numbers of the issues in which these messages are; 0: none. */
function issuesOf(state: State, ids: readonly string[]): number[] {
  const groups = [...groupsOf(state)]
  return ids.map((id) => groups.find(([, members]) => members.includes(id))?.[0] ?? 0)
}

describe('what means the same without a word in common', () => {
  test('is an emerging issue from two messages on, and an issue from three on', () => {
    const state = encodedState()
    receiveEncoded(state, tellings(SUBJECTS, 2))
    const { events } = revise(state)
    const groups = groupsOf(state)
    expect(groups.size).toBe(SUBJECTS.length)
    expect([...groups.keys()].every(isEmerging)).toBe(true)
    expect(events.filter(({ kind }) => kind === 'born')).toHaveLength(SUBJECTS.length)
    expect([...groups.values()][0]).toEqual(['m0', 'm8'])

    const emerging = issuesOf(state, ['m0'])[0] as number
    receiveEncoded(state, tellings(['export'], 1, 'n'))
    const changes = revise(state)
    const [now] = issuesOf(state, ['n0'])
    expect(now).toBe(1)
    expect(issuesOf(state, ['m0', 'm8'])).toEqual([1, 1])
    expect(changes.events).toContainEqual({ kind: 'born', issueId: 1 })
    expect(changes.events).toContainEqual({ kind: 'merged', issueId: emerging, into: 1 })
    expect(issuesOf(state, ['m1']).every(isEmerging)).toBe(true)
  })

  test('keeps its number while nothing changes, also after a start', () => {
    const state = encodedState()
    receiveEncoded(state, tellings(SUBJECTS, 2))
    revise(state)
    const before = groupsOf(state)
    const started = deserialize(serialize(state))
    for (const one of [state, started]) {
      receiveEncoded(one, tellings(['something else'], 1, 'x'))
      const { moves } = revise(one)
      expect(moves).toEqual([])
      expect(groupsOf(one)).toEqual(before)
    }
  })

  test('takes more evidence to become an issue the more texts there are', () => {
    const state = encodedState()
    const crowd = Array.from({ length: 1_100 }, (_, n) => `alone ${n}`)
    receiveEncoded(state, tellings(crowd, 1, 'c'))
    receiveEncoded(state, tellings(['export'], 3))
    revise(state)
    expect(issuesOf(state, ['m0', 'm1', 'm2']).every(isEmerging)).toBe(true)
    receiveEncoded(state, tellings(['export'], 1, 'n'))
    revise(state)
    expect(issuesOf(state, ['m0', 'n0'])).toEqual([1, 1])
  })

  test('joins the issue that there is, unless it is locked or deleted, or a person said no', () => {
    const state = encodedState()
    receiveEncoded(state, tellings(SUBJECTS, 4))
    revise(state)
    const [open, locked, deleted] = issuesOf(state, ['m0', 'm1', 'm2']) as [number, number, number]
    lockIssue(state, locked, true)
    removeIssue(state, deleted)
    const more = tellings(['export', 'phone', 'login', 'export'], 1, 'n')
    receive(state, more)
    correct(state, {
      statements: [{ statementId: 'n3:0', issueId: 0, pin: -1, bans: [open], text: more[3]?.text ?? '' }],
    })
    attachVectors(state, vectorsOf(more))
    revise(state)
    const where = (id: string) =>
      issues(state).find(({ statementIds }) => statementIds.includes(`${id}:0`))?.issueId ?? 0
    expect(['n0', 'n1', 'n2', 'n3'].map(where)).toEqual([open, 0, 0, 0])
  })

  test('joins an emerging issue that a person dismissed, which stays one', () => {
    const state = encodedState()
    receiveEncoded(state, tellings(SUBJECTS, 4))
    receiveEncoded(state, tellings(['robot'], 2, 'r'))
    revise(state)
    const [dismissed] = issuesOf(state, ['r0']) as [number]
    expect(isEmerging(dismissed)).toBe(true)
    removeIssue(state, dismissed)
    receiveEncoded(state, tellings(['robot'], 1, 'n'))
    receiveEncoded(state, tellings(['robot'], 2, 'k'))
    revise(state)
    const where = issues(state).filter(({ statementIds }) => statementIds.some((id) => /^[rnk]/.test(id)))
    expect(where).toMatchObject([{ issueId: dismissed, mentions: 5, removed: true }])
  })

  test('stays where a person put it', () => {
    const state = encodedState()
    const messages = tellings(SUBJECTS, 4)
    receiveEncoded(state, messages)
    revise(state)
    const [from, to] = issuesOf(state, ['m0', 'm1']) as [number, number]
    correct(
      state,
      moving(['m0:0'], to, () => messages[0]?.text),
    )
    receiveEncoded(state, tellings(['export'], 3, 'n'))
    revise(state)
    expect(issuesOf(state, ['m0', 'm8', 'n0'])).toEqual([to, from, from])
  })
})

describe('what only shares words', () => {
  const texts = ['the blue button', 'the blue button again', 'the blue button, please', 'the blue button today']

  test('is split where sentences are compared', () => {
    const state = encodedState()
    const said = texts.map((text, n) => ({ id: `b${n}`, text, about: [n % 2 === 0 ? 'export' : 'phone'] }))
    receive(state, said)
    revise(state)
    expect(new Set(issuesOf(state, ['b0', 'b1', 'b2', 'b3'])).size).toBe(1)
    attachVectors(state, vectorsOf(said))
    revise(state)
    const [one, other, same, alike] = issuesOf(state, ['b0', 'b1', 'b2', 'b3'])
    expect([one, other]).toEqual([same, alike])
    expect(one).not.toBe(other)
  })

  test('stays together without vectors', () => {
    const state = encodedState()
    receive(
      state,
      texts.map((text, n) => ({ id: `b${n}`, text, about: [] })),
    )
    const { suggestions } = revise(state)
    expect(suggestions).toBeNull()
    expect(new Set(issuesOf(state, ['b0', 'b1', 'b2', 'b3'])).size).toBe(1)
  })
})
