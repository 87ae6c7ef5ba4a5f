import type { TileStatus } from '@groundswell/contract/connections.ts'
import { formatMoment } from '../../ui/moment.ts'

/** Why a sync is paused: the provider asked for it until then, given as an ISO time. */
export function waitingWords(until: string): string {
  return `Waiting until ${formatMoment(until)}: the provider asked for a pause.`
}

/** What to do about the error of a tile with this status. */
export function errorHint(status: TileStatus): string {
  return status === 'na'
    ? 'Reconnect to resume where it stopped.'
    : 'It retries automatically. Sync now in the menu retries immediately; Test checks the connection.'
}

/** How fast a sync is, in items per minute, and how long the rest takes if the total is known. */
export function rateWords(perMinute: number, { read, total }: { read: number; total: number | null }): string {
  const rate = `${new Intl.NumberFormat().format(Math.round(perMinute))} a minute`
  if (total === null || total <= read || perMinute <= 0) return rate
  const minutes = Math.ceil((total - read) / perMinute)
  return `${rate} · about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} left`
}
