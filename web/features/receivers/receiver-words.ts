import type { EventType } from '@groundswell/contract/receivers/event-types.ts'
import type { Receiver, ReceiverDelivery } from '@groundswell/contract/receivers.ts'
import type { Tone } from '../../ui/badge.tsx'
import { formatMoment } from '../../ui/text/moment.ts'

/** The meaning of each event. */
export const EVENT_WORDS: Readonly<Record<EventType, string>> = {
  'insight.created': 'A new insight',
  'insight.updated': 'A person changed its name, tags or status',
  'insight.team_status_changed': 'Its team status changed',
  'insight.pushed': 'It was pushed to a destination',
  'insight.resolved': 'It was closed in every tracker',
  'insight.regressed': 'It was mentioned again after that',
  'insight.merged': 'It was merged into another',
  'insight.deleted': 'It was deleted, or lost its messages',
  'insight.restored': 'It was restored after that',
}

/** A name for a receiver: its host, or its description where the address is lost. */
export function receiverName({ url, description }: Pick<Receiver, 'url' | 'description'>): string {
  if (url === null) return description || 'Webhook'
  return URL.parse(url)?.host ?? url
}

/** The state of a receiver in a word, and why; null: nothing is wrong. */
export function receiverState({
  url,
  disabled,
  failing_since,
}: Receiver): { label: string; tone: Tone; help: string } | null {
  if (disabled?.reason === 'person')
    return { label: 'Disabled', tone: 'plain', help: 'New events are not kept for it.' }
  if (disabled) {
    const why = disabled.reason === 'gone' ? 'It replied 410 Gone' : 'Every attempt in five days failed'
    return { label: 'Disabled', tone: 'bad', help: `${why}. It was disabled ${formatMoment(disabled.at)}.` }
  }
  if (url === null)
    return { label: 'No secret', tone: 'bad', help: 'It was restored without its secret. Delete it and add it again.' }
  if (failing_since === null) return null
  return { label: 'Failing', tone: 'warn', help: `No attempt has succeeded since ${formatMoment(failing_since)}.` }
}

/** Which events a receiver gets, in a few words. */
export function eventsInWords(events: Receiver['events']): string {
  if (events === null) return 'All events'
  return events.length === 1 ? (events[0] ?? '') : `${events.length} events`
}

/** The outcome of a delivery, in a word. */
export function deliveryState({ state, attempts }: ReceiverDelivery): { label: string; tone: Tone } {
  if (state === 'delivered') return { label: 'Delivered', tone: 'good' }
  if (state === 'failed') return { label: 'Failed', tone: 'bad' }
  if (state === 'sending') return { label: 'Sending', tone: 'plain' }
  return attempts === 0 ? { label: 'Waiting', tone: 'plain' } : { label: 'Retrying', tone: 'warn' }
}

/** One line about a delivery: when it happened, how often it was tried, what the receiver replied, when it is tried again. */
export function deliveryInWords({ happened_at, attempts, status, state, error, due_at }: ReceiverDelivery): string {
  const parts = [formatMoment(happened_at), attempts === 1 ? '1 attempt' : `${attempts} attempts`]
  if (state === 'waiting' && attempts > 0 && due_at !== null) parts.push(`next ${formatMoment(due_at)}`)
  const problem = state === 'delivered' ? null : error
  if (status !== null && !problem?.includes(String(status))) parts.push(`status ${status}`)
  if (problem !== null) parts.push(problem)
  return parts.join(' · ')
}
