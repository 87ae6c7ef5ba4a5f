import { SAMPLE } from '@groundswell/fixtures/engine/feedback.ts'
import { describe, expect, test } from 'vitest'
import { storeRule } from '../../corrections/rules.ts'
import { serialize } from '../../state/serialize.ts'
import { addNode, createState, dropNode, featuresOf, register, type State } from '../../state/state.ts'
import { analyse, type Features } from '../../text/features.ts'
import { DUPLICATE_COSINE, finderFor, NeighbourFinder } from './neighbour-finder.ts'
import { NormCache } from './norms.ts'

/** Adds a text that is kept, in an issue or pending. */
function keep(state: State, text: string, issue = 0): number {
  const reading = analyse(text)
  const features = state.featureExtractor.extract(reading)
  state.vocabulary.count(features.terms)
  const index = addNode(state, { features, text, language: reading.language, hash: reading.hash, at: 0, issue })
  register(state, `n${index}:0`, index)
  return index
}

const read = (state: State, text: string): Features => state.featureExtractor.extract(analyse(text))
const nearest = (state: State, text: string) => finderFor(state).nearest(read(state, text))

function sample(): State {
  const state = createState()
  SAMPLE.forEach(({ text }) => keep(state, text))
  return state
}

describe('the nearest kept statements', () => {
  test('of an empty state, or of a text without a known word, are none', () => {
    expect(nearest(createState(), 'the export fails')).toEqual([])
    const state = sample()
    expect(nearest(state, 'qzx')).toEqual([])
    expect(nearest(state, '')).toEqual([])
  })

  test('have the same words first, with a cosine of 1', () => {
    const state = sample()
    const worded = SAMPLE.flatMap(({ text }, index) => (text === '🎉' ? [] : [{ text, index }]))
    expect(worded.map(({ text }) => nearest(state, text)[0]?.node)).toEqual(worded.map(({ index }) => index))
    for (const { text } of worded) expect(nearest(state, text)[0]?.cosine).toBeCloseTo(1, 5)
  })

  test('are at most 16, each once, best first, with similarities from 0 to 1', () => {
    const state = createState()
    for (let i = 0; i < 60; i++) keep(state, `the export of report ${i} fails with an error`)
    const near = nearest(state, 'the export of our report fails with an error')
    expect(near).toHaveLength(16)
    expect(new Set(near.map(({ node }) => node)).size).toBe(16)
    const scores = near.map(({ score }) => score)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    for (const { score, cosine } of near) {
      expect(score).toBeGreaterThan(0)
      expect(score).toBeLessThan(1)
      expect(cosine).toBeLessThanOrEqual(1 + 1e-6)
    }
  })

  test('among equals are the newer ones', () => {
    const state = createState()
    const twins = [keep(state, 'dark mode please'), keep(state, 'please: dark mode'), keep(state, 'dark, please: mode')]
    const near = nearest(state, 'dark mode please').filter(({ score }) => score > 0.5)
    const [first] = near
    const equals = near.filter(({ score }) => score === first?.score).map(({ node }) => node)
    expect(equals).toEqual(equals.toSorted((a, b) => b - a))
    expect(equals.length).toBeGreaterThan(0)
    expect(twins).toEqual(expect.arrayContaining(equals))
  })

  test('name the issue that each is in now', () => {
    const state = createState()
    const index = keep(state, 'the barcode scanner is slow', 4)
    expect(nearest(state, 'barcode scanner slow')).toMatchObject([{ node: index, issue: 4 }])
    state.forwardIndex.setIssue(index, 9)
    expect(nearest(state, 'barcode scanner slow')).toMatchObject([{ node: index, issue: 9 }])
  })

  test('leave out dropped ones, also when so many are dropped that the index is rebuilt', () => {
    const state = createState()
    const nodes = Array.from({ length: 400 }, (_, i) => keep(state, `the export of report ${i} fails`))
    for (const index of nodes.slice(0, 390)) dropNode(state, index)
    const near = nearest(state, 'the export of a report fails').map(({ node }) => node)
    expect(near.length).toBeGreaterThan(0)
    for (const node of near) expect(node).toBeGreaterThanOrEqual(390)
  })

  test('leave out the few that were dropped since the index was built', () => {
    const state = createState()
    const nodes = Array.from({ length: 30 }, (_, i) => keep(state, `the export of report ${i} fails`))
    for (const index of nodes.slice(20)) dropNode(state, index)
    const near = nearest(state, 'the export of report 25 fails').map(({ node }) => node)
    expect(near).toHaveLength(16)
    for (const node of near) expect(node).toBeLessThan(20)
  })

  test('end early when six are in one issue, but not when a person made a rule', () => {
    const state = createState()
    for (let i = 0; i < 12; i++) keep(state, `csv export of report ${i} fails`, 1)
    expect(nearest(state, 'csv export of the report fails')).toHaveLength(6)
    storeRule(state, 'n0:0', { pin: 1, bans: [] })
    expect(nearest(state, 'csv export of the report fails')).toHaveLength(12)
  })

  test('end at once at a duplicate within an issue', () => {
    const state = createState()
    for (let i = 0; i < 4; i++) keep(state, `csv export of report ${i} fails`, 1)
    const twin = keep(state, 'the barcode scanner is slow in the csv export', 1)
    const near = nearest(state, 'the barcode scanner is slow in the csv export')
    expect(near.map(({ node }) => node)).toEqual([twin])
    expect(near[0]?.cosine).toBeGreaterThanOrEqual(DUPLICATE_COSINE)
  })

  test('do not end early among several issues', () => {
    const state = createState()
    for (let i = 0; i < 12; i++) keep(state, `csv export of report ${i} fails`, 1 + (i % 2))
    expect(nearest(state, 'csv export of the report fails')).toHaveLength(12)
  })

  test('are found by a rare word among thousands that share only common ones', () => {
    const state = createState()
    const wanted = keep(state, 'the periscope export fails')
    for (let i = 0; i < 2_000; i++) keep(state, `the export of report ${i % 50} fails again`)
    expect(nearest(state, 'our periscope is broken')[0]?.node).toBe(wanted)
  })

  test.each([
    ['Russian', 'выгрузка отчёта не работает', 'почему выгрузка отчёта не работает'],
    ['Japanese', '報告書のエクスポートが失敗する', '報告書のエクスポートが失敗します'],
    ['Greek', 'η εξαγωγή αποτυγχάνει', 'η εξαγωγή αποτυγχάνει ξανά'],
    ['Arabic', 'تصدير التقرير لا يعمل', 'لماذا تصدير التقرير لا يعمل'],
  ])('are found in %s', (_language, text, similar) => {
    const state = sample()
    const index = keep(state, text)
    expect(nearest(state, similar)[0]?.node).toBe(index)
  })

  test('of a very long text are found by what it says', () => {
    const state = sample()
    const index = keep(state, 'the barcode scanner crashes at checkout')
    const long = `${'filler words about nothing in particular and nobody. '.repeat(40)}the barcode scanner crashes at checkout`
    expect(nearest(state, long).map(({ node }) => node)).toContain(index)
  })
})

describe('a finder', () => {
  test('is one per state', () => {
    const state = createState()
    expect(finderFor(state)).toBe(finderFor(state))
    expect(finderFor(createState())).not.toBe(finderFor(state))
  })

  test('gives the same answer twice, whatever was asked in between', () => {
    const state = sample()
    const once = nearest(state, 'the csv export of a report fails')
    nearest(state, 'single sign-on')
    nearest(state, 'dark mode')
    expect(nearest(state, 'the csv export of a report fails')).toEqual(once)
  })

  test('with norms of its own leaves the state as it was', () => {
    const state = sample()
    const before = serialize(state)
    const finder = new NeighbourFinder(state, new NormCache())
    for (let index = 0; index < state.nodes.length; index++) finder.nearest(featuresOf(state, index))
    expect(serialize(state)).toEqual(before)
    finderFor(state).nearest(featuresOf(state, 0))
    expect(serialize(state)).not.toEqual(before)
  })
})
