/** The insight that each one was merged into, which may have been merged itself. `ends`: the ended insights of a step; those that were not merged are left out. */
export function mergesOf(ends: readonly { issueId: number; into: number | null }[]): Map<number, number> {
  return new Map(ends.flatMap(({ issueId, into }) => (into === null ? [] : [[issueId, into] as const])))
}

/** Where a chain of merges ends. */
export function lastOf(next: ReadonlyMap<number, number>, start: number): number {
  const seen = new Set<number>()
  let number = start
  for (let into = next.get(number); into !== undefined && !seen.has(into); into = next.get(number)) {
    seen.add(into)
    number = into
  }
  return number
}
