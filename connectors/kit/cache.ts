import type { ConnectorCache } from '../connector.ts'

/** The in-memory state of the connectors of one process. */
export function createCache(): ConnectorCache {
  const values = new Map<() => unknown, unknown>()
  return <T>(create: () => T): T => {
    if (!values.has(create)) values.set(create, create())
    return values.get(create) as T
  }
}
