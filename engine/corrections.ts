import type { Correction } from './model.ts'
import type { Recorder } from './recorder.ts'
import { addNode, issueOf, type Node, register, type State, unregister } from './state.ts'

/** Why a person's word moved a statement. */
const BY_PERSON = 'decided by a person'

/**
 * Carries out what people said and keeps it in the state, so that later revisions leave it alone. Corrections of statements
 * or issues that are gone are passed over. A statement that follows another one takes that one along: both say the same.
 */
export function applyCorrections(state: State, corrections: Correction[], recorder: Recorder): void {
  for (const correction of corrections) {
    if (correction.kind === 'merge') merge(state, correction.from, correction.into, recorder)
    else {
      const index = ownNode(state, correction.statementId)
      const node = index === undefined ? null : state.nodes[index]
      if (index === undefined || !node) continue
      if (correction.kind === 'move') {
        const target = correction.issueId ?? 0
        if (target > 0) issueOf(state, target)
        node.pin = target
        node.bans = node.bans.filter((banned) => banned !== target)
        recorder.move(index, target, 1, BY_PERSON)
      } else {
        if (!node.bans.includes(correction.issueId)) node.bans.push(correction.issueId)
        if (node.pin === correction.issueId) node.pin = -1
        if (node.issue === correction.issueId) recorder.move(index, 0, 1, BY_PERSON)
      }
    }
  }
}

function merge(state: State, from: number, into: number, recorder: Recorder): void {
  const source = state.issues.get(from)
  if (!source || from === into) return
  const target = issueOf(state, into)
  for (const index of target.nodes) pin(state, index, into)
  for (const index of source.nodes) {
    pin(state, index, into)
    recorder.move(index, into, 1, BY_PERSON)
  }
}

function pin(state: State, index: number, issueId: number): void {
  const node = state.nodes[index] as Node
  node.pin = issueId
  node.bans = node.bans.filter((banned) => banned !== issueId)
}

/**
 * The node that stands for a statement, made its own when it was kept only because of its conversation: such a statement
 * has other words than the one it follows.
 */
function ownNode(state: State, statementId: string): number | undefined {
  const index = state.statementIndex.get(statementId)
  if (index === undefined) return undefined
  const at = state.statementNodes[index] as number
  const node = state.nodes[at] as Node
  if (state.statementEchoes[index] !== 1) return at
  node.followers = node.followers.filter((follower) => follower !== index)
  if (node.issue > 0) issueOf(state, node.issue).mentions--
  unregister(state, index)
  const features = { terms: new Int32Array(0), counts: new Uint8Array(0), words: 0 }
  const own = addNode(state, { features, text: '', language: node.language, hash: 0, at: node.at, issue: node.issue })
  register(state, statementId, own)
  return own
}
