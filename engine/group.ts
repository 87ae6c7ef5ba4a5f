import { assign } from './clustering/assign.ts'
import { needsRevision, revise } from './clustering/revise.ts'
import { issues } from './corrections/remove.ts'
import { classifyKind, isSubjectless } from './kinds/classify.ts'
import { hasNoSubject } from './kinds/kind.ts'
import { isEmerging, type Statement } from './model.ts'
import { describe, redescribeAll } from './naming/describe.ts'
import { createState, itemIdOf, type State } from './state/state.ts'
import { textToEncode } from './text/encoding-text.ts'
import type { Language } from './text/language.ts'
import { prepare, type SplitItem } from './text/prepare.ts'

/** How `group` works on a file. */
export type GroupOptions = {
  /** breaks ties between equal choices */
  seed?: number
  /** items processed per batch */
  batch?: number
  /** compares sentences by these vectors, besides words */
  encoder?: SentenceEncoder
}

/**
 * Vectors of the built-in sentence encoder by what it read of each statement (`textToEncode`). `languages`: those it was made for; null:
 * all.
 */
export type SentenceEncoder = {
  space: string
  languages: readonly Language[] | null
  vectors: ReadonlyMap<string, Float32Array>
}

/** What an encoder reads of a statement. */
function encodedText({ text, point }: Statement): string {
  return point ?? textToEncode(text)
}

/** What an encoder has to read for `group`: the texts of all statements, or their points. */
export function textsToEncode(items: readonly SplitItem[]): string[] {
  return [...new Set(items.flatMap((item) => prepare(item).map(encodedText)))]
}

/** One group, with every item that mentions it. Emerging ones exist only with an encoder. */
export type Insight = {
  /** not yet a regular insight, see `isEmerging` */
  emerging: boolean
  issue_number: number
  issue_name: string
  summary: string
  mention_count: number
  mentions: { itemId: string; statementIds: string[] }[]
}

/** What `group` returns: insights with most mentions first, and the ids of items in none. */
export type Grouping = { insights: Insight[]; ungrouped: string[] }

/**
 * Groups a whole file. Items are processed in batches like a stream, with revisions in between and one at the end.
 * Insights are sorted by mentions, most first; `mention_count` counts items; `ungrouped` lists the ids of items in no
 * insight, in input order. Item ids must be unique. Deterministic for the same items, options and engine version.
 */
export function group(items: SplitItem[], options: GroupOptions = {}): Grouping {
  return groupingOf(groupedState(items, options), items)
}

/** The insights of a state that contain these items, as `group` returns them. */
export function groupingOf(state: State, items: readonly SplitItem[]): Grouping {
  redescribeAll(state)
  const order = new Map(items.map((item, index) => [item.id, index]))
  const grouped = new Set<string>()
  const insights: Insight[] = []
  for (const view of issues(state)) {
    if (!view.visible) continue
    const mentions = new Map<string, string[]>()
    for (const statementId of view.statementIds) {
      const itemId = itemIdOf(statementId)
      grouped.add(itemId)
      mentions.set(itemId, [...(mentions.get(itemId) ?? []), statementId])
    }
    const { name, summary } = describe(state, view.issueId)
    insights.push({
      emerging: isEmerging(view.issueId),
      issue_number: view.issueId,
      issue_name: name,
      summary,
      mention_count: mentions.size,
      mentions: [...mentions]
        .sort((a, b) => (order.get(a[0]) ?? 0) - (order.get(b[0]) ?? 0))
        .map(([itemId, statementIds]) => ({ itemId, statementIds })),
    })
  }
  insights.sort((a, b) => b.mention_count - a.mention_count || a.issue_number - b.issue_number)
  return { insights, ungrouped: items.filter((item) => !grouped.has(item.id)).map((item) => item.id) }
}

/** The state after the last revision of `group`. */
export function groupedState(items: readonly SplitItem[], options: GroupOptions = {}): State {
  const { encoder } = options
  const state = createState({ ...options, space: encoder?.space ?? '', languages: encoder?.languages ?? null })
  const batch = Math.max(1, options.batch ?? 250)
  for (let start = 0; start < items.length; start += batch) {
    const statements: Statement[] = []
    for (const item of items.slice(start, start + batch))
      statements.push(...prepare(item).map((one) => readStatement(one, encoder)))
    assign(state, statements)
    if (needsRevision(state)) revise(state)
  }
  revise(state)
  return state
}

/** The statement with its vector, and whether it has a subject. */
export function readStatement(statement: Statement, encoder: SentenceEncoder | undefined): Statement {
  const vector = encoder?.vectors.get(encodedText(statement))
  const { kind, text } = statement
  const subjectless = kind ? hasNoSubject(kind) : isSubjectless(classifyKind({ text, ...(vector ? { vector } : {}) }))
  return { ...statement, ...(vector ? { vector } : {}), subjectless }
}
