import type { Choice } from '../connector.ts'
import { FILLED_FIELDS, kindOf, NAMED_FIELDS, settingOf } from './field-values.ts'
import { AllowedValue, type Field } from './schema.ts'

/** What issues are found and shown by: without these on its screen, a type cannot be used. */
const NEEDED: Readonly<Record<string, string>> = { summary: 'Summary', description: 'Description', labels: 'Labels' }

const DEPENDS_ON = ['site', 'project', 'issue_type']

type Option = { value: string; label: string; hint?: string }

/** The fields that neither Jira nor the insight fills. */
function requiredOf(fields: readonly Field[]): Field[] {
  return fields.filter(
    ({ fieldId, required, hasDefaultValue }) => required && hasDefaultValue !== true && !FILLED_FIELDS.has(fieldId),
  )
}

/** Why a field cannot be filled here: its kind, or a selection with nothing to select from. Null: it can. */
export function whyUnfillable(field: Field): string | null {
  const { type, items } = field.schema
  if (type === 'option-with-child' || items === 'option-with-child') return 'it is a cascading select'
  if (kindOf(field) === null) return `it takes values of the kind “${(items ?? type).slice(0, 40)}”`
  const isEmpty = Array.isArray(field.allowedValues) && optionsOf(field).length === 0
  return isEmpty ? 'Jira lists no values for it that can be chosen' : null
}

/** Names of fields that a type lacks or that cannot be filled here, each with the reason. */
export function obstaclesOf(fields: readonly Field[]): { fieldId: string; name: string; help: string }[] {
  const lacking = Object.entries(NEEDED)
    .filter(([id]) => !fields.some(({ fieldId }) => fieldId === id))
    .map(([fieldId, name]) => ({
      fieldId,
      name,
      help: `The screen of this issue type has no field ${name}, which is needed. Add it in Jira, or choose another type.`,
    }))
  const unknown = requiredOf(fields)
    .filter((field) => whyUnfillable(field) !== null)
    .map((field) => ({
      fieldId: field.fieldId,
      name: field.name,
      help: `Jira requires ${field.name}, which cannot be filled here: ${whyUnfillable(field) ?? ''}. Make it optional in Jira, or choose another type.`,
    }))
  return [...lacking, ...unknown]
}

/** Names of required fields that have no stored value yet. */
export function unfilledOf(fields: readonly Field[], settings: Readonly<Record<string, unknown>>): string[] {
  return requiredOf(fields)
    .filter((field) => {
      const kind = kindOf(field)
      const stored = kind === null ? null : settings[settingOf(kind, field)]
      return !Array.isArray(stored) || stored.length === 0
    })
    .map(({ name }) => name)
}

/**
 * A choice for each field that the type requires. One that cannot be filled is a choice without options, so that the type cannot be
 * saved and the person reads why. The people for fields with a person are not listed yet.
 */
export function requiredChoices(fields: readonly Field[]): Choice[] {
  const obstacles = obstaclesOf(fields).map(
    ({ fieldId, name, help }): Choice => ({
      field: `missing-${fieldId}`,
      label: name,
      help,
      single: true,
      required: true,
      dependsOn: DEPENDS_ON,
      options: [],
    }),
  )
  const fillable = requiredOf(fields).filter(({ fieldId }) => !NAMED_FIELDS.has(fieldId))
  return [...obstacles, ...fillable.flatMap((field) => choiceOf(field) ?? [])]
}

function choiceOf(field: Field): Choice | null {
  const kind = kindOf(field)
  if (kind === null || whyUnfillable(field) !== null) return null
  const base = {
    field: settingOf(kind, field),
    label: field.name,
    help: 'Jira requires it for this issue type.',
    required: true,
    dependsOn: DEPENDS_ON,
    options: [],
  }
  switch (kind) {
    case 'text':
    case 'paragraph':
      return { ...base, kind: 'text' }
    case 'number':
      return { ...base, kind: 'text', help: `${base.help} A number, such as 3.` }
    case 'words':
      return { ...base, kind: 'text', help: `${base.help} Separate words with spaces.` }
    case 'date':
    case 'time':
      return { ...base, kind: 'date', single: true }
    case 'option':
    case 'options':
      return { ...base, single: kind === 'option', options: optionsOf(field) }
    case 'user':
    case 'users':
      return { ...base, single: kind === 'user', searchable: true }
  }
}

/** The allowed values of a field, by their ids. */
export function optionsOf({ allowedValues }: Pick<Field, 'allowedValues'>): Option[] {
  return (allowedValues ?? []).flatMap((one) => {
    const { success, data } = AllowedValue.safeParse(one)
    return success ? [{ value: data.id, label: data.name ?? data.value ?? data.id }] : []
  })
}
