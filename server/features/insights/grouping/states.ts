import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import {
  advise,
  assign,
  type Changes,
  correct,
  createState,
  type Decision,
  describe,
  deserialize,
  forget,
  isAlive,
  lockIssue,
  needsRevision,
  prepare,
  recall,
  removeIssue,
  replay,
  restoreIssue,
  revise,
  type Sayings,
  type SplitItem,
  type State,
  type Statement,
  StateVersionError,
  serialize,
  type Undecided,
  undecided,
} from '@groundswell/engine/index.ts'
import { numberArray, textArray } from '../array-literal.ts'
import type {
  MoveColumns,
  PreparedStatement,
  Regrouped,
  ReplayedStatement,
  StatementColumns,
  Step,
  StepResult,
} from './protocol.ts'
import { regroupAll } from './regroup-state.ts'

type Held = {
  state: State
  version: number
  /** How many mentions each issue had when it was last described. */
  described: Map<number, number>
  /** Mentions by issue, as far as this thread has seen them come. */
  mentions: Map<number, number>
  sinceSnapshot: number
  statements: number
  bytes: number
  revisedAt: number
  /** of what the next step places, by statement id */
  vectors: Map<string, Float32Array>
}

/** Together the states may take about this much memory; the one in use always stays. */
const LIMIT_BYTES = 256 * 1024 * 1024
/** A state in memory is about this many times its packed snapshot. */
const HEAP_FACTOR = 16
const STATEMENT_BYTES = 1_500
const SNAPSHOT_ITEMS = 500
/** An issue is named anew when it has grown by this much. */
const GROWTH = 1.25
/** A quiet workspace is revised again after a millisecond for each of so many bytes of its packed state. */
const BYTES_PER_MS = 250
const SHORT_PAUSE_SECONDS = 2
const LONG_PAUSE_SECONDS = 60

/**
 * Seconds until a revision that had to wait. Of two lengths only, so that the requests of one stretch of time become one: what a
 * small workspace was just told shows within seconds.
 */
function pauseFor(bytes: number): number {
  return bytes / BYTES_PER_MS <= SHORT_PAUSE_SECONDS * 1000 ? SHORT_PAUSE_SECONDS : LONG_PAUSE_SECONDS
}

/** The group indexes of the workspaces used last, kept in the grouping thread. */
export class GroupingStates {
  readonly #held = new Map<string, Held>()
  readonly #limit: number
  readonly #clock: () => number

  constructor(limitBytes: number = LIMIT_BYTES, clock: () => number = () => performance.now()) {
    this.#limit = limitBytes
    this.#clock = clock
  }

  /** Begins with a snapshot, or empty. The state is usable after `ready`. Throws when the snapshot is of another version or another model. */
  open(workspaceId: string, snapshot: Uint8Array | null, space: string | null): void {
    const state = snapshot ? deserialize(zstdDecompressSync(snapshot)) : createState({ space: space ?? '' })
    if (space !== null && state.space !== space) throw new StateVersionError('the state is of another model')
    this.#held.set(workspaceId, {
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
  loadConstraints(workspaceId: string, constraints: Sayings): void {
    recall(this.#get(workspaceId).state, constraints)
  }

  /** Applies what was decided after the snapshot, in the order in which it was decided. */
  replay(workspaceId: string, rows: readonly ReplayedStatement[]): void {
    const held = this.#get(workspaceId)
    replay(held.state, rows.map(statementOf), rows.map(decisionOf))
    held.sinceSnapshot += rows.length
    held.statements += rows.length
  }

  /** Says at which version the state stands now. `removed` are the issues that a person deleted, `locked` those locked. */
  ready(workspaceId: string, version: number, removed: readonly number[], locked: readonly number[]): void {
    const held = this.#get(workspaceId)
    for (const issueId of locked) lockIssue(held.state, issueId, true)
    for (const issueId of removed) removeIssue(held.state, issueId)
    held.version = version
    this.#evict(workspaceId)
  }

  /** What was nearly joined, but for what is `asked`: `statementId issueId`. Null when there is no state at that version. */
  undecided(workspaceId: string, version: number, limit: number, asked: readonly string[]): Undecided[] | null {
    const held = this.#held.get(workspaceId)
    if (held?.version !== version) return null
    const known = new Set(asked)
    return undecided(held.state, limit, (statementId, issueId) => known.has(`${statementId} ${issueId}`))
  }

  drop(workspaceId: string): void {
    this.#held.delete(workspaceId)
  }

  /** Takes one step, or returns null when there is no state of this workspace at that version. */
  step(workspaceId: string, step: Step): StepResult | null {
    const held = this.#held.get(workspaceId)
    if (!held || held.version !== step.version) {
      this.#held.delete(workspaceId)
      return null
    }
    this.#held.delete(workspaceId)
    const result = this.#take(held, step)
    held.version = result.version
    this.#held.set(workspaceId, held)
    this.#evict(workspaceId)
    return result
  }

  /** Keeps vectors for the next step. A state of another model is dropped: the step then asks for the right one. */
  giveVectors(workspaceId: string, space: string, vectors: Map<string, Float32Array>): void {
    const held = this.#held.get(workspaceId)
    if (held?.state.space === space) held.vectors = vectors
    else this.#held.delete(workspaceId)
  }

  /** Looks at all groups of a state anew, as a revision does, and says what that changes. The state has changed then. */
  regroup(workspaceId: string): Regrouped {
    const held = this.#get(workspaceId)
    const { changes, touched, overlaps } = regroupAll(held.state)
    const result: StepResult = {
      version: held.version + 1,
      statements: statementColumns([], []),
      moves: moveColumns(changes),
      events: changes.events,
      descriptions: describeTouched(held, touched, changes),
      touched: [...touched].map(([issueId, gained]) => ({ issueId, gained })),
      snapshot: pack(held.state),
      advised: [],
      settlesIn: null,
    }
    return { result, overlaps }
  }

  #take(held: Held, step: Step): StepResult {
    const { state } = held
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
    for (const one of statements) withVector(one, held.vectors.get(one.id))
    held.vectors = new Map()
    const { decisions } = assign(state, statements)
    const joined = new Set<string>()
    for (const decision of decisions) {
      touch(decision.issueId, 1)
      if (decision.issueId) joined.add(decision.statementId)
    }
    held.sinceSnapshot += statements.length
    held.statements += statements.length

    const quiet = this.#clock() - held.revisedAt >= held.bytes / BYTES_PER_MS
    const pays = needsRevision(state, { idle: step.idle })
    const revises = pays && !step.correction && (!step.idle || quiet || step.settle || needsRevision(state))
    if (revises) {
      collect(changes, revise(state))
      held.revisedAt = this.#clock()
    }
    for (const move of changes.moves) {
      touch(move.from, joined.delete(move.statementId) ? -1 : 0)
      touch(move.to, step.correction ? 0 : 1)
    }
    // What a person pinned to an issue brings it back within the step that emptied it.
    changes.events = changes.events.filter(
      ({ kind, issueId }) => (kind !== 'ended' && kind !== 'merged') || !isAlive(state, issueId),
    )
    for (const event of changes.events) touch(event.issueId, 0)

    const descriptions = describeTouched(held, touched, changes)
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
      reshaped || held.sinceSnapshot >= Math.max(SNAPSHOT_ITEMS, held.statements / 10) ? pack(state) : null
    if (snapshot) {
      held.sinceSnapshot = 0
      held.bytes = snapshot.byteLength
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
      settlesIn: pays && !revises ? pauseFor(held.bytes) : null,
    }
  }

  #get(workspaceId: string): Held {
    const held = this.#held.get(workspaceId)
    if (!held) throw new Error('this workspace has no state in the thread')
    return held
  }

  /** Lets go of the states used longest ago until the rest fits. */
  #evict(inUse: string): void {
    const sizes = [...this.#held].map(([id, held]) => [id, sizeOf(held)] as const)
    let total = sizes.reduce((sum, [, size]) => sum + size, 0)
    for (const [id, size] of sizes) {
      if (total <= this.#limit) return
      if (id === inUse) continue
      this.#held.delete(id)
      total -= size
    }
  }
}

/** Packed, because it goes through the event loop and the database: a fifth of the bytes for a tenth of a second. */
function pack(state: State): Uint8Array {
  return zstdCompressSync(serialize(state), { params: { [constants.ZSTD_c_compressionLevel]: 1 } })
}

function sizeOf(held: Held): number {
  return held.bytes * HEAP_FACTOR + held.sinceSnapshot * STATEMENT_BYTES
}

function collect(all: Changes, more: Changes): void {
  for (const event of more.events) all.events.push(event)
  for (const move of more.moves) all.moves.push(move)
}

/** What a step will make of these items. */
export function prepareItems(items: Step['items']): PreparedStatement[] {
  return items.flatMap((item) =>
    statementsOf(item).map(({ id, itemId, text }) => ({ itemId, number: numberOf(id), text })),
  )
}

/** Text that the engine cannot take apart is kept as an item without statements: it must not hold up all others. */
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

/** Names and summaries of the issues that are new to this thread, changed their shape, or have grown much. */
function describeTouched(held: Held, touched: Map<number, number>, changes: Changes): StepResult['descriptions'] {
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
      held.described.delete(issueId)
      continue
    }
    const mentions = (held.mentions.get(issueId) ?? 0) + gained
    held.mentions.set(issueId, mentions)
    const before = held.described.get(issueId)
    if (before !== undefined && !reshaped.has(issueId) && mentions < before * GROWTH) continue
    held.described.set(issueId, mentions)
    const { name, summary, hash } = describe(held.state, issueId)
    descriptions.push({ issueId, name, summary, hash })
  }
  return descriptions
}

function statementColumns(statements: readonly Statement[], decisions: readonly Decision[]): StatementColumns {
  return {
    count: statements.length,
    itemIds: numberArray(statements.map((statement) => statement.itemId)),
    numbers: numberArray(statements.map((statement) => numberOf(statement.id))),
    starts: numberArray(statements.map((statement) => statement.start)),
    ends: numberArray(statements.map((statement) => statement.end)),
    kinds: textArray(decisions.map((decision) => decision.kind)),
    issues: numberArray(decisions.map((decision) => (decision.kind === 'joined' ? (decision.issueId ?? null) : null))),
    scores: numberArray(decisions.map((decision) => decision.score)),
    reasons: textArray(decisions.map((decision) => decision.reason)),
    candidates: textArray(
      decisions.map(({ candidates }) => (candidates && candidates.length > 0 ? JSON.stringify(candidates) : null)),
    ),
    saidAt: textArray(statements.map((statement) => new Date(statement.at).toISOString())),
  }
}

/** The last move of each statement counts: one step may move a statement twice. */
function moveColumns(changes: Changes): MoveColumns {
  const moves = [...new Map(changes.moves.map((move) => [move.statementId, move])).values()]
  return {
    count: moves.length,
    itemIds: numberArray(moves.map((move) => move.statementId.slice(0, move.statementId.lastIndexOf(':')))),
    numbers: numberArray(moves.map((move) => numberOf(move.statementId))),
    issues: numberArray(moves.map((move) => move.to ?? null)),
    scores: numberArray(moves.map((move) => move.score)),
    reasons: textArray(moves.map((move) => move.reason)),
    candidates: textArray(moves.map(({ candidates }) => (candidates ? JSON.stringify(candidates) : null))),
  }
}

function numberOf(statementId: string): number {
  return Number(statementId.slice(statementId.lastIndexOf(':') + 1))
}
