import { isDeepStrictEqual } from 'node:util'
import { countBy, MAX_TAGS, MIN_INPUTS, Settings, Tag } from '@groundswell/contract/settings.ts'
import { withoutControls } from '@groundswell/contract/values/name.ts'
import { storedField, storedObject } from '../../platform/db/stored.ts'

type Json = Record<string, unknown>

const { method, min_inputs, categories: _, ...optional } = Settings.shape

/** The stored settings. A field that is missing or does not fit is replaced by its default; a tag that does not fit is left out. */
export function settingsOf(stored: unknown): Settings {
  const values = storedObject(stored)
  const chosen = Object.entries(optional).map(([name, field]) => [name, storedField(field, values[name], undefined)])
  return {
    method: storedField(method, values.method, 'auto'),
    min_inputs: storedField(min_inputs, values.min_inputs, MIN_INPUTS.default),
    categories: entriesOf(values.categories).flatMap(({ tag }) => tag ?? []),
    ...Object.fromEntries(chosen.filter(([, value]) => value !== undefined)),
  }
}

/**
 * The settings to store when new ones are saved over stored ones. A save changes the fields that differ from what `settingsOf`
 * showed. Everything that it did not show stays: unknown fields, also of tags, values that do not fit, tags that cannot be
 * read (unless a tag of that name is saved), and optional fields that the save leaves out.
 */
export function mergedSettings(stored: unknown, saved: Settings): Json {
  const before = settingsOf(stored)
  const merged = storedObject(stored)
  for (const [name, value] of Object.entries(saved)) {
    if (name === 'categories' || value === undefined) continue
    const unchanged = name in merged && isDeepStrictEqual(before[name as keyof Settings], value)
    if (!unchanged) merged[name] = value
  }
  if (saved.count_by !== undefined) merged.count_people = saved.count_by === 'people'
  // A client that does not know customers changed what it knows.
  else if (
    before.count_by !== undefined &&
    saved.count_people !== undefined &&
    saved.count_people !== (before.count_people ?? false)
  ) {
    merged.count_by = countBy({ count_people: saved.count_people })
  }
  merged.categories = mergedTags(merged.categories, saved.categories)
  return merged
}

/** Each stored tag with its reading: null when it cannot be read, or exceeds the maximum number. */
function entriesOf(stored: unknown): { raw: unknown; tag: Tag | null }[] {
  let readable = 0
  return (Array.isArray(stored) ? stored : []).map((raw: unknown) => {
    // Names were not always checked.
    const { name, ...rest } = storedObject(raw)
    const tag = storedField(Tag, { ...rest, name: typeof name === 'string' ? withoutControls(name) : name }, null)
    if (tag) readable += 1
    return { raw, tag: readable > MAX_TAGS ? null : tag }
  })
}

/** A saved tag takes over the unknown fields of the stored one that it was: by its name, or its description if it was renamed. */
function mergedTags(stored: unknown, saved: readonly Tag[]): unknown[] {
  const entries = entriesOf(stored)
  const shown = entries.filter(({ tag }) => tag !== null)
  const taken = new Set<unknown>()
  const claim = (fits: (tag: Tag) => boolean): Json | null => {
    const found = shown.find((entry) => entry.tag !== null && !taken.has(entry) && fits(entry.tag))
    if (!found) return null
    taken.add(found)
    return storedObject(found.raw)
  }
  const byName = saved.map((tag) => claim(({ name }) => name === tag.name))
  const tags = saved.map((tag, at) => {
    const before = byName[at] ?? claim(({ description }) => description === tag.description)
    return { ...before, ...tag }
  })
  const names = new Set<unknown>(saved.map(({ name }) => name))
  const hidden = entries.filter(({ raw, tag }) => tag === null && !names.has(storedObject(raw).name))
  return [...tags, ...hidden.map(({ raw }) => raw)]
}
