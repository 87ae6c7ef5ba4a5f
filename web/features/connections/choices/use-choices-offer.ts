import { useEffect } from 'react'
import type { ConnectorEntry } from '../tiles.ts'

const OFFERED_KEY = 'choices-offered'

/**
 * Opens the details of a connection that cannot be used before something is chosen for it: once in this browser tab, which is when it
 * was just connected.
 */
export function useChoicesOffer(entries: readonly ConnectorEntry[], open: (tile: string) => void): void {
  const waiting = entries.find(({ connection }) => connection?.ready === false && connection.status !== 'na')
  const tile = waiting?.manifest.id
  const id = waiting?.connection?.id
  useEffect(() => {
    if (tile === undefined || id === undefined || sessionStorage.getItem(OFFERED_KEY) === id) return
    sessionStorage.setItem(OFFERED_KEY, id)
    open(tile)
  }, [tile, id, open])
}
