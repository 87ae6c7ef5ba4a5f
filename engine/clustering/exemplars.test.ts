import { describe, expect, test } from 'vitest'
import { storeRule } from '../corrections/rules.ts'
import { addNode, createState, MAX_EXEMPLARS, type Node, register, type State } from '../state/state.ts'
import { analyse } from '../text/features.ts'
import { trimExemplars } from './exemplars.ts'

function say(state: State, text: string, issue: number, ...statementIds: string[]): number {
  const reading = analyse(text)
  const features = state.featureExtractor.extract(reading)
  state.vocabulary.count(features.terms)
  const index = addNode(state, { features, text, language: reading.language, hash: reading.hash, at: 0, issue })
  for (const id of statementIds) register(state, id, index)
  return index
}

const TOPICS = ['invoice total', 'calendar sync', 'photo upload', 'search filter', 'password reset']

/** An issue with this many nodes, about five topics in turn. */
function crowded(size: number): State {
  const state = createState()
  for (let i = 0; i < size; i++) say(state, `the ${TOPICS[i % 5]} of client ${i} fails`, 1, `s${i}:0`)
  return state
}

const kept = (state: State) => [...(state.issues.get(1)?.nodes ?? [])]
const statementsAt = (state: State, index: number) =>
  (state.nodes[index] as Node).followers.map((follower) => state.statementIds[follower])

describe('trimExemplars', () => {
  test('leaves an issue of 50 kept statements alone', () => {
    const state = crowded(MAX_EXEMPLARS)
    trimExemplars(state)
    expect(kept(state)).toHaveLength(MAX_EXEMPLARS)
    expect(state.dropped).toBe(0)
  })

  test('keeps 50, and no statement is lost', () => {
    const state = crowded(MAX_EXEMPLARS + 30)
    trimExemplars(state)
    expect(kept(state)).toHaveLength(MAX_EXEMPLARS)
    expect(state.dropped).toBe(30)
    expect(state.issues.get(1)?.mentions).toBe(MAX_EXEMPLARS + 30)
    const all = kept(state).flatMap((index) => statementsAt(state, index))
    expect(new Set(all)).toEqual(new Set(Array.from({ length: MAX_EXEMPLARS + 30 }, (_, i) => `s${i}:0`)))
    for (const [id, index] of state.statementIndex) {
      expect(kept(state)).toContain(state.statementNodes[index])
      expect(state.statementIds[index]).toBe(id)
    }
  })

  test('keeps the older of equals, and those that more statements follow', () => {
    const state = crowded(MAX_EXEMPLARS)
    const late = say(state, 'the barcode scanner is slow', 1, 'late:0', 'late:1')
    say(state, 'the invoice total of client 999 fails', 1, 'last:0')
    trimExemplars(state)
    expect(kept(state)).toContain(late)
    expect(kept(state).filter((index) => index !== late)).toEqual(Array.from({ length: 49 }, (_, i) => i))
  })

  test('a dropped one follows its nearest kept statement', () => {
    const state = crowded(MAX_EXEMPLARS)
    say(state, 'search filter broken', 1, 'dropped:0')
    trimExemplars(state)
    const follows = kept(state).find((index) => statementsAt(state, index).includes('dropped:0')) as number
    expect((state.nodes[follows] as Node).text).toContain('search filter')
  })

  test('one with a rule is kept before all others', () => {
    const state = crowded(MAX_EXEMPLARS + 5)
    const ruled = MAX_EXEMPLARS + 4
    storeRule(state, `s${ruled}:0`, { pin: 1, bans: [] })
    Object.assign(state.nodes[ruled] as Node, { pin: 1 })
    trimExemplars(state)
    expect(kept(state)).toContain(ruled)
  })

  test('more than 50 with different rules are not merged into each other', () => {
    const state = crowded(MAX_EXEMPLARS + 10)
    state.nodes.forEach((node, index) => {
      if (node) node.bans = [index + 100]
    })
    trimExemplars(state)
    expect(kept(state)).toHaveLength(MAX_EXEMPLARS + 10)
    state.nodes.forEach((node) => {
      if (node) node.bans = [7]
    })
    trimExemplars(state)
    expect(kept(state)).toHaveLength(MAX_EXEMPLARS)
  })

  test('other issues and pending statements are not touched', () => {
    const state = crowded(MAX_EXEMPLARS + 1)
    const other = say(state, 'the calendar sync stops', 2, 'o:0')
    const pending = say(state, 'the calendar sync waits', 0, 'p:0')
    trimExemplars(state)
    expect(state.nodes[other]?.followers).toHaveLength(1)
    expect(state.nodes[pending]?.followers).toHaveLength(1)
    expect(state.dropped).toBe(1)
  })
})
