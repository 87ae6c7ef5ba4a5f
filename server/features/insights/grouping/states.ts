import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import {
  advise,
  assign,
  attachVectors,
  type Changes,
  type Constraints,
  continueIssues,
  correct,
  createState,
  deserialize,
  forget,
  foundEmerging,
  hasStatements,
  type JudgeAnswer,
  judgeOutcome,
  judgeQuestions,
  type KnownThemes,
  loadConstraints,
  lockIssue,
  type PlannedTheme,
  planRevision,
  planThemes,
  reclassify,
  removeIssue,
  replay,
  restoreIssue,
  review,
  revise,
  revisionDelay,
  type State,
  serialize,
  statementsWithoutVector,
  type TaughtStatement,
  type Teaching,
  teach,
  useSpace,
} from '@groundswell/engine/index.ts'
import { statementColumns } from './columns.ts'
import { Descriptions } from './descriptions.ts'
import { type DecidedKind, decideKind, isTaught, KeptKinds, kindColumns, reclassifiedBy, withSubject } from './kinds.ts'
import type { Judgement, Regrouped, ReplayedStatement, Step, StepResult } from './protocol.ts'
import { regroupAll } from './regroup-state.ts'
import { replayedDecision, replayedId, replayedStatement, statementsOf } from './statements.ts'
import { splitChanges } from './step-changes.ts'
import type { GroupingModel } from './vector-source.ts'

type LoadedState = {
  state: State
  version: number
  descriptions: Descriptions
  /** The statements assigned since the snapshot: they are replayed with the decisions that are stored by then. */
  recent: Set<string>
  /** Late vectors since the snapshot. */
  attached: number
  statements: number
  bytes: number
  revisedAt: number
  /** for the next step, by statement id */
  vectors: Map<string, Float32Array>
  /** what people's kinds teach, and which version of it; '' for none */
  teaching: Teaching | undefined
  taught: string
}

/** Approximate memory for all states together; the one in use always stays. */
const MAX_BYTES = 256 * 1024 * 1024
/** A state takes about this many times the memory of its compressed snapshot. */
const HEAP_FACTOR = 16
const STATEMENT_BYTES = 1_500
const MIN_SNAPSHOT_STATEMENTS = 500

/** The group states of the most recently used workspaces, in the grouping thread. */
export class GroupingStates {
  readonly #loaded = new Map<string, LoadedState>()
  readonly #limit: number
  readonly #clock: () => number

  constructor(limitBytes: number = MAX_BYTES, clock: () => number = () => performance.now()) {
    this.#limit = limitBytes
    this.#clock = clock
  }

  /**
   * Loads a snapshot, or creates an empty state; usable after `ready`. A state of another model than `model` keeps its groups and loses its
   * vectors. Throws `StateVersionError` when the snapshot is of another engine version.
   */
  open(workspaceId: string, snapshot: Uint8Array | null, model: GroupingModel | null): void {
    const { space = '', languages = null } = model ?? {}
    const state = snapshot ? deserialize(zstdDecompressSync(snapshot)) : createState({ space, languages })
    if (model) useSpace(state, space, languages)
    this.#loaded.set(workspaceId, {
      state,
      version: -1,
      descriptions: new Descriptions(),
      recent: new Set(),
      attached: 0,
      statements: 0,
      bytes: snapshot?.byteLength ?? 0,
      revisedAt: Number.NEGATIVE_INFINITY,
      vectors: new Map(),
      teaching: undefined,
      taught: '',
    })
  }

  /** Loads people's constraints into an empty state, before anything is replayed. */
  loadConstraints(workspaceId: string, constraints: Constraints): void {
    loadConstraints(this.#get(workspaceId).state, constraints)
  }

  /** Applies stored decisions made after the snapshot, in the order in which they were made. */
  replay(workspaceId: string, rows: readonly ReplayedStatement[]): void {
    const loaded = this.#get(workspaceId)
    replay(loaded.state, rows.map(replayedStatement), rows.map(replayedDecision))
    for (const row of rows) loaded.recent.add(replayedId(row))
    loaded.statements += rows.length
  }

  /** Ids of the statements whose vectors the state lacks. */
  lacking(workspaceId: string): string[] {
    return statementsWithoutVector(this.#get(workspaceId).state)
  }

  /** Replaces what people's kinds teach, if the state is still loaded. */
  teach(workspaceId: string, taught: string, statements: readonly TaughtStatement[]): void {
    const loaded = this.#loaded.get(workspaceId)
    if (!loaded) return
    loaded.teaching = statements.length > 0 ? teach(statements) : undefined
    loaded.taught = taught
  }

  /** Whether the state, if it is loaded, was taught this version of people's kinds. */
  lacksTeaching(workspaceId: string, taught: string | null): boolean {
    const loaded = this.#loaded.get(workspaceId)
    return loaded !== undefined && taught !== null && loaded.taught !== taught
  }

  /** Sets the version of the loaded state. `removed`, `locked`: insights that a person deleted or locked. */
  ready(workspaceId: string, version: number, removed: readonly number[], locked: readonly number[]): void {
    const loaded = this.#get(workspaceId)
    for (const issueId of locked) lockIssue(loaded.state, issueId, true)
    for (const issueId of removed) removeIssue(loaded.state, issueId)
    loaded.version = version
    this.#evict(workspaceId)
  }

  /** What follows from a language model's answers, and at most `limit` further questions. Null when there is no state at that version. */
  judge(workspaceId: string, version: number, limit: number, answers: readonly JudgeAnswer[]): Judgement | null {
    const loaded = this.#loaded.get(workspaceId)
    if (loaded?.version !== version) return null
    return { outcome: judgeOutcome(loaded.state, answers), questions: judgeQuestions(loaded.state, limit, answers) }
  }

  /** The themes of the insights in the state, with the known ones continued. Null when there is no state at that version. */
  themes(workspaceId: string, version: number, known: KnownThemes): PlannedTheme[] | null {
    const loaded = this.#loaded.get(workspaceId)
    return loaded?.version === version ? planThemes(loaded.state, known) : null
  }

  drop(workspaceId: string): void {
    this.#loaded.delete(workspaceId)
  }

  /** Takes one step, or returns null when there is no state of this workspace at that version and of that model. */
  step(workspaceId: string, step: Step): StepResult | null {
    const loaded = this.#loaded.get(workspaceId)
    if (loaded?.version !== step.version || (step.space !== null && loaded.state.space !== step.space)) {
      this.#loaded.delete(workspaceId)
      return null
    }
    this.#loaded.delete(workspaceId)
    const result = this.#take(loaded, step)
    loaded.version = result.version
    this.#loaded.set(workspaceId, loaded)
    this.#evict(workspaceId)
    return result
  }

  /** Keeps vectors for the next step. A state of another model is dropped: the step then reports it as missing. */
  giveVectors(workspaceId: string, space: string, vectors: Map<string, Float32Array>): void {
    const loaded = this.#loaded.get(workspaceId)
    if (loaded?.state.space === space) loaded.vectors = vectors
    else this.#loaded.delete(workspaceId)
  }

  /** Revises all groups of a state in place and returns the changes. `settled`: see `Step`. */
  regroup(workspaceId: string, settled: readonly number[]): Regrouped {
    const loaded = this.#get(workspaceId)
    const { changes, touched, overlaps, suggestions } = regroupAll(loaded.state, new Set(settled))
    const descriptions = loaded.descriptions.of(loaded.state, touched, changes)
    const result: StepResult = {
      version: loaded.version + 1,
      statements: statementColumns([], [], []),
      kinds: kindColumns(new Map()),
      keptKinds: [],
      ...splitChanges({ changes, touched, descriptions }),
      suggestions,
      snapshot: compress(loaded.state),
      advised: [],
      founded: [],
      reviewed: { taken: [], merged: [] },
      settlesIn: null,
    }
    return { result, overlaps }
  }

  #take(loaded: LoadedState, step: Step): StepResult {
    const { state } = loaded
    const changes: Changes = { events: [], moves: [] }
    const touched = new Map<number, number>()
    const touch = (issueId: number | null | undefined, gained: number): void => {
      if (issueId) touched.set(issueId, (touched.get(issueId) ?? 0) + gained)
    }
    const kinds = new Map(step.kinds.map((one) => [one.statementId, decideKind(one, loaded.teaching)]))
    if (step.late) {
      const late = step.late.map((one) => withSubject(one, kinds.get(one.statementId)))
      collect(changes, attachVectors(state, late))
      loaded.attached += step.late.length
    }
    const reclassified = reclassifiedBy(step, kinds)
    if (reclassified.length > 0) collect(changes, reclassify(state, reclassified))
    if (step.forget.length > 0) collect(changes, forget(state, step.forget))
    for (const issueId of step.remove) removeIssue(state, issueId)
    for (const issueId of step.restore) restoreIssue(state, issueId)
    for (const issueId of [...step.remove, ...step.restore]) touch(issueId, 0)
    if (step.correction) {
      collect(changes, correct(state, step.correction))
    }
    const advised = step.advice.length > 0 ? advise(state, step.advice) : null
    if (advised) collect(changes, advised)
    const founded = step.founded.length > 0 ? foundEmerging(state, step.founded) : null
    if (founded) collect(changes, founded)
    const decided = step.reviewed.moves.length + step.reviewed.merges.length
    const reviewed = decided > 0 ? review(state, step.reviewed) : null
    if (reviewed) collect(changes, reviewed)
    // Sorted differently, not said again.
    const resorted = new Set(reviewed?.moves.map(({ statementId }) => statementId))

    const statements = step.items.flatMap(statementsOf)
    continueIssues(state, statements)
    const kept = new KeptKinds(step.keptKinds)
    const decidedKinds = statements.map((one) =>
      decideKind({ text: one.text, set: kept.of(one), read: one.kind }, loaded.teaching),
    )
    for (const [place, one] of statements.entries()) {
      const { subjectless, by } = decidedKinds[place] as DecidedKind
      one.subjectless = subjectless
      one.taught = isTaught(by)
      const vector = loaded.vectors.get(one.id)
      if (vector) one.vector = vector
      loaded.recent.add(one.id)
    }
    loaded.vectors = new Map()
    const { decisions } = assign(state, statements)
    const joined = new Set<string>()
    for (const decision of decisions) {
      touch(decision.issueId, 1)
      if (decision.issueId) joined.add(decision.statementId)
    }
    loaded.statements += statements.length

    const revision = planRevision(state, {
      idle: step.idle,
      settle: step.settle,
      correcting: step.correction !== null,
      sinceRevisionMs: this.#clock() - loaded.revisedAt,
      stateBytes: loaded.bytes,
    })
    const revises = revision === 'now'
    let suggestions: StepResult['suggestions']
    if (revises) {
      const revised = revise(state, { settled: new Set(step.settled) })
      collect(changes, revised)
      suggestions = revised.suggestions
      loaded.revisedAt = this.#clock()
    }
    for (const move of changes.moves) {
      touch(move.from, joined.delete(move.statementId) ? -1 : 0)
      touch(move.to, step.correction || resorted.has(move.statementId) ? 0 : 1)
    }
    // A mention that a person pinned to an insight brings it back within the step that emptied it.
    changes.events = changes.events.filter(
      ({ kind, issueId }) => (kind !== 'ended' && kind !== 'merged') || !hasStatements(state, issueId),
    )
    for (const event of changes.events) touch(event.issueId, 0)

    const descriptions = loaded.descriptions.of(state, touched, changes)
    for (const { issueId } of step.correction?.locks ?? []) touch(issueId, 0)
    const reshaped =
      revises ||
      step.correction !== null ||
      advised !== null ||
      founded !== null ||
      reviewed !== null ||
      step.forget.length > 0 ||
      step.remove.length > 0 ||
      step.restore.length > 0 ||
      reclassified.length > 0 ||
      changes.moves.some((move) => !loaded.recent.has(move.statementId))
    const sinceSnapshot = loaded.recent.size + loaded.attached
    const snapshot =
      reshaped || sinceSnapshot >= Math.max(MIN_SNAPSHOT_STATEMENTS, loaded.statements / 10) ? compress(state) : null
    if (snapshot) {
      loaded.recent.clear()
      loaded.attached = 0
      loaded.bytes = snapshot.byteLength
    }
    // Other processes must not continue with a state that lacks the late vectors.
    const changed = snapshot !== null || step.items.length > 0 || step.late !== null || kinds.size > 0
    return {
      version: changed ? step.version + step.items.length + 1 : step.version,
      statements: statementColumns(statements, decisions, decidedKinds),
      kinds: kindColumns(kinds),
      keptKinds: kept.found,
      ...splitChanges({ changes, touched, descriptions }),
      suggestions,
      snapshot,
      advised: advised?.taken ?? [],
      founded: founded?.taken ?? [],
      reviewed: { taken: reviewed?.taken ?? [], merged: reviewed?.merged ?? [] },
      settlesIn: revision === 'later' ? revisionDelay(loaded.bytes) : null,
    }
  }

  #get(workspaceId: string): LoadedState {
    const loaded = this.#loaded.get(workspaceId)
    if (!loaded) throw new Error('no state of this workspace is loaded')
    return loaded
  }

  /** Drops the least recently used states until the rest fits. */
  #evict(inUse: string): void {
    const sizes = [...this.#loaded].map(([id, loaded]) => [id, sizeOf(loaded)] as const)
    let total = sizes.reduce((sum, [, size]) => sum + size, 0)
    for (const [id, size] of sizes) {
      if (total <= this.#limit) return
      if (id === inUse) continue
      this.#loaded.delete(id)
      total -= size
    }
  }
}

/** Compressed, because it passes through the event loop and the database: a fifth of the bytes for a tenth of a second. */
function compress(state: State): Uint8Array {
  return zstdCompressSync(serialize(state), { params: { [constants.ZSTD_c_compressionLevel]: 1 } })
}

function sizeOf(loaded: LoadedState): number {
  return loaded.bytes * HEAP_FACTOR + (loaded.recent.size + loaded.attached) * STATEMENT_BYTES
}

function collect(all: Changes, more: Changes): void {
  for (const event of more.events) all.events.push(event)
  for (const move of more.moves) all.moves.push(move)
}
