import { counted } from '../text/counted.ts'
import type { InsightDocument } from './insight-document.ts'

/** How the comment on a closed item begins. `noun`: what the tracker calls an item. */
export function reopenedOpening(noun: string): string {
  return `Customers mentioned this again after the ${noun} was closed: `
}

/** The comment on a closed item of an insight that got new mentions. It has numbers and a date only, so nothing in it has to be escaped. */
export function reopenedText({ counts, updated }: Pick<InsightDocument, 'counts' | 'updated'>, noun: string): string {
  const people = counted(counts.people, 'person', 'people')
  const day = updated.toISOString().slice(0, 10)
  return `${reopenedOpening(noun)}${counted(counts.mentions, 'mention')} from ${people} in total, as of ${day}.`
}
