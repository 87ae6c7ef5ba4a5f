import { useQuery } from '@tanstack/react-query'
import { catalogueQuery } from './catalogue.ts'
import { SPEC_TILES } from './spec-tiles.tsx'
import type { ConnectorEntry } from './tiles.ts'

/** The label of a connector: the catalogue's, else the specification's, else its id. */
export function connectorName(entries: readonly ConnectorEntry[], id: string): string {
  return (
    entries.find(({ manifest }) => manifest.id === id)?.manifest.label ??
    SPEC_TILES.find((tile) => tile.id === id)?.name ??
    id
  )
}

const NONE: readonly ConnectorEntry[] = []

/** The server's connectors when first requested; none while `enabled` is false. */
export function useKnownConnectors(enabled = true): readonly ConnectorEntry[] {
  const { data } = useQuery({
    ...catalogueQuery,
    enabled,
    staleTime: ({ state }) => (state.data?.failed ? 0 : Infinity),
  })
  return data?.entries ?? NONE
}

/** Returns the label of a connector. The catalogue is not fetched while `enabled` is false. */
export function useConnectorName(enabled = true): (id: string) => string {
  const entries = useKnownConnectors(enabled)
  return (id) => connectorName(entries, id)
}
