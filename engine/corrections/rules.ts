import type { Rule } from '../model.ts'
import type { Node, State } from '../state/state.ts'

/** The reason of a move by a person. */
export const REASON_PERSON = 'decided by a person'

/** Whether a person constrained a statement of this node. */
export function hasRule({ pin, bans }: Rule): boolean {
  return pin >= 0 || bans.length > 0
}

/** Whether two rules have the same pin and the same bans, in any order. */
export function sameRule(a: Rule, b: Rule): boolean {
  return a.pin === b.pin && a.bans.length === b.bans.length && a.bans.every((banned) => b.bans.includes(banned))
}

/** The current issue for a number: a merged issue's successor. */
export function successorOf(state: State, issueId: number): number {
  let id = issueId
  for (let hops = 0; hops < 1_000 && !state.issues.has(id); hops++) {
    const successor = state.successors.get(id)
    if (successor === undefined) break
    id = successor
  }
  return id
}

/** Whether a rule excludes an issue. */
export function isBanned(state: State, { bans }: Rule, issueId: number): boolean {
  return issueId > 0 && bans.some((banned) => banned === issueId || successorOf(state, banned) === issueId)
}

/** Stores the rule of a statement, held by the state or not. */
export function storeRule(state: State, statementId: string, { pin, bans }: Rule): void {
  if (pin < 0 && bans.length === 0) state.rules.delete(statementId)
  else state.rules.set(statementId, { pin, bans: [...bans] })
}

/** Sets a node's rule to that of its statements; statements without a rule follow the others. */
export function refreshNodeRule(state: State, node: Node): void {
  const ruled = node.followers.find((follower) => state.rules.has(state.statementIds[follower] as string))
  const rule = ruled === undefined ? undefined : state.rules.get(state.statementIds[ruled] as string)
  node.pin = rule?.pin ?? -1
  node.bans = [...(rule?.bans ?? [])]
}

/** Keeps a statement out of an issue as a language model's review said, until a person or the end of the issue says otherwise. */
export function part(state: State, statementId: string, issueId: number): void {
  const known = state.parted.get(statementId) ?? []
  if (!known.includes(issueId)) state.parted.set(statementId, [...known, issueId])
  if (state.advice.get(statementId) === issueId) state.advice.delete(statementId)
}

/** Whether a review took what this node stands for out of an issue. */
export function isParted(state: State, { followers, pin }: Pick<Node, 'followers' | 'pin'>, issueId: number): boolean {
  if (state.parted.size === 0 || pin >= 0) return false
  const first = followers[0]
  const id = first === undefined ? undefined : state.statementIds[first]
  return id !== undefined && state.parted.get(id)?.includes(issueId) === true
}
