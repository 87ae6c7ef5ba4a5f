import type { Rule } from '../model.ts'
import type { Node, State } from '../state/state.ts'

/** Why a person's word moved a statement. */
export const REASON_PERSON = 'decided by a person'

/** Whether a person spoke about any statement of a node: then all of them are where it was put. */
export function hasRule({ pin, bans }: Rule): boolean {
  return pin >= 0 || bans.length > 0
}

export function sameRule(a: Rule, b: Rule): boolean {
  return a.pin === b.pin && a.bans.length === b.bans.length && a.bans.every((banned) => b.bans.includes(banned))
}

/** The issue that a number means now: of a merged one the issue it went into. */
export function successorOf(state: State, issueId: number): number {
  let id = issueId
  for (let hops = 0; hops < 1_000 && !state.issues.has(id); hops++) {
    const successor = state.successors.get(id)
    if (successor === undefined) break
    id = successor
  }
  return id
}

/** Whether a person said that what this rule is about does not belong to an issue. */
export function isBanned(state: State, { bans }: Rule, issueId: number): boolean {
  return issueId > 0 && bans.some((banned) => banned === issueId || successorOf(state, banned) === issueId)
}

/** Keeps a rule of a statement, whether or not the state holds the statement. */
export function storeRule(state: State, statementId: string, { pin, bans }: Rule): void {
  if (pin < 0 && bans.length === 0) state.rules.delete(statementId)
  else state.rules.set(statementId, { pin, bans: [...bans] })
}

/** Gives a node the rule that its statements have; those without one follow the others. */
export function refreshNodeRule(state: State, node: Node): void {
  const ruled = node.followers.find((follower) => state.rules.has(state.statementIds[follower] as string))
  const rule = ruled === undefined ? undefined : state.rules.get(state.statementIds[ruled] as string)
  node.pin = rule?.pin ?? -1
  node.bans = [...(rule?.bans ?? [])]
}
