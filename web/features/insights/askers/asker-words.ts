import type { Asker } from '@groundswell/contract/insights/askers.ts'
import { formatDay } from '../../../ui/text/moment.ts'

/** A person's name, or the words shown for a person without one. */
export function askerName({ name }: Pick<Asker, 'name'>): string {
  return name || 'Unknown author'
}

/** How many people there are, and how many of them were told. */
export function toldText({ total, told }: { total: number; told: number }): string {
  const people = `${total} ${total === 1 ? 'person' : 'people'}`
  if (told === 0) return people
  return told === total ? `${people}, all told` : `${people}, ${told} told`
}

/** People as lines of text, for a message or a list elsewhere. */
export function askersText(askers: readonly Asker[]): string {
  return askers
    .map((one) => [askerName(one), one.place ?? one.source, formatDay(one.date), one.link].filter(Boolean).join(' · '))
    .join('\n')
}
