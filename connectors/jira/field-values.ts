import type { Context } from '../connector.ts'
import type { AdfDocument } from '../kit/documents/document-adf.ts'
import { Rejected } from '../kit/errors.ts'
import type { Field } from './schema.ts'

/**
 * How a value is sent to Jira. It is the first part of the setting's name, such as `option-customfield_10001`, so that an issue can be
 * created without requesting the fields of its type again.
 */
type Kind = 'text' | 'paragraph' | 'number' | 'date' | 'time' | 'words' | 'option' | 'options' | 'user' | 'users'

const KINDS: ReadonlySet<string> = new Set<Kind>([
  'text',
  'paragraph',
  'number',
  'date',
  'time',
  'words',
  'option',
  'options',
  'user',
  'users',
])

/** Fields that are filled from the insight or from the choices of the connection. */
export const FILLED_FIELDS: ReadonlySet<string> = new Set(['summary', 'description', 'issuetype', 'project', 'labels'])
/** Fields with their own choice, whose name is that of the field. */
export const NAMED_FIELDS: ReadonlySet<string> = new Set(['components', 'priority', 'assignee'])

/** How a field can be filled; null where it cannot, such as a cascading select or a parent issue. */
export function kindOf({ schema, allowedValues }: Field): Kind | null {
  const { type, items, system, custom } = schema
  // Jira requires rich text in these, and plain text in all other fields.
  const isRich = system === 'environment' || system === 'description' || custom?.endsWith(':textarea') === true
  if (type === 'array') {
    if (allowedValues && items !== 'option-with-child') return 'options'
    return items === 'string' ? 'words' : items === 'user' ? 'users' : null
  }
  if (type === 'option-with-child') return null
  if (allowedValues) return 'option'
  if (type === 'string') return isRich ? 'paragraph' : 'text'
  if (type === 'datetime') return 'time'
  return type === 'number' || type === 'date' || type === 'user' ? type : null
}

/** The name of the setting with a field's values. */
export const settingOf = (kind: Kind, { fieldId }: Pick<Field, 'fieldId'>) =>
  NAMED_FIELDS.has(fieldId) ? fieldId : `${kind}-${fieldId}`

/** The values that are stored for required fields, as Jira's API wants them. */
export function fieldValues({ settings }: Pick<Context, 'settings'>): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [name, stored] of Object.entries(settings)) {
    const [, kind = '', id = ''] = /^([a-z]+)-([A-Za-z0-9_]{1,60})$/.exec(name) ?? []
    if (!KINDS.has(kind) || FILLED_FIELDS.has(id) || !Array.isArray(stored)) continue
    const values = stored.filter((value): value is string => typeof value === 'string' && value.trim() !== '')
    if (values.length > 0) fields[id] = valueOf(kind as Kind, values)
  }
  return fields
}

function valueOf(kind: Kind, values: readonly string[]): unknown {
  const [value = ''] = values
  switch (kind) {
    case 'text':
    case 'date':
      return value
    case 'paragraph':
      return paragraph(value)
    case 'number':
      return numberOf(value)
    case 'time':
      return `${value}T00:00:00.000+0000`
    case 'words':
      return wordsOf(values)
    case 'option':
      return { id: value }
    case 'options':
      return values.map((id) => ({ id }))
    case 'user':
      return { accountId: value }
    case 'users':
      return values.map((accountId) => ({ accountId }))
  }
}

const paragraph = (text: string): AdfDocument => ({
  type: 'doc',
  version: 1,
  content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
})

function numberOf(value: string): number {
  const number = Number(value.trim())
  if (!Number.isFinite(number)) {
    throw new Rejected('A field that Jira requires takes a number, and none is stored for it. Check what is chosen')
  }
  return number
}

/** Words that are separated by spaces or commas: Jira allows no spaces in them. */
export function wordsOf(texts: readonly string[] | null | undefined): string[] {
  return [...new Set((texts ?? []).flatMap((text) => text.split(/[\s,]+/)))].filter(
    (word) => word !== '' && word.length <= 255,
  )
}
