import { expect, test } from 'vitest'
import { seededRandom } from '../clustering/random.ts'
import { issueTone, nodeTone, opposesIssue } from './node-tone.ts'
import type { Node, State } from './state.ts'

const TEXTS = ['works perfectly', 'the export fails', 'CSV export of large reports']

/** A state with one issue of these texts; some are put there by a person. */
function stateOf(nodes: readonly Node[]): State {
  return { nodes, issues: new Map([[1, { nodes: new Set(nodes.keys()) }]]) } as unknown as State
}

test('the tone of an issue is that of most of its texts that have one, without those that people put there', () => {
  const random = seededRandom(1)
  for (let round = 0; round < 300; round++) {
    const nodes = Array.from({ length: Math.floor(random() * 9) }, () => ({
      text: TEXTS[Math.floor(random() * TEXTS.length)] as string,
      language: 'en',
      pin: random() < 0.2 ? 1 : -1,
    })) as unknown as Node[]
    const tones = nodes.filter(({ pin }) => pin < 0).map(nodeTone)
    const praise = tones.filter((tone) => tone === 'praise').length
    const complaints = tones.filter((tone) => tone === 'complaint').length
    const most = praise + complaints === 0 ? null : praise > complaints ? 'praise' : 'complaint'
    expect(issueTone(stateOf(nodes), 1)).toBe(most)
    expect(opposesIssue(stateOf(nodes), 'praise', 1)).toBe(most === 'complaint')
    expect(opposesIssue(stateOf(nodes), null, 1)).toBe(false)
  }
  expect(issueTone(stateOf([]), 2)).toBe(null)
})
