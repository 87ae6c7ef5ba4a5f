type Fields = Record<string, unknown>

/** Whether an entity matches one of Linear's filters, as far as these comparators go. An unknown one is a field's name. */
export function matches(value: unknown, filter: unknown): boolean {
  return Object.entries((filter ?? {}) as Fields).every(([key, wanted]) => {
    switch (key) {
      case 'and':
        return (wanted as unknown[]).every((part) => matches(value, part))
      case 'or':
        return (wanted as unknown[]).some((part) => matches(value, part))
      case 'null':
        return (value === null || value === undefined) === wanted
      case 'eq':
        return value === wanted
      case 'in':
        return (wanted as unknown[]).includes(value)
      case 'eqIgnoreCase':
        return typeof value === 'string' && value.toLowerCase() === String(wanted).toLowerCase()
      case 'containsIgnoreCase':
        return typeof value === 'string' && value.toLowerCase().includes(String(wanted).toLowerCase())
      default:
        return matches((value as Fields | null)?.[key], wanted)
    }
  })
}

/** A page of a connection: `after` is the id of the last entity before it. */
export function connection<T extends { id: string }>(
  all: readonly T[],
  { first = 50, after, filter }: { first?: number; after?: string | null; filter?: unknown },
) {
  const matching = all.filter((one) => matches(one, filter))
  const from = after ? matching.findIndex(({ id }) => id === after) + 1 : 0
  const nodes = matching.slice(from, from + first)
  const hasNextPage = from + first < matching.length
  return { nodes, pageInfo: { hasNextPage, endCursor: nodes.at(-1)?.id ?? null } }
}
