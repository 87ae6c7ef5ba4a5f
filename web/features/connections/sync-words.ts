import {
  type ConnectionView,
  MAX_ATTACHMENT_ONLY,
  type SetAside,
  type TileStatus,
} from '@groundswell/contract/connections.ts'
import { formatMoment } from '../../ui/text/moment.ts'
import { count, plural } from '../../ui/text/plural.ts'

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

/** How much a sync has read: messages, during a first sync of how many of the provider's items where it counts them. */
export function progressWords({ read, total, of }: NonNullable<ConnectionView['progress']>): string {
  if (of) return `${plural(read, 'message')} from ${count(of.read)} of about ${plural(of.total, of.noun)}`
  return `${count(read)}${total === null ? '' : ` of ${count(total)}`} read`
}

/** How fast a sync is, in items per minute, and how long the rest takes if the total is known. */
export function rateWords(perMinute: number, { read, total }: { read: number; total: number | null }): string {
  const rate = `${new Intl.NumberFormat().format(Math.round(perMinute))} a minute`
  if (total === null || total <= read || perMinute <= 0) return rate
  const minutes = Math.ceil((total - read) / perMinute)
  return `${rate} · about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} left`
}

/** A line of a tile is short: the year of the last sync says nothing. */
const shortMoment = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})

/** What a source has read, for one line; null before its first sync has ended. `total` where the provider tells it. */
export function readWords(connection: Pick<ConnectionView, 'messages' | 'progress' | 'attachment_only' | 'last_sync'>) {
  const { messages, progress, attachment_only: attachments = 0, last_sync: lastSync } = connection
  if (lastSync === null) return null
  const total = progress?.total ?? null
  const read = total !== null && total > (messages ?? 0) ? `${count(messages ?? 0)} of ${count(total)} messages` : null
  const most = attachments >= MAX_ATTACHMENT_ONLY ? ' or more' : ''
  return [
    ...(messages === null || messages === undefined ? [] : [read ?? plural(messages, 'message')]),
    ...(attachments > 0 ? [`${plural(attachments, 'message')}${most} with attachments only`] : []),
    `Last sync ${shortMoment.format(new Date(lastSync))}`,
  ].join(' · ')
}

/** How many items are named on a tile. */
const MAX_NAMED = 3

/** What a source could not read, by kinds of items, for the tile; null where it could read everything. */
export function unreadWords(aside: SetAside | null | undefined): string | null {
  if (!aside || aside.items.length + aside.more === 0) return null
  const nouns = [...new Set(aside.items.map(({ noun }) => noun))]
  const parts = nouns.map((noun) => {
    const items = aside.items.filter((item) => item.noun === noun)
    const labels = [...new Set(items.map(({ label }) => label).filter(Boolean))]
    const more = labels.length > MAX_NAMED ? ` and ${count(labels.length - MAX_NAMED)} more` : ''
    const named = labels.length > 0 ? ` (${labels.slice(0, MAX_NAMED).join(', ')}${more})` : ''
    return `${plural(items.length, noun)} could not be read${named}`
  })
  if (aside.more > 0) parts.push(`${count(aside.more)} earlier ${aside.more === 1 ? 'one' : 'ones'} could not be read`)
  return parts.join('. ')
}
