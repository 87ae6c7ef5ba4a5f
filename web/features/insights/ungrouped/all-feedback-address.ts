/** The address of all feedback with these filters, or of feedback in no insight. */
export function allFeedback(parts: Readonly<Record<string, string>>, all = true): string {
  const set = Object.entries({ ...(all ? { in: 'all' } : {}), ...parts }).filter(([, value]) => value !== '')
  return `/ungrouped${set.length > 0 ? '?' : ''}${new URLSearchParams(set)}`
}

/** Whether the address is that of all feedback. */
export function isOfAll(address: URLSearchParams): boolean {
  return address.get('in') === 'all'
}
