import { isDeepStrictEqual } from 'node:util'
import type { Choice } from '@groundswell/connectors/connector.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import type { Chosen, Connection } from '../store.ts'
import { type FieldLists, listOf, noSuchChoice } from './choice-draft.ts'

/** Requests the choices for these settings from the provider. */
export type AskChoices = (
  settings: Record<string, unknown>,
  search: Readonly<Record<string, string>>,
) => Promise<readonly Choice[]>

/** `draft`: the settings with what was submitted. `texts`: what to search for to find values of searchable fields. */
type Given = { draft: Record<string, unknown>; submitted: FieldLists; texts: FieldLists }
type Stored = Pick<Connection, 'settings' | 'chosen'>

const MAX_SEARCHES = 20
const MAX_QUOTE_LENGTH = 100
const CONTROL_CHARACTERS = /\p{Cc}/u

/**
 * Validates what was submitted against the choices that the provider offers for it, and returns the new settings and the chosen values
 * with their labels. Choices that are no longer offered are removed. Throws `invalid_input` with each wrong field.
 */
export async function validateChoices(ask: AskChoices, stored: Stored, given: Given): Promise<Stored> {
  const choices = await ask(given.draft, {})
  const unknown = Object.keys(given.submitted).find((name) => !choices.some(({ field }) => field === name))
  if (unknown !== undefined) throw noSuchChoice(unknown)
  const values = new Map(choices.map((choice) => [choice.field, valuesOf(choice, stored, given)]))
  const labels = new Map(choices.map((choice) => [choice.field, knownLabels(choice, stored, given)]))
  await searchFor(ask, choices, values, labels, given)

  const fields: Record<string, string> = {}
  let first: string | undefined
  for (const choice of choices) {
    const fault = faultOf(choice, values.get(choice.field) ?? [], labels.get(choice.field) ?? new Map(), stored)
    if (fault === null) continue
    fields[`body.${choice.field}`] = fault
    first ??= `${choice.label}: ${fault}`
  }
  if (first !== undefined) throw new ContractError('invalid_input', first, fields)
  return result(choices, values, labels, stored, given)
}

/** The values of a field: those submitted, else the stored ones that are still offered after the change. */
function valuesOf(choice: Choice, stored: Stored, { draft, submitted }: Given): string[] {
  const { field, kind = 'select', searchable = false, options } = choice
  const own = submitted[field]
  if (own) {
    const given = kind === 'select' ? own : own.map((value) => value.trim()).filter((value) => value !== '')
    return [...new Set(given)]
  }
  const before = listOf(stored.settings[field])
  if (kind !== 'select' || isDeepStrictEqual(draft, stored.settings)) return before
  if (searchable) return dependencyChanged(choice, stored, draft) ? [] : before
  return before.filter((value) => options.some((option) => option.value === value))
}

/** Labels of the values that are valid without a search: the listed options, and stored values of a searchable field. */
function knownLabels(choice: Choice, stored: Stored, { draft }: Given): Map<string, string> {
  const known = new Map(choice.options.map(({ value, label }) => [value, label]))
  if (!choice.searchable || dependencyChanged(choice, stored, draft)) return known
  const labels = storedLabels(choice, stored)
  for (const value of listOf(stored.settings[choice.field])) {
    if (!known.has(value)) known.set(value, labels.get(value) ?? value)
  }
  return known
}

function dependencyChanged({ dependsOn = [] }: Choice, { settings }: Stored, draft: Record<string, unknown>): boolean {
  return dependsOn.some((field) => !isDeepStrictEqual(listOf(settings[field]), listOf(draft[field])))
}

function storedLabels({ field }: Pick<Choice, 'field'>, { chosen }: Pick<Stored, 'chosen'>): Map<string, string> {
  return new Map(chosen.find((one) => one.field === field)?.values.map(({ value, label }) => [value, label]))
}

/** Searches for the values of searchable fields that are not known yet, by the given texts and then by the values themselves. */
async function searchFor(
  ask: AskChoices,
  choices: readonly Choice[],
  values: ReadonlyMap<string, readonly string[]>,
  labels: ReadonlyMap<string, Map<string, string>>,
  { draft, texts }: Given,
): Promise<void> {
  let searches = 0
  for (const { field, label, searchable } of choices) {
    if (!searchable) continue
    const known = labels.get(field) ?? new Map<string, string>()
    const missing = () => (values.get(field) ?? []).filter((value) => !known.has(value))
    for (const text of new Set([...(texts[field] ?? []), ...missing()])) {
      if (missing().length === 0) break
      if (text.trim() === '') continue
      searches += 1
      if (searches > MAX_SEARCHES) throw tooMany(field, label)
      const found = await ask(draft, { [field]: text.trim() })
      for (const option of found.find((one) => one.field === field)?.options ?? [])
        known.set(option.value, option.label)
    }
  }
}

function tooMany(field: string, label: string): ContractError {
  const what = 'Too many new values at once. Save some of them first'
  return new ContractError('invalid_input', `${label}: ${what}`, { [`body.${field}`]: what })
}

/** What is wrong with the values of a field; null when nothing is. */
function faultOf(
  choice: Choice,
  values: readonly string[],
  labels: ReadonlyMap<string, string>,
  stored: Stored,
): string | null {
  const { kind = 'select', single = false, required = false } = choice
  if (required && values.length === 0) return kind === 'select' ? 'Choose one' : 'Required'
  if ((single || kind !== 'select') && values.length > 1) return 'Only one can be chosen'
  if (kind === 'date') return values.every(isDate) ? null : 'Enter a date as YYYY-MM-DD'
  if (kind === 'text') return values.some((value) => CONTROL_CHARACTERS.test(value)) ? 'Enter text on one line' : null
  const unknown = values.find((value) => !labels.has(value))
  if (unknown === undefined) return groupFault(choice, values)
  return `${quoted(storedLabels(choice, stored).get(unknown) ?? unknown)} is not available`
}

/** Names two chosen options of one group, and the group; null where there are none. */
function groupFault({ options }: Choice, values: readonly string[]): string | null {
  const first = new Map<string, string>()
  for (const { value, label, group } of options) {
    if (!group || !values.includes(value)) continue
    const other = first.get(group.id)
    if (other !== undefined) {
      return `${quoted(other)} and ${quoted(label)} are both in the group ${quoted(group.label)}, of which only one can be chosen`
    }
    first.set(group.id, label)
  }
  return null
}

const quoted = (name: string) => `“${name.slice(0, MAX_QUOTE_LENGTH).toWellFormed()}”`

function isDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false
  const time = Date.parse(`${value}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value)
}

/** The stored settings with the new values. A field that was chosen before and is no longer offered is removed. */
function result(
  choices: readonly Choice[],
  values: ReadonlyMap<string, readonly string[]>,
  labels: ReadonlyMap<string, ReadonlyMap<string, string>>,
  stored: Stored,
  { submitted }: Given,
): Stored {
  const offered = new Set(choices.map(({ field }) => field))
  const removed = new Set(stored.chosen.map(({ field }) => field).filter((field) => !offered.has(field)))
  const kept = Object.entries(stored.settings).filter(([field]) => !removed.has(field))
  const written = choices
    .filter(({ field }) => submitted[field] !== undefined || Object.hasOwn(stored.settings, field))
    .map(({ field }) => [field, values.get(field) ?? []] as const)
  const chosen: Chosen[] = choices.flatMap(({ field, label }) => {
    const own = values.get(field) ?? []
    const named = own.map((value) => ({ value, label: labels.get(field)?.get(value) ?? value }))
    return own.length === 0 ? [] : [{ field, label, values: named }]
  })
  return { settings: Object.fromEntries([...kept, ...written]), chosen }
}
