import type { Kind } from './kinds/kind.ts'

/** One piece of feedback as the caller stores it. Times are milliseconds since 1970. */
export type Item = { id: string; text: string; at: number; author?: string; thread?: string }

/** One statement of an item: `text` is exactly `item.text.slice(start, end)` (UTF-16 offsets). */
export type Statement = {
  /** `${itemId}:${n}`, with n counting from 0 in order of appearance: the same item text always gives the same ids */
  id: string
  itemId: string
  text: string
  start: number
  end: number
  at: number
  author?: string
  thread?: string
  /** what a language model read in it, in English: it is compared in place of the text, which is the evidence */
  point?: string
  /** its kind, if a language model read it */
  kind?: Kind
  /** the issue that its message was in before it was read, see `SplitItem` */
  former?: number
  /**
   * vector of a sentence encoder (see `State.space`), of any length; without it the built-in word vectors are used
   */
  vector?: Float32Array
  /** praise or small talk, see `isSubjectless`: it is in no issue unless a person puts it there */
  subjectless?: boolean
  /** people decided that, of these words or nearly these: it does not stay with the same words of which they did not */
  taught?: boolean
}

/** An issue a statement was compared with, and its similarity (0 to 1). */
export type Candidate = { issueId: number; score: number }

/**
 * What `assign` decided for one statement. `joined` names the issue, even one removed by a person (it absorbs its
 * mentions silently); `pending` waits for a revision; `noise` is chit-chat and is not stored in the state.
 */
export type Decision = {
  statementId: string
  kind: 'joined' | 'pending' | 'noise'
  issueId?: number
  /** similarity to the nearest neighbour, 0 to 1 */
  score: number
  /** the terms that decided, for example `shared: export, csv` */
  reason: string
  /** at most three, best first */
  candidates?: Candidate[]
}

/**
 * A person's constraint on one statement. It survives edits of the text and rebuilds of the state. `pin`: the issue
 * the statement belongs to, 0 for no issue, -1 for unconstrained. `bans`: issues it does not belong to. Constraints
 * on a merged issue apply to its successor.
 */
export type Rule = { pin: number; bans: number[] }

/**
 * Where a person puts a statement (`issueId`, 0: in no issue) and the rule that keeps it there. `text` lets a
 * statement that was grouped with near-duplicates become its own node; without it, the new node has no terms and
 * is compared with nothing. `point`: see `Statement`.
 */
export type RuledStatement = Rule & { statementId: string; issueId: number; text?: string; point?: string; at?: number }

/**
 * One correction, or the undo of one. `merges`: constraints on `from` apply to `into` from now on; null undoes that.
 * `locks`: issues that revisions must leave unchanged. `shown`: names and summaries to restore.
 */
export type Correction = {
  statements: RuledStatement[]
  merges?: { from: number; into: number | null }[]
  locks?: { issueId: number; locked: boolean }[]
  shown?: { issueId: number; name: string; summary: string; hash: string }[]
}

/** Everything people and models decided, used when a state is rebuilt. */
export type Constraints = {
  rules: (Rule & { statementId: string })[]
  merges: { from: number; into: number }[]
  /** decisions of a language model, see `advise` */
  advice?: { statementId: string; issueId: number }[]
  /** what its reviews took out of issues, see `review` */
  parted?: { statementId: string; issueId: number }[]
  /** the highest issue number ever used, and the highest of an emerging issue */
  lastIssue: number
  lastEmerging?: number
}

/**
 * From this number on, an issue is emerging: a group of statements of similar meaning with less evidence than an issue needs. It becomes one by a revision, as its successor, or by a person.
 */
export const FIRST_EMERGING = 1_000_000_000

/** Whether the number of an issue is one of an emerging issue. */
export function isEmerging(issueId: number): boolean {
  return issueId >= FIRST_EMERGING
}

/** Incremented whenever stored states, or the numbers in them, change their meaning. */
export const ENGINE_VERSION = 14

/** The first version that compares sentences. */
export const FIRST_SENTENCE_VERSION = 10

/** A decision that is replayed. `meant`: its statement may have been placed by comparing sentences, see `replay`. */
export type StoredDecision = Decision & { meant?: boolean }

/** A change in the life of an issue. `promoted`: an issue became visible again after falling below two items. */
export type LineageEvent =
  | { kind: 'born'; issueId: number }
  | { kind: 'promoted'; issueId: number }
  | { kind: 'split'; issueId: number; into: number[] }
  | { kind: 'merged'; issueId: number; into: number }
  | { kind: 'ended'; issueId: number }

/** A statement that changed its issue. Without `from` it was pending; `to: null` means it is in no issue now. */
export type Move = {
  statementId: string
  from?: number
  to?: number | null
  score: number
  reason: string
  /** the issues of its nearest neighbours, at most three, best first */
  candidates?: Candidate[]
}

/**
 * What a revision, a removal or a deletion changed. The caller stores both lists in one transaction with the
 * snapshot.
 */
export type Changes = { events: LineageEvent[]; moves: Move[] }

/**
 * How an issue is shown. `hash` changes exactly when the name or the summary does. Every quote is a statement of this
 * issue. `confident`: most of its messages say what the name says; otherwise the name is a guess.
 */
export type Description = {
  name: string
  confident: boolean
  summary: string
  quotes: { statementId: string }[]
  hash: string
}

/** One issue. `visible`: mentioned in at least two items and not removed by a person. */
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

/** The stored state was written by another engine version. Rebuild it from the feedback. */
export class StateVersionError extends Error {
  override name = 'StateVersionError'
}
