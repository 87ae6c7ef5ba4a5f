import {
  type CountBy,
  countBy,
  MIN_INPUTS,
  type Settings,
  TAG_DESCRIPTION_MIN,
} from '@groundswell/contract/settings.ts'

type TagDraft = { name: string; description: string }
/** The settings of a workspace as their form edits them. */
export type SettingsDraft = {
  method: 'auto'
  min_inputs: number
  categories: TagDraft[]
  count_by: CountBy
  hold_guesses: boolean
}

/** The form's initial values: the stored settings, with defaults for what another server omits. */
export function draftFrom(settings: Partial<Settings> | null | undefined): SettingsDraft {
  return {
    method: 'auto',
    min_inputs: settings?.min_inputs ?? MIN_INPUTS.default,
    categories: (settings?.categories ?? []).map(({ name, description }) => ({ name, description })),
    count_by: countBy(settings ?? {}),
    hold_guesses: settings?.hold_guesses ?? false,
  }
}

/** What a server can count (customers: it can hold guessed names too), by its settings and whether it is ours: mentions alone, people too, or customers too. */
export function countable(settings: Partial<Settings> | null | undefined, isOurs: boolean): readonly CountBy[] {
  if (isOurs || settings?.count_by !== undefined) return ['mentions', 'people', 'customers']
  return settings?.count_people === undefined ? ['mentions'] : ['mentions', 'people']
}

/** The body to send, with what this server can count. */
export function settingsFrom(draft: SettingsDraft, can: readonly CountBy[]): Settings {
  return {
    method: draft.method,
    min_inputs: draft.min_inputs,
    categories: draft.categories.map(({ name, description }) => ({
      name: name.trim(),
      description: description.trim(),
    })),
    ...(can.includes('people') ? { count_people: draft.count_by === 'people' } : {}),
    ...(can.includes('customers') ? { count_by: draft.count_by, hold_guesses: draft.hold_guesses } : {}),
  }
}

/** The error of a tag's description, as shown; null when it is long enough. */
export function descriptionProblem(description: string): string | null {
  const missing = TAG_DESCRIPTION_MIN - description.trim().length
  return missing > 0
    ? `Please enter ${missing} more character(s) to reach the ${TAG_DESCRIPTION_MIN}-character minimum.`
    : null
}

/** Whether a tag has a name: one that is not blank. */
export function isNamed(name: string): boolean {
  return name.trim().length > 0
}

/**
 * Parses the reply to a save: `{message, data}`, or that inside another `data`. Without settings in it, the sent ones are used;
 * without a message, the message is undefined.
 */
export function readSaved(answer: unknown, sent: Settings): { settings: Settings; message: string | undefined } {
  let message: string | undefined
  let part: unknown = answer
  for (let depth = 0; depth < 3 && isRecord(part); depth += 1) {
    if (typeof part['message'] === 'string' && part['message'] !== '') message ??= part['message']
    if (Array.isArray(part['categories'])) return { settings: onlySettings(part, sent), message }
    part = part['data']
  }
  return { settings: sent, message }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function onlySettings(part: Record<string, unknown>, sent: Settings): Settings {
  const { message: _, data: __, ...settings } = part
  return { ...sent, ...settings }
}
