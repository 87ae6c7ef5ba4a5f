import { meaningOf } from '@groundswell/fixtures/engine/meanings.ts'
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
  assign,
  attachVectors,
  createState,
  deserialize,
  issues,
  needsRevision,
  prepare,
  REASON_MEANING,
  replay,
  revise,
  type State,
  serialize,
  statementsWithoutVector,
} from '../index.ts'
import { comparesSentences, useSpace } from '../state/space.ts'

const SUBJECTS = ['export', 'phone', 'login', 'invoice']

function built(): State {
  const state = encodedState()
  receiveEncoded(state, tellings(SUBJECTS, 4))
  revise(state)
  return state
}

const issueOf = (state: State, id: string) => [...groupsOf(state)].find(([, members]) => members.includes(id))?.[0] ?? 0

describe('a vector that arrives late', () => {
  test('lets its statement join the issue that means the same, at once', () => {
    const state = built()
    const more = tellings(['phone', 'something new'], 1, 'n')
    receive(state, more)
    expect([issueOf(state, 'n0'), issueOf(state, 'n1')]).toEqual([0, 0])
    const { moves } = attachVectors(state, vectorsOf(more))
    expect(issueOf(state, 'n0')).toBe(issueOf(state, 'm1'))
    expect(moves).toEqual([
      {
        statementId: 'n0:0',
        to: issueOf(state, 'm1'),
        score: expect.closeTo(0.7, 0) as number,
        reason: 'means nearly the same',
        candidates: expect.arrayContaining([]) as unknown[],
      },
    ])
    expect(issueOf(state, 'n1')).toBe(0)
  })

  test('asks for a revision when two that wait mean the same', () => {
    const state = built()
    receiveEncoded(state, tellings(['new one', 'new other'], 1, 'n'))
    expect(needsRevision(state, { idle: true })).toBe(false)
    receiveEncoded(state, tellings(['new one'], 1, 'k'))
    expect(needsRevision(state, { idle: true })).toBe(true)
    revise(state)
    expect(issueOf(state, 'n0')).toBe(issueOf(state, 'k0'))
    expect(issueOf(state, 'n0')).toBeGreaterThan(0)
  })

  test('is used once most statements have one, which is a reason to revise', () => {
    const state = encodedState()
    const messages = tellings(SUBJECTS, 5)
    receive(state, messages)
    revise(state)
    attachVectors(state, vectorsOf(messages.slice(0, 15)))
    expect(comparesSentences(state)).toBe(false)
    expect(needsRevision(state)).toBe(false)
    attachVectors(state, vectorsOf(messages.slice(15, 16)))
    expect([comparesSentences(state), needsRevision(state)]).toEqual([true, true])
    revise(state)
    expect(groupsOf(state).size).toBe(SUBJECTS.length)
    // New messages without one change nothing, until they are the most.
    receive(state, tellings(['export'], 12, 'n'))
    expect(comparesSentences(state)).toBe(true)
    receive(state, tellings(['export'], 2, 'k'))
    expect(comparesSentences(state)).toBe(false)
  })

  test('of a statement that the state does not hold, or that has one, changes nothing', () => {
    const state = built()
    const before = serialize(state)
    const vectors = [
      ...vectorsOf(tellings(SUBJECTS, 1)),
      { statementId: 'gone:0', text: 'x', at: 0, vector: meaningOf(['export'], 'x') },
    ]
    expect(attachVectors(state, vectors)).toEqual({ events: [], moves: [] })
    expect(serialize(state)).toEqual(before)
  })

  test('is listed as missing until it is there, in the languages of the encoder', () => {
    const state = createState({ seed: 3, space: 'encoder', languages: ['en'] })
    assign(state, prepare({ id: 'en', text: 'the export of my report never finishes', at: 1 }))
    assign(state, prepare({ id: 'de', text: 'der Export meines Berichts wird nie fertig', at: 2 }))
    expect(statementsWithoutVector(state)).toEqual(['en:0'])
    const vectors = ['en', 'de'].map((id) => ({ statementId: `${id}:0`, text: id, at: 0, vector: meaningOf([id], id) }))
    attachVectors(state, vectors)
    expect(statementsWithoutVector(state)).toEqual([])
    expect(state.nodes.map((node) => node?.vector !== undefined)).toEqual([true, false])
  })
})

describe('a reply', () => {
  const first = { id: 'q', text: 'the export of my report never finishes', about: ['export'], thread: 'q' }
  const reply = (id: string, text: string, about: string[]) => ({ id, text, about, thread: 'q' })
  const followsFirst = (state: State, id: string) =>
    state.statementNodes[state.statementIndex.get(`${id}:0`) as number] ===
    state.statementNodes[state.statementIndex.get('q:0') as number]

  test('leaves its conversation when it is about something else, not when it only agrees', () => {
    const state = encodedState()
    const replies = [
      reply('same', 'ours stops halfway as well', ['export']),
      reply('other', 'by the way, where do invoices go', ['invoice']),
      reply('agrees', 'same here', ['agreement']),
    ]
    receive(state, [first, ...replies])
    expect(replies.map(({ id }) => followsFirst(state, id))).toEqual([true, true, true])
    attachVectors(state, vectorsOf([...replies, first]))
    expect(replies.map(({ id }) => followsFirst(state, id))).toEqual([true, false, true])
    expect(deserialize(serialize(state)).nodes).toEqual(state.nodes)
  })

  test('that comes with its vector does the same', () => {
    const state = encodedState()
    const said = [first, reply('other', 'by the way, where do invoices go', ['invoice'])]
    for (const one of said) {
      const [statement] = prepare({ id: one.id, text: one.text, at: 1, thread: 'q' })
      if (statement) assign(state, [{ ...statement, vector: meaningOf(one.about, one.id) }])
    }
    expect(followsFirst(state, 'other')).toBe(false)
  })
})

describe('what was placed by meaning stays in its issue', () => {
  const numbersOf = (state: State) => [...groupsOf(state).keys()].sort((a, b) => a - b)
  const large = tellings(SUBJECTS, 10, 'n')

  test('while most of a large import has no vectors yet, and takes part again once they are there', () => {
    const state = built()
    const before = groupsOf(state)
    receive(state, large)
    revise(state)
    expect([state.bySentences, groupsOf(state)]).toEqual([false, before])
    const started = deserialize(serialize(state))
    receive(started, tellings(SUBJECTS, 30, 'k'))
    revise(started)
    expect(groupsOf(started)).toEqual(before)
    attachVectors(state, vectorsOf(large))
    revise(state)
    expect(state.bySentences).toBe(true)
    expect([...groupsOf(state)].map(([id, members]) => [id, members.length])).toEqual(
      [...before.keys()].map((id) => [id, 14]),
    )
  })

  test('with another encoder until its vectors are there; without any, words decide', () => {
    const state = built()
    const before = numbersOf(state)
    useSpace(state, 'another', null)
    receive(state, large)
    revise(state)
    expect(numbersOf(state)).toEqual(before)
    attachVectors(state, vectorsOf([...tellings(SUBJECTS, 4), ...large]))
    revise(state)
    expect([state.bySentences, numbersOf(state)]).toEqual([true, before])
    useSpace(state, '', null)
    receive(state, tellings(SUBJECTS, 10, 'k'))
    revise(state)
    expect(numbersOf(state)).toEqual([])
  })

  test('in a state that is rebuilt before its vectors are there', () => {
    const state = built()
    const messages = tellings(SUBJECTS, 4)
    const decisions = issues(state).flatMap(({ issueId, statementIds }) =>
      statementIds.map((statementId) => ({
        statementId,
        kind: 'joined' as const,
        issueId,
        score: 1,
        reason: REASON_MEANING,
        meant: true,
      })),
    )
    const rebuilt = encodedState()
    const statements = messages.flatMap(({ id, text }, n) => prepare({ id, text, at: n }))
    replay(rebuilt, statements, decisions)
    expect(needsRevision(rebuilt, { idle: true })).toBe(false)
    receive(rebuilt, large)
    revise(rebuilt)
    expect(groupsOf(rebuilt)).toEqual(groupsOf(state))
    const ofWords = createState({ seed: 3 })
    replay(ofWords, statements, decisions)
    receive(ofWords, large)
    revise(ofWords)
    expect(numbersOf(ofWords)).toEqual([])
  })
})

describe('another encoder', () => {
  test('drops the vectors of the former one and leaves the groups', () => {
    const state = built()
    const before = groupsOf(state)
    useSpace(state, 'encoder', null)
    expect(state.nodes.every((node) => node?.vector)).toBe(true)
    useSpace(state, 'another', ['en'])
    expect(state.nodes.some((node) => node?.vector)).toBe(false)
    expect(groupsOf(state)).toEqual(before)
    const started = deserialize(serialize(state))
    expect([started.space, started.spaceLanguages]).toEqual(['another', ['en']])
  })
})
