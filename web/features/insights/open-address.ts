const ISSUE = 'issue'

/** The tab of the open insight. */
export const TAB = 'tab'

/** The number of the insight that an address of the list opens; null for none. */
export function openIn(address: URLSearchParams): number | null {
  const issue = Number(address.get(ISSUE))
  return Number.isInteger(issue) && issue > 0 ? issue : null
}

/** The address with this insight open, on its first tab, or with none. */
export function withOpen(address: URLSearchParams, issue: number | null): URLSearchParams {
  const next = new URLSearchParams(address)
  next.delete(TAB)
  if (issue === null) next.delete(ISSUE)
  else next.set(ISSUE, String(issue))
  return next
}
