import { REPORT_PARTS, type ReportPart } from '@groundswell/contract/reports.ts'

const DAY_MS = 86_400_000
const DAY = /^\d{4}-\d\d-\d\d$/

/** The spans that need no dates, by how many days they have. */
export const PRESETS = [
  { value: '30', label: 'Last 30 days', days: 30 },
  { value: '90', label: 'Last 90 days', days: 90 },
  { value: '365', label: 'Last 12 months', days: 365 },
] as const

const DEFAULT_PRESET = PRESETS[1]

/** What a report is of. `range`: a preset, or `custom`. */
export type ReportChoice = {
  range: (typeof PRESETS)[number]['value'] | 'custom'
  from: string
  to: string
  by: ReportPart
  tag: string | undefined
  /** The attribute by whose values the report is. */
  attribute: string | undefined
  /** Chosen values of attributes, as `readAttributes` reads them; '' for none. */
  attributes: string
  asTable: boolean
}

/**
 * The report that an address names; missing or invalid values are the default, and dates are put in order. `zone`: whose days the report counts by,
 * and so which day is today.
 */
export function readReportChoice(address: URLSearchParams, now: number, zone: string): ReportChoice {
  const attribute = address.get('attribute') || undefined
  const found = REPORT_PARTS.find((part) => part === address.get('by')) ?? 'none'
  const rest = {
    by: found === 'attribute' && attribute === undefined ? 'none' : found,
    tag: address.get('tag') ?? undefined,
    attribute,
    attributes: address.get('attributes') ?? '',
    asTable: address.get('show') === 'table',
  } as const
  const [from, to] = [address.get('from') ?? '', address.get('to') ?? '']
  if (DAY.test(from) && DAY.test(to)) {
    return { range: 'custom', from: from < to ? from : to, to: from < to ? to : from, ...rest }
  }
  const preset = PRESETS.find(({ value }) => value === address.get('range')) ?? DEFAULT_PRESET
  return { range: preset.value, ...lastDays(preset.days, now, zone), ...rest }
}

/** The address with other parts; null removes one. */
export function withParts(address: URLSearchParams, parts: Record<string, string | null>): URLSearchParams {
  const next = new URLSearchParams(address)
  for (const [name, value] of Object.entries(parts)) {
    if (value === null || value === '') next.delete(name)
    else next.set(name, value)
  }
  return next
}

function lastDays(days: number, now: number, zone: string): { from: string; to: string } {
  const to = dayAt(now, zone)
  return { from: dayAt(Date.parse(to) - (days - 1) * DAY_MS, 'UTC'), to }
}

function dayAt(time: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]))
  return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`
}
