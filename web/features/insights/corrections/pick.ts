/** The maximum number of mentions in one correction. */
export const MAX_PICKED = 500

/** The ids from one to another in the order of the list, both included; only the last if the first is not in it. */
export function idsBetween(ids: readonly string[], first: string | null, last: string): readonly string[] {
  const from = first === null ? -1 : ids.indexOf(first)
  const to = ids.indexOf(last)
  if (from === -1 || to === -1) return [last]
  return ids.slice(Math.min(from, to), Math.max(from, to) + 1)
}

/** The selection after some ids are added or removed. Each once, in the order of selection. */
export function withPicks(chosen: readonly string[], some: readonly string[], on: boolean): readonly string[] {
  const touched = new Set(some)
  const others = chosen.filter((id) => !touched.has(id))
  return on ? [...others, ...some] : others
}
