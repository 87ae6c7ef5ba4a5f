import { describe, expect, test } from 'vitest'
import { analyse } from '../text/features.ts'
import {
  addNode,
  compact,
  countItems,
  createState,
  dropNode,
  featuresOf,
  getOrCreateIssue,
  itemIdOf,
  mergeNodes,
  placeNode,
  register,
  type State,
  splitStatement,
} from './state.ts'

/** Adds a node with these statements. */
function node(state: State, text: string, issue: number, ...statementIds: string[]): number {
  const analysed = analyse(text)
  const features = state.featureExtractor.extract(analysed)
  const index = addNode(state, { features, text, language: analysed.language, hash: analysed.hash, at: 5, issue })
  for (const id of statementIds) register(state, id, index)
  return index
}

function counts(state: State, issueId: number) {
  const issue = state.issues.get(issueId)
  return issue && { nodes: [...issue.nodes], mentions: issue.mentions, changed: issue.changed }
}

describe('createState', () => {
  test('starts empty, with a whole seed and no external model', () => {
    const state = createState({ seed: 7.9 })
    expect(state).toMatchObject({ seed: 7, space: '', nextIssue: 1, seen: 0, revisions: 0, pendingMatches: 0 })
    expect(state.nodes).toEqual([])
  })
})

describe('getOrCreateIssue', () => {
  test('creates an issue once and raises the next number above it', () => {
    const state = createState()
    const issue = getOrCreateIssue(state, 4)
    expect(issue).toMatchObject({ id: 4, mentions: 0, visible: false, removed: false, locked: false, shown: null })
    expect(getOrCreateIssue(state, 4)).toBe(issue)
    expect(state.nextIssue).toBe(5)
    getOrCreateIssue(state, 2)
    expect(state.nextIssue).toBe(5)
  })

  test('ends the succession of a merged number that is used again', () => {
    const state = createState()
    state.successors.set(3, 1)
    getOrCreateIssue(state, 3)
    expect(state.successors.has(3)).toBe(false)
  })
})

describe('nodes and statements', () => {
  test('count for their issue', () => {
    const state = createState()
    const index = node(state, 'the export fails', 2, 'a:0', 'b:0')
    expect(counts(state, 2)).toEqual({ nodes: [index], mentions: 2, changed: 2 })
    expect(state.statementIndex.get('b:0')).toBe(1)
    expect(state.statementNodes).toEqual([index, index])
  })

  test('are found by the hash of their words', () => {
    const state = createState()
    const index = node(state, 'The export fails!', 0, 'a:0')
    expect(state.nodesByHash.get(analyse('the export fails').hash)).toBe(index)
  })

  test('move between issues with their statements', () => {
    const state = createState()
    const index = node(state, 'the export fails', 1, 'a:0', 'b:0')
    placeNode(state, index, 2)
    expect(counts(state, 1)).toEqual({ nodes: [], mentions: 0, changed: 4 })
    expect(counts(state, 2)).toEqual({ nodes: [index], mentions: 2, changed: 2 })
    expect(state.forwardIndex.issue(index)).toBe(2)
    placeNode(state, index, 0)
    expect(counts(state, 2)).toEqual({ nodes: [], mentions: 0, changed: 4 })
    expect(state.nodes[index]?.issue).toBe(0)
  })

  test('a dropped node frees its statements, whose slots are reused', () => {
    const state = createState()
    const index = node(state, 'the export fails', 1, 'a:0', 'b:0')
    dropNode(state, index)
    expect(state.nodes[index]).toBeNull()
    expect(state.dropped).toBe(1)
    expect(state.statementIndex.size).toBe(0)
    expect(state.nodesByHash.size).toBe(0)
    const other = node(state, 'the map is empty', 1, 'c:0')
    expect(state.statementIds).toContain('c:0')
    expect(state.statementIds).toHaveLength(2)
    expect(state.statementNodes[state.statementIndex.get('c:0') as number]).toBe(other)
  })

  test('dropping a node twice changes nothing', () => {
    const state = createState()
    const index = node(state, 'the export fails', 1, 'a:0')
    dropNode(state, index)
    dropNode(state, index)
    expect(state.dropped).toBe(1)
    expect(state.freeStatements).toHaveLength(1)
  })

  test('merging keeps every statement and the hash of the words', () => {
    const state = createState()
    const from = node(state, 'the export fails', 1, 'a:0')
    const into = node(state, 'exports fail', 1, 'b:0')
    mergeNodes(state, from, into)
    expect(state.nodes[from]).toBeNull()
    expect(state.nodes[into]?.followers.map((follower) => state.statementIds[follower])).toEqual(['b:0', 'a:0'])
    expect(counts(state, 1)).toMatchObject({ nodes: [into], mentions: 2 })
    expect(state.nodesByHash.get(analyse('the export fails').hash)).toBe(into)
  })

  test('merging a node with itself or with a dropped one changes nothing', () => {
    const state = createState()
    const index = node(state, 'the export fails', 1, 'a:0')
    mergeNodes(state, index, index)
    mergeNodes(state, index, 99)
    expect(state.nodes[index]?.followers).toEqual([0])
    expect(state.dropped).toBe(0)
  })

  test('splitting gives a statement its own node in the same issue', () => {
    const state = createState()
    const index = node(state, 'the export fails', 1, 'a:0', 'b:0')
    const analysed = analyse('export fails with an error')
    const features = state.featureExtractor.extract(analysed)
    const kept = { features, text: 'export fails with an error', language: analysed.language, hash: analysed.hash }
    const own = splitStatement(state, 1, { ...kept, at: 6, issue: 1 })
    expect(state.nodes[index]?.followers).toEqual([0])
    expect(state.nodes[own]?.followers).toEqual([1])
    expect(counts(state, 1)).toMatchObject({ nodes: [index, own], mentions: 2 })
  })

  test('registering under a dropped node is an error', () => {
    const state = createState()
    expect(() => register(state, 'a:0', 3)).toThrow('no node 3')
  })
})

describe('compact', () => {
  test('renumbers live nodes in order and keeps everything that refers to them', () => {
    const state = createState()
    const texts = ['the export fails', 'the map is empty', 'the timer stops', 'dark mode please']
    const [first, second, third, fourth] = texts.map((text, n) => node(state, text, n % 2, `${n}:0`)) as number[]
    const before = featuresOf(state, third as number)
    dropNode(state, first as number)
    state.threads.set('gone', '0:0')
    state.threads.set('kept', '3:0')
    compact(state)
    expect(state.nodes.map((one) => one?.text)).toEqual(texts.slice(1))
    expect(state.dropped).toBe(0)
    expect(featuresOf(state, (third as number) - 1)).toEqual(before)
    expect([...(state.issues.get(1)?.nodes ?? [])]).toEqual([(second as number) - 1, (fourth as number) - 1])
    expect(state.statementNodes[state.statementIndex.get('3:0') as number]).toBe(2)
    expect(state.nodesByHash.get(analyse('dark mode please').hash)).toBe(2)
    expect([...state.threads.keys()]).toEqual(['kept'])
  })
})

describe('items', () => {
  test('are counted once, up to the limit', () => {
    const state = createState()
    node(state, 'the export fails', 1, 'a:0', 'a:1', 'b:0')
    node(state, 'exports fail', 1, 'c:0')
    const issue = getOrCreateIssue(state, 1)
    expect(countItems(state, issue)).toBe(3)
    expect(countItems(state, issue, 2)).toBe(2)
  })

  test.each([
    ['m1:0', 'm1'],
    ['a:b:12', 'a:b'],
    ['plain', 'plain'],
    [':0', ':0'],
  ])('the item of %s is %s', (statementId, itemId) => {
    expect(itemIdOf(statementId)).toBe(itemId)
  })
})
