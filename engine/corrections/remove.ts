import type { Changes, IssueView } from '../model.ts'
import { forgetSentences } from '../naming/sentences.ts'
import { ChangeRecorder } from '../state/recorder.ts'
import { countItems, dropNode, type Issue, type State, unregister } from '../state/state.ts'
import { refreshNodeRule } from './rules.ts'

/**
 * Forgets statements that were deleted at the source, or before an edited text is assigned again. Their text is
 * removed from comparisons, names and quotes. Unknown ids are skipped. An issue that loses its last statement ends;
 * one left with a single item is hidden. Rules are kept in case the statement returns.
 */
export function forget(state: State, statementIds: string[]): Changes {
  const recorder = new ChangeRecorder(state)
  for (const statementId of statementIds) {
    state.advice.delete(statementId)
    state.parted.delete(statementId)
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
 * A person deleted the issue. It is hidden but keeps its statements, so that it absorbs similar ones (still decided
 * as `joined`) instead of reappearing. It takes no part in splits and merges.
 */
export function removeIssue(state: State, issueId: number): void {
  const issue = state.issues.get(issueId)
  if (!issue) return
  issue.removed = true
  issue.visible = false
}

/** Undoes `removeIssue`; the issue keeps what it absorbed meanwhile. */
export function restoreIssue(state: State, issueId: number): void {
  const issue = state.issues.get(issueId)
  if (!issue) return
  issue.removed = false
  issue.visible = countItems(state, issue, 2) >= 2
}

/** Whether an issue holds any statement. */
export function hasStatements(state: State, issueId: number): boolean {
  return (state.issues.get(issueId)?.mentions ?? 0) > 0
}

/** All issues that hold statements, by number, including removed and hidden ones. */
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
