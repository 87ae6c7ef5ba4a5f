import type { TileStatus } from '@groundswell/contract/connections.ts'
import { formatMoment } from '../../ui/moment.ts'

/** Why a sync stands still: the provider asked for a pause, as ISO time. */
export function waitingWords(until: string): string {
  return `Waiting until ${formatMoment(until)}: the other side asked for a pause.`
}

/** What to do about the error of a tile that stands so. */
export function errorHint(status: TileStatus): string {
  return status === 'na'
    ? 'Connect it again to go on where it stopped.'
    : 'It is tried again by itself; Sync now in its menu tries at once, Test tells whether it answers.'
}

/** How fast a sync goes, in items a minute, and how long the rest takes where the total is known. */
export function rateWords(perMinute: number, { read, total }: { read: number; total: number | null }): string {
  const rate = `${new Intl.NumberFormat().format(Math.round(perMinute))} a minute`
  if (total === null || total <= read || perMinute <= 0) return rate
  const minutes = Math.ceil((total - read) / perMinute)
  return `${rate} · about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} left`
}
