import type { ScreenField } from './screens.ts'
import type { Json, Site } from './site.ts'

const MAX_TEXT = 32_767
const TOO_LONG = 'The entered text is too long. It exceeds the allowed limit of 32,767 characters.'
const NOT_ADF = 'Operation value must be an Atlassian Document (see the Atlassian Document Format)'

/** What is wrong with the fields of a request, by field, in Jira's words. */
export function faultsOf(site: Site, screen: readonly ScreenField[], fields: Json): Record<string, string> {
  const faults: Record<string, string> = {}
  for (const [id, value] of Object.entries(fields)) {
    const field = screen.find(({ fieldId }) => fieldId === id)
    const fault = field
      ? faultOf(site, field, value)
      : `Field '${id}' cannot be set. It is not on the appropriate screen, or unknown.`
    if (fault !== null) faults[id] = fault
  }
  return faults
}

/** Required fields that a request to create an issue lacks. */
export function lackingOf(screen: readonly ScreenField[], fields: Json): Record<string, string> {
  return Object.fromEntries(
    screen
      .filter(({ fieldId, required, hasDefaultValue }) => required && !hasDefaultValue && fields[fieldId] === undefined)
      .map(({ fieldId, name }) => [fieldId, `${name} is required.`]),
  )
}

function faultOf(site: Site, field: ScreenField, value: unknown): string | null {
  const { schema, allowedValues, fieldId, name } = field
  if (fieldId === 'summary') return summaryFault(value)
  if (schema.system === 'description' || schema.custom?.endsWith(':textarea')) return textFault(value)
  if (fieldId === 'issuetype' || fieldId === 'project') return null
  if (schema.type === 'array') {
    if (!Array.isArray(value)) return 'data was not an array'
    const faults = value.map((one) => (schema.items === 'string' ? wordFault(one) : idFault(site, field, one)))
    return faults.find((fault) => fault !== null) ?? null
  }
  if (allowedValues || schema.type === 'user') return idFault(site, field, value)
  if (schema.type === 'number') return typeof value === 'number' ? null : 'Operation value must be a number'
  if (typeof value !== 'string') return 'Operation value must be a string'
  if (schema.type === 'date') return /^\d{4}-\d\d-\d\d$/.test(value) ? null : `Error parsing date string: ${value}`
  if (schema.type !== 'datetime') return value.length <= 255 ? null : `${name} must be less than 255 characters`
  return /^\d{4}-\d\d-\d\dT[\d:.]+\+\d{4}$/.test(value) ? null : `Error parsing time: ${value}`
}

function summaryFault(value: unknown): string | null {
  if (typeof value !== 'string' || value.trim() === '') return 'You must specify a summary of the issue.'
  if (/[\n\r]/.test(value)) return 'The summary is invalid because it contains newline characters.'
  return value.length <= 255 ? null : 'Summary must be less than 255 characters.'
}

function textFault(value: unknown): string | null {
  const document = value as { type?: unknown; version?: unknown; content?: unknown } | null
  if (document?.type !== 'doc' || document.version !== 1 || !Array.isArray(document.content)) return NOT_ADF
  return JSON.stringify(value).length <= MAX_TEXT ? null : TOO_LONG
}

const wordFault = (value: unknown) =>
  typeof value === 'string' && !/\s/.test(value) && value.length <= 255
    ? null
    : 'The label contains spaces which is invalid.'

function idFault(site: Site, { schema, allowedValues, name }: ScreenField, value: unknown): string | null {
  if (schema.type === 'user' || schema.items === 'user') {
    const { accountId } = (value ?? {}) as { accountId?: string }
    return site.people.some((person) => person.accountId === accountId) ? null : 'Specify a valid value for user'
  }
  const { id } = (value ?? {}) as { id?: string }
  return allowedValues?.some((one) => one.id === id) ? null : `Specify a valid 'id' or 'name' for ${name}`
}
