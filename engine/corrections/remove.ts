import type { Changes, IssueView } from '../model.ts'
import { forgetSentences } from '../naming/sentences.ts'
import { ChangeRecorder } from '../state/recorder.ts'
import { countItems, dropNode, type Issue, type State, unregister } from '../state/state.ts'
import { refreshNodeRule } from './rules.ts'

/**
 * Forgets statements whose source deleted them, or before an edited text is assigned anew. Their text is kept nowhere: it is
 * no longer compared with, and no name or quote shows it. Unknown ids are passed over. An issue that loses its last statement
 * ends; one that is said in a single item is hidden. What a person said of a statement is kept, in case it comes again.
 */
export function forget(state: State, statementIds: string[]): Changes {
  const recorder = new ChangeRecorder(state)
  for (const statementId of statementIds) {
    state.advice.delete(statementId)
    const index = state.statementIndex.get(statementId)
    if (index === undefined) continue
    const at = state.statementNodes[index] as number
    const node = state.nodes[at]
    if (!node) continue
    const issue = state.issues.get(node.issue)
    const spoke = node.followers[0] === index
    node.followers = node.followers.filter((follower) => follower !== index)
    unregister(state, index)
    if (issue) {
      issue.mentions--
      issue.changed++
      if (spoke) issue.shown = null
    }
    if (node.followers.length === 0) dropNode(state, at)
    else {
      refreshNodeRule(state, node)
      if (spoke) {
        node.text = ''
        forgetSentences(node)
      }
    }
  }
  return recorder.changes()
}

/**
 * A person deleted the issue. It is hidden and keeps what it was made of, so that it goes on absorbing what says the same
 * instead of coming back: such statements are still decided as `joined` to it. It takes no part in splits and merges.
 */
export function removeIssue(state: State, issueId: number): void {
  const issue = state.issues.get(issueId)
  if (!issue) return
  issue.removed = true
  issue.visible = false
}

/** Undoes `removeIssue`, with all that the issue has absorbed since. */
export function restoreIssue(state: State, issueId: number): void {
  const issue = state.issues.get(issueId)
  if (!issue) return
  issue.removed = false
  issue.visible = countItems(state, issue, 2) >= 2
}

/** Whether an issue holds any statement now. */
export function hasStatements(state: State, issueId: number): boolean {
  return (state.issues.get(issueId)?.mentions ?? 0) > 0
}

/** All issues that hold statements, in ascending order of number, removed and hidden ones too. */
export function issues(state: State): IssueView[] {
  return [...state.issues.values()]
    .filter((issue) => issue.mentions > 0)
    .sort((a, b) => a.id - b.id)
    .map((issue) => viewOf(state, issue))
}

function viewOf(state: State, issue: Issue): IssueView {
  const statementIds: string[] = []
  for (const index of issue.nodes) {
    for (const follower of state.nodes[index]?.followers ?? [])
      statementIds.push(state.statementIds[follower] as string)
  }
  const items = countItems(state, issue)
  return {
    issueId: issue.id,
    mentions: issue.mentions,
    items,
    visible: !issue.removed && items >= 2,
    removed: issue.removed,
    statementIds,
  }
}
