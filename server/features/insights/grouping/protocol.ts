import type {
  Advice,
  Constraints,
  Correction,
  JudgeAnswer,
  JudgedGroup,
  JudgeOutcome,
  JudgeQuestion,
  Kind,
  KnownThemes,
  LateVector,
  LineageEvent,
  PlannedTheme,
  ReviewDecisions,
  Reviewed,
  SplitItem,
  Suggestions,
  TaughtStatement,
} from '@groundswell/engine/index.ts'
import type { GroupingModel } from './vector-source.ts'

/**
 * A stored statement to be replayed into the group index, with the decision about it. `at`: milliseconds since 1970. `meant`: it may have been
 * placed by comparing sentences.
 */
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
  meant: boolean
  /** what a language model read in it, and the kind that it gave it */
  point: string | null
  readKind: Kind | null
  /** as decided about its kind, see `DecidedKind` */
  subjectless: boolean
  kindBy: string | null
  vector?: Float32Array
}

/** A statement that a step will extract from an item. `text`: what its vector is made of, its point if it has one. */
export type PreparedStatement = { itemId: string; number: number; text: string }

/** The number of mentions that are in insight `from` before and in `to` after; 0: in no shown insight. */
export type Overlap = { from: number; to: number; mentions: number }

/** The changes of a revision of all groups, ready to be stored, and how the shown insights before and after overlap. */
export type Regrouped = { result: StepResult; overlaps: Overlap[] }

/** Requests to the thread. All but `open`, `prepare` and `drop` need the workspace's state to be loaded. */
export type Request =
  /** `model`: the one whose vectors the state is to use; null for that of the snapshot */
  | { op: 'open'; workspaceId: string; snapshot: Uint8Array | null; model: GroupingModel | null }
  /** asks for the statements whose vectors the state lacks */
  | { op: 'lacking'; workspaceId: string }
  | { op: 'prepare'; workspaceId: string; items: Step['items'] }
  /** vectors of the model `space` by statement id, for the next step; statements without one are compared by their words */
  | { op: 'vectors'; workspaceId: string; space: string; vectors: Map<string, Float32Array> }
  | { op: 'regroup'; workspaceId: string; settled: number[] }
  | { op: 'loadConstraints'; workspaceId: string; constraints: Constraints }
  | { op: 'replay'; workspaceId: string; statements: ReplayedStatement[] }
  | { op: 'ready'; workspaceId: string; version: number; removed: number[]; locked: number[] }
  /** what people's kinds teach from now on; `taught` names this version of it, see `Step` */
  | { op: 'teach'; workspaceId: string; taught: string; statements: TaughtStatement[] }
  | ({ op: 'step'; workspaceId: string } & Step)
  /** asks for the themes of the insights in the state, with the known ones continued */
  | { op: 'themes'; workspaceId: string; version: number; known: KnownThemes }
  | { op: 'judge'; workspaceId: string; version: number; limit: number; answers: JudgeAnswer[] }
  | { op: 'drop'; workspaceId: string }

/** Drops the states of all workspaces. It is not answered. */
export type Forget = { op: 'forget' }

/**
 * One step of grouping, from `version` on. `space`: the model whose vectors the state must have; null for any. `late`: vectors that
 * arrived after their statements were assigned; null if none were read. `idle`: nothing more waits. `settle`: revise even if the last
 * revision was recent. A step with a correction does nothing else, so that it changes only what the person asked for.
 */
export type Step = {
  version: number
  space: string | null
  late: LateVector[] | null
  /** stored statements whose kinds are decided again, the late ones among them */
  kinds: KindRequest[]
  /** the kinds that people gave statements of these items, by their words */
  keptKinds: KeptKind[]
  /** which version of people's kinds the state must have been taught; '' for none, null for any */
  taught: string | null
  items: SplitItem[]
  forget: string[]
  remove: number[]
  restore: number[]
  correction: Correction | null
  /** decisions of a language model to apply */
  advice: Advice[]
  /** mentions that the model put together */
  founded: Pick<JudgedGroup, 'statementIds' | 'score'>[]
  /** what its reviews decided about insights */
  reviewed: ReviewDecisions
  /** insights that people settled: a revision moves a statement out of them only if it is clearly nearer elsewhere */
  settled: number[]
  idle: boolean
  settle: boolean
}

/** A stored statement whose kind is decided again. `set`: a person's kind; `read`: that of a language model's reading; `vector`: from the built-in encoder; `alone`: applies to it only, not to the duplicates kept with it. */
export type KindRequest = {
  statementId: string
  text: string
  at: number
  point: string | null
  set: Kind | null
  read: Kind | null
  alone: boolean
  vector?: Float32Array
}

/** The kind that a person gave the statement of an item that has this text. `key`: names it to the store. */
export type KeptKind = { itemId: string; key: string; text: string; kind: Kind }

/**
 * What a step changed, ready to be stored. Columns are PostgreSQL array literals, built in the thread so that the event loop only
 * passes them on. `version`: the new version of the groups; unchanged when nothing changed.
 */
export type StepResult = {
  version: number
  statements: StatementColumns
  /** of stored statements, as decided again */
  kinds: KindColumns
  /** Which of the kept kinds have a statement, and its number. */
  keptKinds: { itemId: string; key: string; number: number }[]
  moves: MoveColumns
  events: LineageEvent[]
  descriptions: { issueId: number; name: string; confident: boolean; summary: string; hash: string }[]
  /** The insights whose mentions changed, and how many mentions each gained. */
  touched: { issueId: number; gained: number }[]
  emerging: EmergingChanges
  /** What a revision suggests to people; null: nothing, because words were compared alone; undefined: there was no revision. */
  suggestions: Suggestions | null | undefined
  snapshot: Uint8Array | null
  /** Ids of the statements for which advice was applied. */
  advised: string[]
  /** The emerging insights that were founded, by the ids of their statements. */
  founded: { statementId: string; issueId: number }[]
  /** What reviews decided, as far as it was carried out. */
  reviewed: Pick<Reviewed, 'taken' | 'merged'>
  /** Seconds until a revision that is due but too soon after the last one for a state of this size; else null. */
  settlesIn: number | null
}

/** What changed of emerging insights, which `descriptions`, `events` and `touched` of the result leave out. */
export type EmergingChanges = {
  descriptions: StepResult['descriptions']
  /** Insights whose mentions changed. */
  touched: number[]
  /** Insights without mentions: they became part of another, or their mentions moved to several. */
  ended: number[]
}

/** What follows from the answers of a language model so far, and what else to ask it. */
export type Judgement = { outcome: JudgeOutcome; questions: JudgeQuestion[] }

/** New statements, one array literal of PostgreSQL for each column. */
export type StatementColumns = {
  count: number
  itemIds: string
  numbers: string
  starts: string
  ends: string
  kinds: string
  issues: string
  emerging: string
  scores: string
  reasons: string
  candidates: string
  saidAt: string
  points: string
  readKinds: string
  feedbackKinds: string
  kindBy: string
  subjectless: string
}

/** Kinds of statements, one array literal of PostgreSQL for each column. */
export type KindColumns = {
  count: number
  itemIds: string
  numbers: string
  kinds: string
  by: string
  subjectless: string
}

/** Statements that move, one array literal of PostgreSQL for each column. */
export type MoveColumns = {
  count: number
  itemIds: string
  numbers: string
  issues: string
  emerging: string
  scores: string
  reasons: string
  candidates: string
}

/** `unknown`: the thread has no state of this workspace at this version; the caller opens it and sends the request again. */
export type Answer =
  | { id: number; kind: 'done' }
  | { id: number; kind: 'prepared'; statements: PreparedStatement[] }
  | { id: number; kind: 'lacking'; statementIds: string[] }
  | { id: number; kind: 'regrouped'; regrouped: Regrouped }
  | { id: number; kind: 'unknown' }
  /** the state must be taught first */
  | { id: number; kind: 'untaught' }
  | { id: number; kind: 'outdated' }
  | { id: number; kind: 'step'; result: StepResult }
  | { id: number; kind: 'themes'; themes: PlannedTheme[] }
  | { id: number; kind: 'judged'; judgement: Judgement }
  | { id: number; kind: 'failed'; message: string; stack: string | undefined }
