import type { Choice, Context } from '../connector.ts'
import type { PatchOperation } from './client.ts'
import type { TypeField } from './schema.ts'

const PREFIX = 'field-'
const REFERENCE = /^[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)+$/

/** The choices for the fields that a type always requires and that have no default. System fields are filled by us or by Azure. */
export function requiredChoices(fields: readonly TypeField[]): Choice[] {
  return fields.filter(isToChoose).map((field) => {
    const options = (field.allowedValues ?? []).filter(
      (value) => typeof value === 'string' || typeof value === 'number',
    )
    const choice: Choice = {
      field: `${PREFIX}${field.referenceName}`,
      label: field.name,
      help: 'The type requires it.',
      single: true,
      required: true,
      dependsOn: ['in_organization', 'project', 'type'],
      options: options.map((value) => ({ value: String(value), label: String(value) })),
    }
    return options.length > 0 ? choice : { ...choice, kind: 'text' as const }
  })
}

function isToChoose({ referenceName, alwaysRequired, defaultValue }: TypeField): boolean {
  const hasDefault = defaultValue !== undefined && defaultValue !== null && defaultValue !== ''
  return alwaysRequired === true && !hasDefault && !referenceName.startsWith('System.') && REFERENCE.test(referenceName)
}

/** The values that are stored for required fields, as operations of a JSON Patch. */
export function requiredValues({ settings }: Pick<Context, 'settings'>): PatchOperation[] {
  return Object.entries(settings).flatMap(([name, stored]) => {
    const reference = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : ''
    const value: unknown = Array.isArray(stored) ? stored[0] : undefined
    if (!REFERENCE.test(reference) || reference.startsWith('System.')) return []
    if (typeof value !== 'string' || value === '') return []
    return [{ op: 'add' as const, path: `/fields/${reference}`, value }]
  })
}
