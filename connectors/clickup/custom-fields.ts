import type { Choice, Context } from '../connector.ts'
import { Rejected } from '../kit/errors.ts'
import { call, path } from './client.ts'
import { type Field, Fields } from './schema.ts'

/** How a custom field is filled here, by ClickUp's type. */
const KINDS: Readonly<Record<string, Kind>> = {
  text: 'text',
  short_text: 'text',
  url: 'text',
  email: 'text',
  phone: 'text',
  number: 'number',
  currency: 'number',
  date: 'date',
  drop_down: 'option',
  labels: 'options',
}
type Kind = 'text' | 'number' | 'date' | 'option' | 'options'
const SETTING = /^field-(text|number|date|option|options)-(.+)$/

const DEPENDS_ON = ['workspace', 'space', 'folder', 'list']
const settingOf = (kind: Kind, { id }: Field) => `field-${kind}-${id}`

/** The fields that the list requires of ordinary tasks. */
export async function requiredFields(context: Context, list: string): Promise<Field[]> {
  const { fields } = await call(context, {
    method: 'GET',
    name: 'list/field',
    path: path`/list/${list}/field`,
    query: { include_applied_objects: true },
    headers: { 'content-type': 'application/json' },
    schema: Fields,
    subject: 'list',
  })
  return fields.filter((field) => field.required === true && appliesToTasks(field))
}

/** A field may be for some types of tasks only; 0 is an ordinary task. */
const appliesToTasks = ({ applied_objects: types }: Field) => !types?.length || types.some((one) => one.object_id === 0)

/** Null for a field that cannot be filled here: its type is not known, or there is nothing to select. */
function kindOf({ type, type_config }: Field): Kind | null {
  const kind = Object.hasOwn(KINDS, type) ? (KINDS[type] ?? null) : null
  const selects = kind === 'option' || kind === 'options'
  return selects && !type_config?.options?.length ? null : kind
}

/** Names of required fields that cannot be filled here. ClickUp creates the tasks without them. */
export const unfillable = (fields: readonly Field[]): string[] =>
  fields.filter((field) => kindOf(field) === null).map(({ name }) => name)

/** Names of required fields that have no stored value yet. */
export function unfilled(fields: readonly Field[], { settings }: Pick<Context, 'settings'>): string[] {
  return fields
    .filter((field) => {
      const kind = kindOf(field)
      if (kind === null) return false
      const stored = settings[settingOf(kind, field)]
      return !Array.isArray(stored) || stored.length === 0
    })
    .map(({ name }) => name)
}

/** A choice for each field. One that cannot be filled is a choice without options, which says so and can be left empty. */
export const fieldChoices = (fields: readonly Field[]): Choice[] => fields.map(choiceOf)

function choiceOf(field: Field): Choice {
  const { id, name, type_config } = field
  const kind = kindOf(field)
  if (kind === null) {
    const help = `The list requires ${name}, which cannot be filled here. ClickUp creates the tasks without it.`
    return { field: `unfillable-${id}`, label: name, help, single: true, dependsOn: DEPENDS_ON, options: [] }
  }
  const base = {
    field: settingOf(kind, field),
    label: name,
    help: 'The list requires it.',
    required: true,
    dependsOn: DEPENDS_ON,
    options: [],
  }
  switch (kind) {
    case 'text':
      return { ...base, kind: 'text' }
    case 'number':
      return { ...base, kind: 'text', help: `${base.help} A number, such as 3.` }
    case 'date':
      return { ...base, kind: 'date' }
    case 'option':
    case 'options':
      return {
        ...base,
        single: kind === 'option',
        options: (type_config?.options ?? []).map((option) => ({
          value: option.id,
          label: option.name ?? option.label ?? option.id,
        })),
      }
  }
}

/** The values of a new task's custom fields, as ClickUp expects them. */
export function fieldValues({ settings }: Pick<Context, 'settings'>): { id: string; value: unknown }[] {
  return Object.entries(settings).flatMap(([setting, stored]) => {
    const [, kind, id] = SETTING.exec(setting) ?? []
    const values = Array.isArray(stored) ? stored.filter((one): one is string => typeof one === 'string') : []
    const [first] = values
    if (kind === undefined || id === undefined || first === undefined) return []
    return [{ id, value: kind === 'options' ? values : valueOf(kind, first) }]
  })
}

function valueOf(kind: string, text: string): string | number {
  if (kind === 'number') {
    const number = Number(text)
    if (text.trim() === '' || !Number.isFinite(number)) {
      throw new Rejected('A custom field of ClickUp is no number: correct what is chosen for ClickUp')
    }
    return number
  }
  // Noon is on the same day almost everywhere.
  return kind === 'date' ? Date.parse(`${text}T12:00:00Z`) : text
}
