import type { MainShare, ReportChange, ReportPart } from '@groundswell/contract/reports.ts'
import { plural } from '../../../ui/text/plural.ts'
import { countText, dayNear, partLabel } from './report-words.ts'

const percents = new Intl.NumberFormat(undefined, { style: 'percent' })

/** How a count became another one: `doubled`, `fell by 40%`. */
export function changeVerb({ total, previous }: Pick<ReportChange, 'total' | 'previous'>): string {
  if (previous === 0) return 'is new'
  if (total === 0) return 'stopped'
  const factor = total / previous
  if (factor > 3.25) return `rose to ${countText(Math.round(factor))} times as many`
  if (factor >= 2.75) return 'tripled'
  if (factor >= 1.85 && factor <= 2.15) return 'doubled'
  if (factor >= 0.46 && factor <= 0.54) return 'halved'
  return factor > 1 ? `rose by ${percents.format(factor - 1)}` : `fell by ${percents.format(1 - factor)}`
}

/** A change without its name: `doubled, mostly Enterprise, since Nov 12`. `to`: the last day of the report. */
export function changeWords(change: ReportChange, to: string, connectorName: (id: string) => string): string {
  const { mostly, since } = change
  return [
    changeVerb(change),
    ...(mostly ? [`mostly ${shareName(mostly, connectorName)}`] : []),
    ...(since === null ? [] : [`since ${dayNear(since, to)}`]),
  ].join(', ')
}

function shareName({ by, key, label }: MainShare, connectorName: (id: string) => string): string {
  if (by === 'source') return connectorName(key)
  return by === 'insight' ? `“${label ?? `#${key}`}”` : (label ?? key)
}

/** The name of the thing that changed. */
export function changeName(change: ReportChange, by: ReportPart, connectorName: (id: string) => string): string {
  return change.issue_number === null ? partLabel(change, by, connectorName) : (change.label ?? '')
}

type Excluded = { ungrouped: number; emerging: number; small_talk: number; deleted: number }

/** What a report leaves out; null: nothing. */
export function excludedText({ ungrouped, emerging, small_talk, deleted }: Excluded): string | null {
  const parts: [number, string][] = [
    [ungrouped, 'in no insight'],
    [emerging, 'in emerging insights'],
    [deleted, 'in deleted insights'],
  ]
  const words = parts.flatMap(([count, where]) => (count === 0 ? [] : [`${countText(count)} ${where}`]))
  if (small_talk > 0) words.push(`${countText(small_talk)} thanks or greetings`)
  const total = ungrouped + emerging + small_talk + deleted
  return total === 0 ? null : `Not counted: ${plural(total, 'other mention')} from this time (${words.join(', ')}).`
}
