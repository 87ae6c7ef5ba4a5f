import type { Rule } from '../model.ts'
import type { Node, State } from '../state/state.ts'

/** The reason of a move by a person. */
export const REASON_PERSON = 'decided by a person'

/** Whether a person constrained a statement of this node. */
export function hasRule({ pin, bans }: Rule): boolean {
  return pin >= 0 || bans.length > 0
}

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
