import { classifyKind, type Grouping, prepare, type SplitItem } from '@groundswell/engine/index.ts'
import type { Generator } from './generator.ts'
import { type FullResponse, responseAs } from './response-classes.ts'

/** Responses to one window. `members`: the messages that each of them is about, by their places in the window. */
export type Answer = {
  responses: Record<string, unknown>[]
  members: number[][]
  /** The points that a model read in each message; absent for a generator that does not read them one by one. */
  read?: string[][]
  /** Which the built-in engine took for it, with its encoder. */
  seconds?: number
}

const QUOTES = { low: 1, medium: 3, high: Number.POSITIVE_INFINITY } as const
const KIND_TAGS = 2

/** The insights of a window, the largest first, as responses of the generator's class and verbosity. `items` are its messages, in order. */
export function answerOf(
  { insights }: Grouping,
  items: readonly SplitItem[],
  { verbosity, response_class }: Pick<Generator, 'verbosity' | 'response_class'>,
): Answer {
  const detail = verbosity ?? 'medium'
  const places = new Map(items.map(({ id }, at) => [id, at]))
  const statements = new Map(items.flatMap((item) => prepare(item).map((one) => [one.id, one] as const)))
  const shown = insights.filter(({ emerging }) => detail !== 'low' || !emerging)
  return {
    responses: shown.map((insight) => {
      const quoted = insight.mentions.flatMap(({ statementIds }) =>
        statementIds.flatMap((id) => statements.get(id) ?? []),
      )
      const full: FullResponse = {
        issue: insight.issue_name,
        summary: insight.summary,
        quotes: quoted.slice(0, QUOTES[detail]).map(({ text }) => text),
        tags: kindsOf(quoted),
      }
      return responseAs(response_class, full)
    }),
    members: shown.map(({ mentions }) => mentions.map(({ itemId }) => places.get(itemId) as number)),
  }
}

/** The most frequent kinds of the statements. */
function kindsOf(statements: readonly { text: string }[]): string[] {
  const counts = new Map<string, number>()
  for (const { text } of statements) {
    const { kind } = classifyKind({ text })
    if (kind !== null) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, KIND_TAGS)
    .map(([kind]) => kind)
}
