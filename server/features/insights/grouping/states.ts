import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import {
  advise,
  assign,
  type BorderlineMatch,
  borderlineMatches,
  type Changes,
  type Constraints,
  correct,
  createState,
  type Decision,
  describe,
  deserialize,
  forget,
  hasStatements,
  loadConstraints,
  lockIssue,
  needsRename,
  planRevision,
  prepare,
  removeIssue,
  replay,
  restoreIssue,
  revise,
  revisionDelay,
  type SplitItem,
  type State,
  type Statement,
  StateVersionError,
  serialize,
} from '@groundswell/engine/index.ts'
import { moveColumns, numberOf, statementColumns } from './columns.ts'
import type { PreparedStatement, Regrouped, ReplayedStatement, Step, StepResult } from './protocol.ts'
import { regroupAll } from './regroup-state.ts'

type LoadedState = {
  state: State
  version: number
  /** How many mentions each insight had when it was last described. */
  described: Map<number, number>
  /** Mentions by insight, as far as this thread has added them. */
  mentions: Map<number, number>
  sinceSnapshot: number
  statements: number
  bytes: number
  revisedAt: number
  /** for the next step, by statement id */
  vectors: Map<string, Float32Array>
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

  /** Loads a snapshot, or creates an empty state; usable after `ready`. Throws `StateVersionError` when the snapshot is of another engine version or model. */
  open(workspaceId: string, snapshot: Uint8Array | null, space: string | null): void {
    const state = snapshot ? deserialize(zstdDecompressSync(snapshot)) : createState({ space: space ?? '' })
    if (space !== null && state.space !== space) throw new StateVersionError('the state is of another model')
    this.#loaded.set(workspaceId, {
      state,
      version: -1,
      described: new Map(),
      mentions: new Map(),
      sinceSnapshot: 0,
      statements: 0,
      bytes: snapshot?.byteLength ?? 0,
      revisedAt: Number.NEGATIVE_INFINITY,
      vectors: new Map(),
    })
  }

  /** Loads people's constraints into an empty state, before anything is replayed. */
  loadConstraints(workspaceId: string, constraints: Constraints): void {
    loadConstraints(this.#get(workspaceId).state, constraints)
  }

  /** Applies stored decisions made after the snapshot, in the order in which they were made. */
  replay(workspaceId: string, rows: readonly ReplayedStatement[]): void {
    const loaded = this.#get(workspaceId)
    replay(loaded.state, rows.map(statementOf), rows.map(decisionOf))
    loaded.sinceSnapshot += rows.length
    loaded.statements += rows.length
  }

  /** Sets the version of the loaded state. `removed`, `locked`: insights that a person deleted or locked. */
  ready(workspaceId: string, version: number, removed: readonly number[], locked: readonly number[]): void {
    const loaded = this.#get(workspaceId)
    for (const issueId of locked) lockIssue(loaded.state, issueId, true)
    for (const issueId of removed) removeIssue(loaded.state, issueId)
    loaded.version = version
    this.#evict(workspaceId)
  }

  /**
   * Mentions that nearly joined an insight, without those in `asked` (`statementId issueId`). Null when there is no state at that version.
   */
  undecided(workspaceId: string, version: number, limit: number, asked: readonly string[]): BorderlineMatch[] | null {
    const loaded = this.#loaded.get(workspaceId)
    if (loaded?.version !== version) return null
    const known = new Set(asked)
    return borderlineMatches(loaded.state, limit, (statementId, issueId) => known.has(`${statementId} ${issueId}`))
  }

  drop(workspaceId: string): void {
    this.#loaded.delete(workspaceId)
  }

  /** Takes one step, or returns null when there is no state of this workspace at that version. */
  step(workspaceId: string, step: Step): StepResult | null {
    const loaded = this.#loaded.get(workspaceId)
    if (!loaded || loaded.version !== step.version) {
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

  /** Revises all groups of a state in place and returns the changes. */
  regroup(workspaceId: string): Regrouped {
    const loaded = this.#get(workspaceId)
    const { changes, touched, overlaps } = regroupAll(loaded.state)
    const result: StepResult = {
      version: loaded.version + 1,
      statements: statementColumns([], []),
      moves: moveColumns(changes),
      events: changes.events,
      descriptions: describeTouched(loaded, touched, changes),
      touched: [...touched].map(([issueId, gained]) => ({ issueId, gained })),
      snapshot: compress(loaded.state),
      advised: [],
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
    if (step.forget.length > 0) collect(changes, forget(state, step.forget))
    for (const issueId of step.remove) removeIssue(state, issueId)
    for (const issueId of step.restore) restoreIssue(state, issueId)
    for (const issueId of [...step.remove, ...step.restore]) touch(issueId, 0)
    if (step.correction) {
      collect(changes, correct(state, step.correction))
    }
    const advised = step.advice.length > 0 ? advise(state, step.advice) : null
    if (advised) collect(changes, advised)

    const statements = step.items.flatMap(statementsOf)
    for (const one of statements) withVector(one, loaded.vectors.get(one.id))
    loaded.vectors = new Map()
    const { decisions } = assign(state, statements)
    const joined = new Set<string>()
    for (const decision of decisions) {
      touch(decision.issueId, 1)
      if (decision.issueId) joined.add(decision.statementId)
    }
    loaded.sinceSnapshot += statements.length
    loaded.statements += statements.length

    const revision = planRevision(state, {
      idle: step.idle,
      settle: step.settle,
      correcting: step.correction !== null,
      sinceRevisionMs: this.#clock() - loaded.revisedAt,
      stateBytes: loaded.bytes,
    })
    const revises = revision === 'now'
    if (revises) {
      collect(changes, revise(state))
      loaded.revisedAt = this.#clock()
    }
    for (const move of changes.moves) {
      touch(move.from, joined.delete(move.statementId) ? -1 : 0)
      touch(move.to, step.correction ? 0 : 1)
    }
    // A mention that a person pinned to an insight brings it back within the step that emptied it.
    changes.events = changes.events.filter(
      ({ kind, issueId }) => (kind !== 'ended' && kind !== 'merged') || !hasStatements(state, issueId),
    )
    for (const event of changes.events) touch(event.issueId, 0)

    const descriptions = describeTouched(loaded, touched, changes)
    for (const { issueId } of step.correction?.locks ?? []) touch(issueId, 0)
    const reshaped =
      revises ||
      step.correction !== null ||
      advised !== null ||
      step.forget.length > 0 ||
      step.remove.length > 0 ||
      step.restore.length > 0 ||
      changes.moves.length > 0
    const snapshot =
      reshaped || loaded.sinceSnapshot >= Math.max(MIN_SNAPSHOT_STATEMENTS, loaded.statements / 10)
        ? compress(state)
        : null
    if (snapshot) {
      loaded.sinceSnapshot = 0
      loaded.bytes = snapshot.byteLength
    }
    return {
      version: snapshot || step.items.length > 0 ? step.version + step.items.length + 1 : step.version,
      statements: statementColumns(statements, decisions),
      moves: moveColumns(changes),
      events: changes.events,
      descriptions,
      touched: [...touched].map(([issueId, gained]) => ({ issueId, gained })),
      snapshot,
      advised: advised?.taken ?? [],
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
  return loaded.bytes * HEAP_FACTOR + loaded.sinceSnapshot * STATEMENT_BYTES
}

function collect(all: Changes, more: Changes): void {
  for (const event of more.events) all.events.push(event)
  for (const move of more.moves) all.moves.push(move)
}

/** The statements that a step will extract from these items. */
export function prepareItems(items: Step['items']): PreparedStatement[] {
  return items.flatMap((item) =>
    statementsOf(item).map(({ id, itemId, text }) => ({ itemId, number: numberOf(id), text })),
  )
}

/** An item that the engine cannot split has no statements: it must not block all others. */
function statementsOf(item: SplitItem): Statement[] {
  try {
    return prepare(item)
  } catch {
    return []
  }
}

function statementOf(row: ReplayedStatement): Statement {
  return {
    id: `${row.itemId}:${row.number}`,
    itemId: row.itemId,
    text: row.text,
    start: row.start,
    end: row.end,
    at: row.at,
    ...(row.author === null ? {} : { author: row.author }),
    ...(row.thread === null ? {} : { thread: row.thread }),
    ...(row.vector ? { vector: row.vector } : {}),
  }
}

function withVector(statement: Statement, vector: Float32Array | undefined): void {
  if (vector) statement.vector = vector
}

function decisionOf(row: ReplayedStatement): Decision {
  return {
    statementId: `${row.itemId}:${row.number}`,
    kind: row.kind,
    score: row.score,
    reason: row.reason,
    ...(row.issueId === null ? {} : { issueId: row.issueId }),
  }
}

/** Names and summaries of the insights that are new to this thread, were restructured, or have grown enough for another name. */
function describeTouched(
  loaded: LoadedState,
  touched: Map<number, number>,
  changes: Changes,
): StepResult['descriptions'] {
  const gone = new Set<number>()
  const reshaped = new Set<number>()
  for (const event of changes.events) {
    if (event.kind === 'ended' || event.kind === 'merged') gone.add(event.issueId)
    else reshaped.add(event.issueId)
    if (event.kind === 'merged') reshaped.add(event.into)
    if (event.kind === 'split') for (const issueId of event.into) reshaped.add(issueId)
  }
  for (const move of changes.moves) {
    if (move.to) reshaped.add(move.to)
    if (move.from) reshaped.add(move.from)
  }
  const descriptions: StepResult['descriptions'] = []
  for (const [issueId, gained] of touched) {
    if (gone.has(issueId)) {
      loaded.described.delete(issueId)
      continue
    }
    const mentions = (loaded.mentions.get(issueId) ?? 0) + gained
    loaded.mentions.set(issueId, mentions)
    const describedMentions = loaded.described.get(issueId)
    if (!needsRename({ mentions, describedMentions, reshaped: reshaped.has(issueId) })) continue
    loaded.described.set(issueId, mentions)
    const { name, summary, hash } = describe(loaded.state, issueId)
    descriptions.push({ issueId, name, summary, hash })
  }
  return descriptions
}
