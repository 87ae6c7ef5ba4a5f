import type { Advice, Correction, LineageEvent, Sayings, SplitItem, Undecided } from '@groundswell/engine/index.ts'

/** A stored statement on its way back into the group index. `kind` and `issueId` are what was decided for it. */
export type ReplayedStatement = {
  itemId: string
  number: number
  text: string
  start: number
  end: number
  at: number
  author: string | null
  thread: string | null
  kind: 'joined' | 'pending' | 'noise'
  issueId: number | null
  score: number
  reason: string
  vector?: Float32Array
}

/** A statement that a step will make of an item, before it is placed. */
export type PreparedStatement = { itemId: string; number: number; text: string }

/** So many mentions are in `from` before and in `to` after; 0: in no insight that is shown. */
export type Overlap = { from: number; to: number; mentions: number }

/** What looking at all groups anew changes, ready to be stored, and how the shown ones overlap. */
export type Regrouped = { result: StepResult; overlaps: Overlap[] }

/** What the thread is asked for. Every request about a workspace but `open` and `prepare` needs its state to be there. */
export type Request =
  /** `space`: the model whose vectors the state must hold, '' for none; null: whatever it holds. */
  | { op: 'open'; workspaceId: string; snapshot: Uint8Array | null; space: string | null }
  | { op: 'prepare'; workspaceId: string; items: Step['items'] }
  /** of the model `space`, by statement id, for the next step; what has none is compared by its words */
  | { op: 'vectors'; workspaceId: string; space: string; vectors: Map<string, Float32Array> }
  | { op: 'regroup'; workspaceId: string }
  | { op: 'loadConstraints'; workspaceId: string; constraints: Sayings }
  | { op: 'replay'; workspaceId: string; statements: ReplayedStatement[] }
  | { op: 'ready'; workspaceId: string; version: number; removed: number[]; locked: number[] }
  | ({ op: 'step'; workspaceId: string } & Step)
  | { op: 'undecided'; workspaceId: string; version: number; limit: number; asked: string[] }
  | { op: 'drop'; workspaceId: string }

/**
 * One step of grouping, from `version` on. `idle`: nothing more waits. `settle`: revise although the last time was not long ago. A
 * step with a correction does that and nothing else, so that what it changed is what the person asked for.
 */
export type Step = {
  version: number
  items: SplitItem[]
  forget: string[]
  remove: number[]
  restore: number[]
  correction: Correction | null
  /** what a language model said, to be carried out */
  advice: Advice[]
  idle: boolean
  settle: boolean
}

/**
 * What a step did, ready to be stored. Columns are PostgreSQL array literals, made in the thread so that the event loop
 * only passes them on. `version` is what the workspace's version becomes; the same as before when
 * nothing changed.
 */
export type StepResult = {
  version: number
  statements: StatementColumns
  moves: MoveColumns
  events: LineageEvent[]
  descriptions: { issueId: number; name: string; summary: string; hash: string }[]
  /** Issues whose mentions changed, and how many mentions each gained. */
  touched: { issueId: number; gained: number }[]
  snapshot: Uint8Array | null
  /** The statements that went where a language model said. */
  advised: string[]
  /** Seconds to wait when a revision would pay but the last one is too recent for a state of this size; else null. */
  settlesIn: number | null
}

export type StatementColumns = {
  count: number
  itemIds: string
  numbers: string
  starts: string
  ends: string
  kinds: string
  issues: string
  scores: string
  reasons: string
  candidates: string
  saidAt: string
}

export type MoveColumns = {
  count: number
  itemIds: string
  numbers: string
  issues: string
  scores: string
  reasons: string
  candidates: string
}

/** `unknown`: the thread has no state of this workspace at this version; the caller opens it and asks again. */
export type Answer =
  | { id: number; kind: 'done' }
  | { id: number; kind: 'prepared'; statements: PreparedStatement[] }
  | { id: number; kind: 'regrouped'; regrouped: Regrouped }
  | { id: number; kind: 'unknown' }
  | { id: number; kind: 'outdated' }
  | { id: number; kind: 'step'; result: StepResult }
  | { id: number; kind: 'undecided'; found: Undecided[] }
  | { id: number; kind: 'failed'; message: string; stack: string | undefined }
