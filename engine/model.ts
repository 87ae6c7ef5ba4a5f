/** One piece of feedback as the caller stores it. Times are milliseconds since 1970. */
export type Item = { id: string; text: string; at: number; author?: string; thread?: string }

/** One thing said in an item: `text` is exactly `item.text.slice(start, end)` (UTF-16 offsets). */
export type Statement = {
  /** `${itemId}:${n}`, n from 0 in order of appearance: the same item text gives the same ids */
  id: string
  itemId: string
  text: string
  start: number
  end: number
  at: number
  author?: string
  thread?: string
  /** from the model that the state's space names, of any length; absent: what is known of its words speaks for it */
  vector?: Float32Array
}

/** An issue that was compared with a statement and the similarity (0 to 1) that spoke for it. */
export type Candidate = { issueId: number; score: number }

/**
 * What `assign` decided for one statement. `joined` names the issue (also when that issue was removed by a person: it
 * absorbs its mentions silently); `pending` waits for a revision; `noise` is chit-chat and is not kept in the state.
 */
export type Decision = {
  statementId: string
  kind: 'joined' | 'pending' | 'noise'
  issueId?: number
  /** similarity to the nearest thing compared, 0 to 1 */
  score: number
  /** the terms that decided, for example `shared: export, csv` */
  reason: string
  /** at most three, best first */
  candidates?: Candidate[]
}

/**
 * What a person said about one statement, kept for good: also while it is edited, and in a state that is built anew. `pin`:
 * the issue it belongs to, 0 for none, -1 when nobody said. `bans`: the issues it is not. What is said of an issue that was
 * merged holds for the one it went into.
 */
export type Rule = { pin: number; bans: number[] }

/**
 * Where a person puts a statement (`issueId`, 0: in none) and the rule that keeps it there. `text` lets it stand on its own
 * when it was kept together with others; without it, it is compared with nothing then.
 */
export type RuledStatement = Rule & { statementId: string; issueId: number; text?: string; at?: number }

/**
 * What one correction, or taking one back, says. `merges`: what is said of `from` means `into` from now on, null: no longer.
 * `locks`: what revisions leave as it is. `shown`: names and summaries that are as they were.
 */
export type Correction = {
  statements: RuledStatement[]
  merges?: { from: number; into: number | null }[]
  locks?: { issueId: number; locked: boolean }[]
  shown?: { issueId: number; name: string; summary: string; hash: string }[]
}

/** Everything that people and models said, for a state that is built anew. */
export type Constraints = {
  rules: (Rule & { statementId: string })[]
  merges: { from: number; into: number }[]
  /** what a language model said, see `advise` */
  advice?: { statementId: string; issueId: number }[]
  /** the highest number that an issue ever had */
  lastIssue: number
}

/** Raised whenever stored states or the numbers in them would mean something else. */
export const ENGINE_VERSION = 9

/** A change in the life of issues. `promoted` is an issue that became visible again after it had fallen below two items. */
export type LineageEvent =
  | { kind: 'born'; issueId: number }
  | { kind: 'promoted'; issueId: number }
  | { kind: 'split'; issueId: number; into: number[] }
  | { kind: 'merged'; issueId: number; into: number }
  | { kind: 'ended'; issueId: number }

/** A statement that changed its issue. Absent `from`: it was pending. `to: null`: it is in no issue now. */
export type Move = {
  statementId: string
  from?: number
  to?: number | null
  score: number
  reason: string
  /** the issues with the nearest statements, at most three, best first */
  candidates?: Candidate[]
}

/** What a revision, a removal or a deletion changed; the caller stores both lists in one transaction with the snapshot. */
export type Changes = { events: LineageEvent[]; moves: Move[] }

/** How an issue is shown. `hash` changes exactly when name or summary do. Every quote is a statement id of this issue. */
export type Description = { name: string; summary: string; quotes: { statementId: string }[]; hash: string }

/** One issue as the state knows it. `visible` means: said in at least two items and not removed by a person. */
export type IssueView = {
  issueId: number
  /** statements */
  mentions: number
  /** distinct items */
  items: number
  visible: boolean
  removed: boolean
  statementIds: string[]
}

/** Stored state of another version of the engine: the caller rebuilds it from the feedback. */
export class StateVersionError extends Error {
  override name = 'StateVersionError'
}
