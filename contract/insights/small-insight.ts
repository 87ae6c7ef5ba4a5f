import type { Insight } from '../insights.ts'
import { countBy, type Settings } from '../settings.ts'

type Evidence = Pick<
  Insight,
  'status' | 'mention_count' | 'people_count' | 'customer_count' | 'text_count' | 'author_count'
>
type Threshold = Pick<Settings, 'min_inputs' | 'count_people' | 'count_by'>

/**
 * How many times something was said independently: the different texts of an insight or its known authors, whichever are more. One text sent many
 * times by one author is said once; one sentence by many people is said by each. Undefined: not counted.
 */
export function independentCount({
  text_count,
  author_count,
}: Pick<Insight, 'text_count' | 'author_count'>): number | undefined {
  return text_count === undefined || author_count === undefined ? undefined : Math.max(text_count, author_count)
}

/**
 * Whether an insight has less evidence than the threshold asks for and was not pushed: too few mentions, people or customers, whichever the threshold
 * counts, or copies of too few texts by too few authors. The server decides by the same rule what to push.
 */
export function isSmall(insight: Evidence, settings: Threshold): boolean {
  const counted = countBy(settings)
  const count = {
    mentions: insight.mention_count,
    people: insight.people_count,
    customers: insight.customer_count ?? 0,
  }[counted]
  const isFew = count !== undefined && count < settings.min_inputs
  return insight.status === 'created' && (isFew || (counted !== 'customers' && isCopied(insight, settings)))
}

/** Whether an insight is copies: of fewer texts than the threshold, by fewer known authors. */
export function isCopied(insight: Evidence, { min_inputs }: Threshold): boolean {
  const independent = independentCount(insight)
  return independent !== undefined && independent < min_inputs && (insight.mention_count ?? 0) >= min_inputs
}
