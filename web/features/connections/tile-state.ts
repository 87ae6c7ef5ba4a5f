import type { UserData } from '@groundswell/contract/accounts.ts'
import type { ConnectionView, LastTest, TileStatus, TrackedItems } from '@groundswell/contract/connections.ts'
import { chosenSummary } from './choices/chosen-words.ts'
import { readWords, unreadWords } from './sync-words.ts'
import type { Tile } from './tiles.ts'

/** What a tile shows of its connection. `error`: the sentence below it. */
export type TileState = {
  status: TileStatus
  infoText: string
  comingSoon: boolean
  error: string | null
  paused: boolean
  progress: ConnectionView['progress']
  incomplete: string | null
  waitingUntil: string | null
  /** What a source has read, and when; null while it reads. */
  read: string | null
  /** What a source could not read. */
  unread: string | null
  lastTest: LastTest | null
  /** Required choices are missing: nothing is read or sent. */
  needsChoices: boolean
  note: string | null
  /** The items of a tracker; null where there are none. */
  items: TrackedItems | null
}

/** What a tile is connected to according to the user data; null when it is not. */
export function connectedTo({ spec }: Tile, userData: UserData | null): string | null {
  return (userData && spec?.connectedTo?.(userData)) ?? null
}

/** The state that a tile shows. Without an entry in the server's catalogue the user data alone decides. */
export function tileState(tile: Tile, userData: UserData | null): TileState {
  const { spec, entry } = tile
  const named = connectedTo(tile, userData)
  const connection = entry?.connection
  const status = connection?.status ?? (named === null ? 'na' : 'connected')
  const chosen = chosenSummary(connection?.chosen ?? [])
  const connectedText = [connection?.name || named, chosen].filter(Boolean).join(' · ')
  const canConnect = spec?.form !== undefined || spec?.signIn !== undefined
  return {
    status,
    infoText: (status === 'na' ? entry?.manifest.info : connectedText) || spec?.info || '',
    comingSoon: entry ? entry.manifest.coming_soon : status === 'na' && !canConnect,
    error: connection?.error ?? null,
    paused: connection?.paused ?? false,
    progress: connection?.progress ?? null,
    incomplete: connection?.incomplete ?? null,
    read: connection?.progress && status === 'connected' ? readWords(connection) : null,
    unread: status === 'na' ? null : unreadWords(connection?.set_aside),
    waitingUntil: connection?.waiting_until ?? null,
    lastTest: connection?.last_test ?? null,
    needsChoices: status !== 'na' && connection?.ready === false,
    note: connection?.note ?? null,
    items: connection?.items ?? null,
  }
}
