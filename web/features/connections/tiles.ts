import type { ConnectionView, ConnectorView } from '@groundswell/contract/connections.ts'
import { SPEC_TILES, type SpecTile } from './spec-tiles.tsx'

/** A connector and its connection in this workspace; null: not connected. */
export type ConnectorEntry = { manifest: ConnectorView; connection: ConnectionView | null }

/** A tile of the integrations page: one that the specification names, one of the server's catalogue, or both. */
export type Tile = {
  id: string
  name: string
  side: 'source' | 'destination'
  spec: SpecTile | null
  entry: ConnectorEntry | null
}

/** The tiles of the specification in their order, then the catalogue's others in its order. */
export function listTiles(entries: readonly ConnectorEntry[]): Tile[] {
  const byId = new Map(entries.map((entry) => [entry.manifest.id, entry]))
  const specified = SPEC_TILES.map(
    (spec): Tile => ({ id: spec.id, name: spec.name, side: spec.side, spec, entry: byId.get(spec.id) ?? null }),
  )
  const others = entries
    .filter(({ manifest }) => manifest.tile && !SPEC_TILES.some(({ id }) => id === manifest.id))
    .map((entry): Tile => {
      const { id, label, side } = entry.manifest
      return { id, name: label, side, spec: null, entry }
    })
  return [...specified, ...others]
}
