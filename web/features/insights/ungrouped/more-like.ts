import type { Mention } from '@groundswell/contract/insights.ts'

/** This many of an insight's newest mentions show what it is about. */
const TOLD_BY = 10

/** The address of the ungrouped feedback, most similar to the mentions of this insight first. */
export function moreLike(issueNumber: number, mentions: readonly Mention[]): string {
  const ids = mentions.flatMap(({ id }) => id ?? []).slice(0, TOLD_BY)
  return `/ungrouped?${new URLSearchParams({ like: ids.join(','), into: `${issueNumber}` })}`
}
