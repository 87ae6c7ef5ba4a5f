import type { Candidate, Changes, LineageEvent, Move } from '../model.ts'
import { countItems, type Issue, isEcho, type Node, placeNode, type State } from './state.ts'

/** An issue is visible from this many different items on. */
const MIN_VISIBLE_ITEMS = 2
/** The reason of a statement that a revision placed. */
export const REASON_GROUP = 'says the same as the rest of the group'
/** The reasons of a statement that a revision moved out of an issue that people had settled: to another one, or to none. */
export const REASON_CLEARER = 'clearly nearer to this group than to the one before'
/** The reason of a statement that a revision moved out of a settled issue to none. */
export const REASON_CLEARLY_OUT = 'clearly too far from the rest of the group'
/** The reason of a move by meaning alone. */
export const REASON_MEANING = 'means nearly the same'
/** The reason of a statement that follows the first one of its conversation. */
export const REASON_CONVERSATION = 'same conversation'

/**
 * Moves nodes and derives what changed: which statements moved, and which issues were born, promoted, split, merged
 * or ended. A statement that moves several times has one move, from where it was first to where it is last; one that
 * returns has none.
 */
export class ChangeRecorder {
  #state: State
  #settled: ReadonlySet<number>
  #born = new Set<number>()
  /** by statement */
  #moves = new Map<string, Move>()
  /** statements that are new to the state, see `recordEntry` */
  #entries = new Set<string>()
  /** statements moved from one issue to another */
  #flows = new Map<number, Map<number, number>>()
  #sizes: Map<number, number>
  /** see `closeEmpty` */
  #closed = new Map<number, Issue>()

  /** `settled`: see `revise` */
  constructor(state: State, settled: ReadonlySet<number> = new Set()) {
    this.#state = state
    this.#settled = settled
    this.#sizes = new Map([...state.issues.values()].map((issue) => [issue.id, issue.mentions]))
  }

  /** Records that an issue was created in this change. */
  recordBirth(issueId: number): void {
    this.#born.add(issueId)
  }

  /**
   * Puts a node into an issue (0: none) and records a move for each of its statements. Those that follow because of their conversation are not
   * like the group themselves.
   */
  move(index: number, issueId: number, score: number, why?: string): void {
    const node = this.#state.nodes[index] as Node
    const from = node.issue
    if (from === issueId) return
    for (const follower of node.followers) this.#record(follower, { from, to: issueId }, score, why)
    placeNode(this.#state, index, issueId)
  }

  #record(follower: number, { from, to }: { from: number; to: number }, score: number, why: string | undefined): void {
    const statementId = this.#state.statementIds[follower] as string
    const earlier = this.#moves.get(statementId)
    const origin = earlier ? (earlier.from ?? 0) : from
    if (earlier) this.#count(origin, earlier.to ?? 0, -1)
    this.#moves.delete(statementId)
    if (to === origin && !this.#entries.has(statementId)) return
    this.#count(origin, to, 1)
    const isByLikeness = why === undefined || why === REASON_MEANING
    const reason =
      isByLikeness && this.#settled.has(origin)
        ? to > 0
          ? REASON_CLEARER
          : REASON_CLEARLY_OUT
        : (why ?? (to > 0 ? REASON_GROUP : 'no longer near the rest of the group'))
    const move: Move = {
      statementId,
      to: to > 0 ? to : null,
      score: Math.round(score * 1_000) / 1_000,
      reason: isByLikeness && isEcho(this.#state, follower) ? REASON_CONVERSATION : reason,
    }
    if (origin > 0) move.from = origin
    this.#moves.set(statementId, move)
  }

  #count(from: number, to: number, change: 1 | -1): void {
    if (from === 0) return
    const flow = this.#flows.get(from) ?? new Map<number, number>()
    flow.set(to, (flow.get(to) ?? 0) + change)
    this.#flows.set(from, flow)
  }

  /** Adds to the recorded moves what each node was compared with. */
  addCandidates(candidates: Map<number, Candidate[]>): void {
    for (const move of this.#moves.values()) {
      const index = this.#state.statementIndex.get(move.statementId)
      const found = index === undefined ? undefined : candidates.get(this.#state.statementNodes[index] as number)
      if (found && found.length > 0) move.candidates = found
    }
  }

  /** Records that a statement new to the state was put into an issue (0: none). */
  recordEntry(statementId: string, issueId: number, score: number, reason: string): void {
    this.#entries.add(statementId)
    this.#moves.set(statementId, { statementId, to: issueId > 0 ? issueId : null, score, reason })
  }

  /** The issue that received more than half of an issue that is now empty, if any. */
  successorOf(issue: Issue): number | undefined {
    const flow = issue.mentions === 0 ? this.#flows.get(issue.id) : undefined
    const successor =
      flow && [...flow].filter(([to, count]) => to > 0 && count > 0).sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]
    return successor && successor[1] * 2 > (this.#sizes.get(issue.id) ?? 0) ? successor[0] : undefined
  }

  /** Ends the issues that are empty now, before the last move: what refers to them then means where most of them went so far. */
  closeEmpty(): void {
    const { issues, successors } = this.#state
    for (const issue of issues.values()) if (issue.mentions === 0 && !issue.removed) this.#closed.set(issue.id, issue)
    for (const issue of this.#closed.values()) {
      issues.delete(issue.id)
      const successor = this.successorOf(issue)
      if (successor === undefined) successors.delete(issue.id)
      else successors.set(issue.id, successor)
    }
  }

  /**
   * Updates each issue's visibility and returns all changes, by issue number. With `merged`, only these issues count
   * as merged; any other empty issue has ended.
   */
  changes(merged?: ReadonlySet<number>): Changes {
    const events: LineageEvent[] = []
    for (const issue of [...this.#closed.values(), ...this.#state.issues.values()].sort((a, b) => a.id - b.id)) {
      // What came and went within this change never was.
      if (issue.mentions === 0 && this.#born.has(issue.id)) {
        this.#state.issues.delete(issue.id)
        continue
      }
      const shown = !issue.removed && countItems(this.#state, issue, MIN_VISIBLE_ITEMS) >= MIN_VISIBLE_ITEMS
      if (this.#born.has(issue.id)) events.push({ kind: 'born', issueId: issue.id })
      else if (shown && !issue.visible && !issue.removed) events.push({ kind: 'promoted', issueId: issue.id })
      issue.visible = shown
      const size = this.#sizes.get(issue.id) ?? 0
      const flow = this.#flows.get(issue.id)
      if (issue.mentions === 0) {
        const successor = merged && !merged.has(issue.id) ? undefined : this.successorOf(issue)
        if (successor !== undefined) {
          events.push({ kind: 'merged', issueId: issue.id, into: successor })
          if (!issue.removed) this.#state.successors.set(issue.id, successor)
        } else {
          this.#state.successors.delete(issue.id)
          if (size > 0) events.push({ kind: 'ended', issueId: issue.id })
        }
        if (!issue.removed) this.#state.issues.delete(issue.id)
      } else if (flow) {
        const into = [...flow].filter(([to, count]) => this.#born.has(to) && count > 0).map(([to]) => to)
        if (into.length > 0) events.push({ kind: 'split', issueId: issue.id, into: into.sort((a, b) => a - b) })
      }
    }
    return { events, moves: [...this.#moves.values()] }
  }
}
