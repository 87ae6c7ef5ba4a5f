import type { Connector } from '@groundswell/connectors/connector.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import { z } from 'zod'

/** Field → list of values. */
export type FieldLists = Readonly<Record<string, readonly string[]>>

const MAX_FIELDS = 50

const Lists = z
  .record(z.string().min(1).max(100), z.array(z.string().max(500)).max(1000))
  .refine((lists) => Object.keys(lists).length <= MAX_FIELDS, 'too many fields')

/** Reads lists from the JSON text of a query; none when it is absent. Anything else is refused as `invalid_input` at `place`. */
export function readFieldLists(text: string | undefined, place: string): FieldLists {
  if (text === undefined || text === '') return {}
  const parsed = Lists.safeParse(readJson(text))
  if (parsed.success) return parsed.data
  throw new ContractError('invalid_input', 'This is not a list of values by field', {
    [place]: 'Must be JSON such as {"field":["value"]}',
  })
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * The settings with a draft's values in place of stored ones. Only choices can be drafted: settings of the form and of the sign-in
 * decide where secrets are sent.
 */
export function withDraft(
  { manifest, oauth }: Connector,
  settings: Record<string, unknown>,
  draft: FieldLists,
): Record<string, unknown> {
  const own = new Set([...manifest.fields, ...(oauth?.fields ?? [])].map(({ name }) => name))
  for (const name of manifest.secretFields) own.add(name)
  const refused = Object.keys(draft).find(
    (field) => own.has(field) || (Object.hasOwn(settings, field) && !Array.isArray(settings[field])),
  )
  if (refused === undefined) return { ...settings, ...draft }
  throw noSuchChoice(refused)
}

/** The error for a field that cannot be chosen. */
export function noSuchChoice(field: string): ContractError {
  const what = 'There is no such choice'
  return new ContractError('invalid_input', what, { [`body.${field}`]: what })
}

/** The values of a stored setting; none when it is not a list. */
export function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
}
