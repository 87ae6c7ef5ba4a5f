import { readFileSync } from 'node:fs'
import { assign } from '@groundswell/engine/clustering/assign.ts'
import type { Tuning } from '@groundswell/engine/clustering/communities.ts'
import { seededRandom } from '@groundswell/engine/clustering/random.ts'
import { needsRevision, revise } from '@groundswell/engine/clustering/revise.ts'
import type { Suggestions } from '@groundswell/engine/clustering/suggestions.ts'
import { issues } from '@groundswell/engine/corrections/remove.ts'
import { readStatement, type SentenceEncoder } from '@groundswell/engine/group.ts'
import { isEmerging, type Statement } from '@groundswell/engine/model.ts'
import { describe } from '@groundswell/engine/naming/describe.ts'
import { createState, itemIdOf, type State } from '@groundswell/engine/state/state.ts'
import { prepare, type ReadPoint } from '@groundswell/engine/text/prepare.ts'
import { type History, type Snapshot, scoreHistory } from './history.ts'
import { insightGroups, shownStatements } from './insight-groups.ts'
import { type Scores, scoreGrouping } from './metrics.ts'
import { type Named, type NamingScores, scoreNames } from './naming.ts'
import { type ShownInsight, type ShownScores, scoreShown } from './shown-insights.ts'

const LATE_SHARE = 0.2

/** `points`: what a language model read in it, see `prepare`. */
export type Row = {
  text: string
  label: string | null
  id?: string
  thread?: string
  at?: number
  points?: readonly ReadPoint[]
}

/** Rows of a `text⇥label` or JSON lines file; the label `oos` is noise. */
export function readRows(path: string): Row[] {
  const content = readFileSync(path, 'utf8')
  if (path.endsWith('.jsonl')) {
    return content
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const row = JSON.parse(line) as {
          id: string
          text: string
          label: string | null
          thread: string | null
          at: number
        }
        return { id: row.id, text: row.text, label: row.label, thread: row.thread ?? row.id, at: row.at }
      })
  }
  return content
    .split('\n')
    .filter((line) => line.includes('\t'))
    .map((line) => {
      const [text = '', label = ''] = line.split('\t')
      return { text, label: label === 'oos' ? null : label }
    })
}

export type StreamOptions = {
  /** rows per batch */
  batch?: number
  tuning?: Tuning
  /** people settle each insight with at least this many messages after each batch, see `revise` */
  settledFrom?: number
  /** vectors by what an encoder read of each statement; without it, words are compared */
  encoder?: SentenceEncoder
  /** the rows are requests to assistants rather than feedback: the kinds of feedback do not apply */
  intents?: boolean
  /** a fifth of the labels appear only in the second half */
  bursty?: boolean
  /** called after each batch, as a language model is asked when nothing waits to be grouped */
  afterBatch?: (state: State) => void
}

export type StreamResult = Scores &
  History &
  NamingScores &
  ShownScores & {
    /** B³ F1 of all insights, emerging ones included */
    shownF1: number
    /** CPU time of the engine in ms, all threads */
    cpuMs: number
    state: State
  }

/**
 * Streams rows in batches, with revisions when the engine requests them, and scores the result and its history. Rows
 * with times keep their order, others are shuffled. A row's group is that of its first
 * statement in a regular insight.
 */
export function stream(rows: Row[], seed: number, options: StreamOptions = {}): StreamResult {
  const order = arrivals(rows, seed, options.bursty ?? false)
  const ids = order.map((row, i) => row.id ?? `${i}`)
  const statements = order.map((row, i) =>
    prepare({
      id: ids[i] as string,
      text: row.text,
      at: row.at ?? i,
      ...(row.thread ? { thread: row.thread } : {}),
      ...(row.points ? { points: row.points } : {}),
    }),
  )
  const batch = options.batch ?? 250
  const { encoder } = options
  const state = createState({ seed, space: encoder?.space ?? '', languages: encoder?.languages ?? null })
  let suggestions: Suggestions | null = null
  const settled = new Set<number>()
  const snapshots: Snapshot[] = []
  let cpuMs = 0
  for (let i = 0; i < order.length; i += batch) {
    const last = i + batch >= order.length
    const said = statements
      .slice(i, i + batch)
      .flat()
      .map((one) => {
        const read = readStatement(one, encoder)
        return options.intents ? { ...read, subjectless: false } : read
      })
    const began = process.cpuUsage()
    assign(state, said)
    if (last || needsRevision(state)) suggestions = revise(state, { tuning: options.tuning, settled }).suggestions
    const { user, system } = process.cpuUsage(began)
    cpuMs += (user + system) / 1_000
    if (options.afterBatch) {
      options.afterBatch(state)
      if (last) suggestions = revise(state, { tuning: options.tuning, settled }).suggestions
    }
    if (options.settledFrom !== undefined) {
      for (const { issueId, visible, statementIds } of issues(state))
        if (visible && !isEmerging(issueId) && statementIds.length >= options.settledFrom) settled.add(issueId)
    }
    snapshots.push(statements.slice(0, i + batch).map((said) => groupOf(state, said)))
  }
  const groups = snapshots.at(-1) ?? []
  const labels = order.map(({ label }) => label)
  return {
    ...scoreGrouping(groups, labels),
    ...scoreHistory(snapshots, labels),
    ...scoreNames(namedGroups(state, order, groups)),
    ...scoreShown(shownInsights(state, ids, suggestions), labels),
    shownF1: scoreGrouping(insightGroups(shownStatements(state), ids), labels).f1,
    cpuMs,
    state,
  }
}

/** Rows in order of arrival, see `stream`. */
export function arrivals(rows: Row[], seed: number, bursty: boolean): Row[] {
  const random = seededRandom(seed)
  const late = new Set<string>()
  if (bursty) {
    const labels = [...new Set(rows.map(({ label }) => label))].filter((label) => label !== null)
    while (late.size < labels.length * LATE_SHARE) late.add(labels[Math.floor(random() * labels.length)] as string)
  }
  const key = ({ at, label }: Row) => at ?? (label !== null && late.has(label) ? (1 + random()) / 2 : random())
  return rows
    .map((row) => ({ row, key: key(row) }))
    .sort((a, b) => a.key - b.key)
    .map(({ row }) => row)
}

function groupOf(state: State, said: Statement[]): number | null {
  for (const { id } of said) {
    const index = state.statementIndex.get(id)
    const node = index === undefined ? null : state.nodes[state.statementNodes[index] as number]
    if (node && node.issue > 0 && !isEmerging(node.issue)) return node.issue
  }
  return null
}

/** What people see of the state. */
function shownInsights(state: State, ids: string[], suggestions: Suggestions | null): ShownInsight[] {
  const indexes = new Map(ids.map((id, i) => [id, i]))
  const indexesOf = (statementIds: string[]) => [
    ...new Set(statementIds.map((id) => indexes.get(itemIdOf(id)) as number)),
  ]
  const suggested = Map.groupBy(suggestions?.members ?? [], ({ issueId }) => issueId)
  return [...issues(state)]
    .filter(({ visible }) => visible)
    .map(({ issueId, statementIds }) => ({
      emerging: isEmerging(issueId),
      members: indexesOf(statementIds),
      suggested: indexesOf((suggested.get(issueId) ?? []).map(({ statementId }) => statementId)),
    }))
}

function namedGroups(state: State, order: Row[], groups: Snapshot): Named[] {
  const texts = new Map<number, string[]>()
  groups.forEach((group, i) => {
    if (group === null) return
    texts.set(group, [...(texts.get(group) ?? []), (order[i] as Row).text])
  })
  return [...texts].map(([group, said]) => ({ name: describe(state, group).name, texts: said }))
}
