import { listConnectors } from '@groundswell/contract/connections.ts'
import { queryOptions } from '@tanstack/react-query'
import { CallError, call, logOddity } from '../client/index.ts'
import type { ConnectorEntry } from './tiles.ts'

/** The query key of the catalogue. */
export const CONNECTORS = ['connectors'] as const

/** `known`: the server has the call. `failed`: it could not respond now. */
type Catalogue = { known: boolean; failed?: true; entries: readonly ConnectorEntry[] }

/** Every connector of the server with its connection; no entries on a server without that call. */
export const catalogueQuery = queryOptions({
  queryKey: CONNECTORS,
  queryFn: async (): Promise<Catalogue> => {
    try {
      return { known: true, entries: (await call(listConnectors, {})).connectors }
    } catch (error) {
      if (error instanceof CallError && error.status === 404) return { known: false, entries: [] }
      logOddity('No list of connectors', error)
      return { known: false, failed: true, entries: [] }
    }
  },
})
