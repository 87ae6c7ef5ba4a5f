import { labelOf, SAMPLE } from '@groundswell/fixtures/engine/feedback.ts'
import { describe, expect, test } from 'vitest'
import { addNode, createState, placeNode, register, type State } from '../state/state.ts'
import { analyse } from '../text/features.ts'
import { findCommunities, TUNING } from './communities.ts'
import { seededRandom } from './random.ts'
import { chooseScope } from './scope.ts'

const ABOUT = SAMPLE.filter(({ id }) => labelOf(id) !== null)

function stateOf(texts: readonly string[], seed = 1): State {
  const state = createState({ seed })
  texts.forEach((text, n) => {
    const reading = analyse(text)
    const features = state.featureExtractor.extract(reading)
    state.vocabulary.count(features.terms)
    const index = addNode(state, { features, text, language: reading.language, hash: 0, at: n, issue: 0 })
    register(state, `m${n}:0`, index)
  })
  return state
}

const labelsOf = (state: State, tuning = TUNING) => [...findCommunities(state, chooseScope(state), tuning).labels]

/** For each text, the texts of its community: independent of numbers and orders. */
function partition(texts: readonly string[], labels: readonly number[]): string[] {
  return texts
    .map((_, place) =>
      texts
        .filter((_other, at) => labels[at] === labels[place])
        .sort()
        .join(' | '),
    )
    .filter((group, place, all) => all.indexOf(group) === place)
    .sort()
}

describe('findCommunities', () => {
  test('of nothing is nothing, and a single statement is its own community', () => {
    const none = findCommunities(createState(), { nodes: [], issues: new Set() }, TUNING)
    expect(none.labels).toHaveLength(0)
    expect(none.pairs.from).toHaveLength(0)
    expect(labelsOf(stateOf(['the export fails']))).toEqual([0])
  })

  test('puts statements of one subject together and those of others apart', () => {
    const labels = labelsOf(stateOf(ABOUT.map(({ text }) => text)))
    for (const subject of ['export', 'login', 'dark']) {
      const own = new Set(labels.filter((_, place) => labelOf(ABOUT[place]?.id as string) === subject))
      const others = new Set(labels.filter((_, place) => labelOf(ABOUT[place]?.id as string) !== subject))
      expect(own.size).toBeLessThanOrEqual(2)
      for (const label of own) expect(others.has(label)).toBe(false)
    }
  })

  test('is the same for the same state and seed', () => {
    const texts = ABOUT.map(({ text }) => text)
    expect(labelsOf(stateOf(texts, 5))).toEqual(labelsOf(stateOf(texts, 5)))
  })

  test.each([1, 2, 3])('groups clear subjects alike in any order (seed %i)', (seed) => {
    const texts = ['export', 'calendar', 'scanner'].flatMap((subject) =>
      ['fails today', 'fails again', 'fails often', 'fails here'].map((how) => `the ${subject} ${subject}er ${how}`),
    )
    const random = seededRandom(seed)
    const order = texts
      .map((text) => ({ text, at: random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ text }) => text)
    expect(partition(order, labelsOf(stateOf(order)))).toEqual(partition(texts, labelsOf(stateOf(texts))))
  })

  test('what shares nothing is alone', () => {
    const labels = labelsOf(stateOf(['bcdf ghjk', 'lmnp qrst', 'vwxz bnml']))
    expect(new Set(labels).size).toBe(3)
  })

  test('duplicates are together', () => {
    const labels = labelsOf(stateOf([...Array(6).fill('the map is blank'), ...Array(6).fill('refund not received')]))
    expect(new Set(labels.slice(0, 6)).size).toBe(1)
    expect(new Set(labels.slice(6)).size).toBe(1)
    expect(labels[0]).not.toBe(labels[6])
  })

  test('statements of one issue are pulled together by its anchor', () => {
    const texts = [
      'the export of reports fails',
      'export of reports is broken',
      'the calendar fails',
      'calendar broken',
    ]
    const loose = stateOf(texts)
    const tied = stateOf(texts)
    for (let index = 0; index < texts.length; index++) placeNode(tied, index, 1)
    const groups = (state: State) => new Set(labelsOf(state, { ...TUNING, anchor: 50 })).size
    expect(groups(loose)).toBeGreaterThan(1)
    expect(groups(tied)).toBe(1)
  })

  test('no edge is drawn below the required similarity', () => {
    const texts = ABOUT.map(({ text }) => text)
    expect(new Set(labelsOf(stateOf(texts), { ...TUNING, edge: 0.999 })).size).toBe(texts.length)
  })

  test('works on the statements of the scope only', () => {
    const state = stateOf(['the map is blank', 'map blank again', 'the map stays blank'])
    const { labels, features } = findCommunities(state, { nodes: [0, 2], issues: new Set() }, TUNING)
    expect(labels).toHaveLength(2)
    expect(features).toHaveLength(2)
  })
})
