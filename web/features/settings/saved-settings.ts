import { MIN_INPUTS, type Settings, TAG_DESCRIPTION_MIN } from '@groundswell/contract/settings.ts'

type TagDraft = { name: string; description: string }
export type SettingsDraft = { method: 'auto'; min_inputs: number; categories: TagDraft[]; count_people: boolean }

/** The form's start: the stored settings, with defaults for what another server leaves out. */
export function draftFrom(settings: Partial<Settings> | null | undefined): SettingsDraft {
  return {
    method: 'auto',
    min_inputs: settings?.min_inputs ?? MIN_INPUTS.default,
    categories: (settings?.categories ?? []).map(({ name, description }) => ({ name, description })),
    count_people: settings?.count_people ?? false,
  }
}

/** What is sent. `count_people` goes only to a server that knows of it. */
export function settingsFrom(draft: SettingsDraft, countsPeople: boolean): Settings {
  return {
    method: draft.method,
    min_inputs: draft.min_inputs,
    categories: draft.categories.map(({ name, description }) => ({
      name: name.trim(),
      description: description.trim(),
    })),
    ...(countsPeople ? { count_people: draft.count_people } : {}),
  }
}

/** What is wrong with a tag's description, in the words of the screen; null when it is long enough. */
export function descriptionProblem(description: string): string | null {
  const missing = TAG_DESCRIPTION_MIN - description.trim().length
  return missing > 0
    ? `Please enter ${missing} more character(s) to reach the ${TAG_DESCRIPTION_MIN}-character minimum.`
    : null
}

/** Whether a tag's name holds anything but spaces. */
export function isNamed(name: string): boolean {
  return name.trim().length > 0
}

/**
 * Reads the answer to a save: `{message, data}`, or that inside one more `data`. Where it holds no settings, those that were
 * sent stand; where it holds no message, the message is undefined.
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
