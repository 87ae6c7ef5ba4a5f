import type { Changes, Constraints, Correction, RuledStatement } from '../model.ts'
import { describeIssues } from '../naming/describe.ts'
import { forgetSentences } from '../naming/sentences.ts'
import { nodeContent } from '../state/node-content.ts'
import { ChangeRecorder } from '../state/recorder.ts'
import { addNode, dropNode, getOrCreateIssue, type Node, register, type State, splitStatement } from '../state/state.ts'
import { part, REASON_PERSON, refreshNodeRule, sameRule, storeRule } from './rules.ts'

/**
 * Applies a person's correction exactly and permanently: no revision, edit or later message overrides it. Rules of
 * statements that the state does not hold apply once they arrive. Changes the state in place; returns what the caller
 * must store.
 */
export function correct(state: State, correction: Correction): Changes {
  const recorder = new ChangeRecorder(state)
  const touched = new Set<number>()
  const { statements, merges = [], locks = [], shown = [] } = correction
  for (const { issueId } of statements) {
    if (issueId > 0 && !state.issues.has(issueId)) {
      getOrCreateIssue(state, issueId)
      recorder.recordBirth(issueId)
    }
  }
  for (const statement of statements) storeRule(state, statement.statementId, statement)
  for (const [index, ruled] of byNode(state, statements)) {
    const node = state.nodes[index] as Node
    touched.add(node.issue)
    placeStatements(state, index, ruled, recorder)
  }
  for (const statement of statements)
    if (!state.statementIndex.has(statement.statementId)) addMissing(state, statement, recorder)
  for (const { from, into } of merges) {
    if (into === null || into === from) state.successors.delete(from)
    else state.successors.set(from, into)
  }
  for (const { issueId, locked } of locks) lockIssue(state, issueId, locked)
  const changes = recorder.changes(new Set(merges.flatMap(({ from, into }) => (into === null ? [] : [from]))))
  for (const { issueId } of statements) touched.add(issueId)
  for (const { into } of merges) {
    // The person who merges chooses which of the two names remains.
    const issue = into === null ? undefined : state.issues.get(into)
    if (issue?.shown) issue.shown.size = issue.mentions
  }
  for (const { issueId, ...one } of shown) {
    const issue = state.issues.get(issueId)
    if (issue) issue.shown = { ...one, confident: true, quotes: [], size: issue.mentions }
    touched.delete(issueId)
  }
  describeIssues(state, touched)
  return changes
}

/** Revisions neither add to nor remove from a locked issue. Corrections and new messages still do. */
export function lockIssue(state: State, issueId: number, locked: boolean): void {
  const issue = state.issues.get(issueId)
  if (issue) issue.locked = locked
}

/** Loads constraints into a new, empty state, before stored decisions are replayed. */
export function loadConstraints(
  state: State,
  { rules, merges, advice = [], parted = [], lastIssue, lastEmerging = 0 }: Constraints,
): void {
  for (const { statementId, ...rule } of rules) storeRule(state, statementId, rule)
  for (const { from, into } of merges) state.successors.set(from, into)
  for (const { statementId, issueId } of advice) state.advice.set(statementId, issueId)
  for (const { statementId, issueId } of parted) part(state, statementId, issueId)
  state.nextIssue = Math.max(state.nextIssue, lastIssue + 1)
  state.nextEmerging = Math.max(state.nextEmerging, lastEmerging + 1)
}

function byNode(state: State, statements: RuledStatement[]): Map<number, RuledStatement[]> {
  const found = new Map<number, RuledStatement[]>()
  for (const statement of statements) {
    const index = state.statementIndex.get(statement.statementId)
    if (index === undefined) continue
    const at = state.statementNodes[index] as number
    const known = found.get(at)
    if (known) known.push(statement)
    else found.set(at, [statement])
  }
  return found
}

/**
 * Moves statements of one node. The largest group keeps the node if all its statements move; the others get nodes of
 * their own.
 */
function placeStatements(state: State, index: number, ruled: RuledStatement[], recorder: ChangeRecorder): void {
  const node = state.nodes[index] as Node
  const issue = state.issues.get(node.issue)
  // What people decide about a statement may matter to the others of its issue, even if it stays.
  if (issue) issue.changed++
  const spoke = node.followers[0]
  const ways = new Map<string, RuledStatement[]>()
  for (const one of ruled) {
    const way = [one.issueId, one.pin, ...[...one.bans].sort((a, b) => a - b)].join(' ')
    const known = ways.get(way)
    if (known) known.push(one)
    else ways.set(way, [one])
  }
  const groups = [...ways.values()].sort((a, b) => a.length - b.length)
  const together = ruled.length === node.followers.length ? groups.pop() : undefined
  for (const one of groups.flat()) {
    if (!together && one.issueId === node.issue && sameRule(one, node)) continue
    const own = splitNode(state, state.statementIndex.get(one.statementId) as number, node, one)
    refreshNodeRule(state, state.nodes[own] as Node)
    recorder.move(own, one.issueId, 1, REASON_PERSON)
  }
  if (node.followers.length === 0) return dropNode(state, index)
  refreshNodeRule(state, node)
  if (node.followers[0] !== spoke) {
    node.text = ''
    forgetSentences(node)
  }
  const [one] = together ?? []
  if (one) recorder.move(index, one.issueId, 1, REASON_PERSON)
}

function splitNode(state: State, statement: number, node: Node, { text, point, at }: RuledStatement): number {
  return splitStatement(state, statement, { ...nodeContent(state, text, point), at: at ?? node.at, issue: node.issue })
}

/** Adds a statement the state does not hold, such as a pending one that was forgotten. */
function addMissing(state: State, statement: RuledStatement, recorder: ChangeRecorder): void {
  const { statementId, issueId, text, point, at = 0 } = statement
  if (text === undefined) return
  const own = addNode(state, { ...nodeContent(state, text, point), at, issue: issueId })
  register(state, statementId, own)
  refreshNodeRule(state, state.nodes[own] as Node)
  recorder.recordEntry(statementId, issueId, 1, REASON_PERSON)
}
