import { withoutControls } from '@groundswell/contract/values/name.ts'

/** PostgreSQL's text holds every character but NUL; halves of surrogate pairs cannot be written as UTF-8 either. */
export function clean<T extends string | null>(text: T): T {
  if (text === null) return text
  const cleaned = text.includes('\0') ? text.replaceAll('\0', '') : text
  return cleaned.toWellFormed() as T
}

/** The name of a person or a place, which is one line of what can be seen. Null when nothing of it can. */
export function cleanName(name: string | null): string | null {
  if (name === null) return null
  const cleaned = withoutControls(name.toWellFormed())
  return cleaned === '' && name !== '' ? null : cleaned
}

/** The value as JSON that PostgreSQL can store: its strings, and the names of its fields, are cleaned. */
export function cleanJson(value: readonly string[] | Readonly<Record<string, string>>): string {
  if (Array.isArray(value)) return JSON.stringify(value.map((one: string) => clean(one)))
  return JSON.stringify(Object.fromEntries(Object.entries(value).map(([name, one]) => [clean(name), clean(one)])))
}
