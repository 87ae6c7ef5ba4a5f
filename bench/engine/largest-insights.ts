import { readFileSync } from 'node:fs'
import { seededRandom, shuffle } from '@groundswell/engine/clustering/random.ts'
import { type Grouping, type Item, prepare } from '@groundswell/engine/index.ts'

/** One of the largest insights with a sample of its mentions, for reading. */
export type ReadInsight = {
  number: number
  name: string
  size: number
  /** `text`: what the message says about it, on one line */
  mentions: { itemId: string; text: string }[]
}

/** `top`: how many insights; `mentions`: how many of each; `seed`: chooses the mentions */
export type Sampling = { top: number; mentions: number; seed: number }

/** Characters shown of one mention. */
const MAX_SHOWN_LENGTH = 400

/**
 * Items of a JSON lines file: `id`, `text`, and optionally `at` (ISO 8601), `author` and `thread`. A row without a time has
 * that of the row before. Throws with the line number where a row is not readable.
 */
export function readItems(path: string): Item[] {
  let at = 0
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line, i) => {
      if (line.trim() === '') return []
      const row: unknown = JSON.parse(line)
      if (!isRow(row)) throw new Error(`${path}, line ${i + 1}: a row has an id and a text`)
      const time = Date.parse(`${row.at ?? ''}`)
      if (!Number.isNaN(time)) at = time
      const item: Item = { id: `${row.id}`, text: row.text, at }
      if (row.author !== undefined) item.author = `${row.author}`
      if (row.thread !== undefined) item.thread = `${row.thread}`
      return [item]
    })
}

/** The largest insights, largest first, each with the same sample of its mentions for the same seed, in input order. */
export function largestInsights(items: readonly Item[], { insights }: Grouping, sampling: Sampling): ReadInsight[] {
  const byId = new Map(items.map((item) => [item.id, item]))
  return insights.slice(0, sampling.top).map((insight) => ({
    number: insight.issue_number,
    name: insight.issue_name,
    size: insight.mention_count,
    mentions: sample(insight.mentions, sampling.mentions, sampling.seed + insight.issue_number).map(
      ({ itemId, statementIds }) => ({ itemId, text: saidIn(byId.get(itemId), statementIds) }),
    ),
  }))
}

/** Markdown for reading and for writing verdicts. It contains the text of the feedback. */
export function readingPage(title: string, items: readonly Item[], grouping: Grouping, sampling: Sampling): string {
  const { insights, ungrouped } = grouping
  const read = largestInsights(items, grouping, sampling)
  const share = items.length > 0 ? (100 * ungrouped.length) / items.length : 0
  return [
    `# ${title}`,
    `${items.length} messages, ${insights.length} insights, ${share.toFixed(1)}% in no insight.`,
    ...read.flatMap(({ number, name, size, mentions }, i) => [
      `## ${i + 1}. ${name}`,
      `insight ${number}, ${size} messages`,
      mentions.map(({ itemId, text }) => `- ${itemId}: ${text}`).join('\n'),
    ]),
    '',
  ].join('\n\n')
}

type Scalar = string | number
type ItemRow = { id: Scalar; text: string; at?: Scalar; author?: Scalar; thread?: Scalar }

function isRow(row: unknown): row is ItemRow {
  if (typeof row !== 'object' || row === null || !('id' in row && 'text' in row)) return false
  const { id, text, at, author, thread }: Partial<Record<keyof ItemRow, unknown>> = row
  return (
    isScalar(id) && typeof text === 'string' && [at, author, thread].every((one) => one === undefined || isScalar(one))
  )
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'number'
}

function sample<T>(values: readonly T[], count: number, seed: number): T[] {
  const order = Int32Array.from(values, (_, i) => i)
  shuffle(order, seededRandom(seed))
  return Array.from(order.slice(0, count).sort(), (i) => values[i] as T)
}

function saidIn(item: Item | undefined, statementIds: readonly string[]): string {
  const wanted = new Set(statementIds)
  const said = (item ? prepare(item) : []).filter(({ id }) => wanted.has(id)).map(({ text }) => text)
  const line = said.join(' … ').replaceAll(/\s+/g, ' ').trim()
  return line.length > MAX_SHOWN_LENGTH ? `${line.slice(0, MAX_SHOWN_LENGTH)}…` : line
}
