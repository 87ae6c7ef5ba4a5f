import type { Preview } from './preview.ts'

/** The source of an import: an existing one, or a new one with this name. */
export type ChosenSource = { id: string | null; name: string }

const MAX_NAME = 200

/** The preselected source: that of the same file, else of the last one with the same header, else a new one with the file's name. */
export function firstChoice(
  fileName: string,
  { same, remembered }: Pick<Preview, 'same' | 'remembered'>,
): ChosenSource {
  const name = fileName.replace(/\.[a-z]{1,6}$/i, '').trim() || fileName
  return { id: (same ?? remembered)?.source?.id ?? null, name: name.slice(0, MAX_NAME) }
}

/** The same in the format of the call. With an empty name the server chooses one. */
export function sourceQuery({ id, name }: ChosenSource): { source: string; source_name?: string } {
  if (id !== null) return { source: id }
  const trimmed = name.trim().slice(0, MAX_NAME)
  return trimmed === '' ? { source: 'new' } : { source: 'new', source_name: trimmed }
}

/** The sources to choose from: those that were loaded, and the preselected one even before that, or if it came after. */
export function offeredSources<T extends { id: string }>(loaded: readonly T[] = [], preselected: T | null): T[] {
  const isThere = preselected === null || loaded.some(({ id }) => id === preselected.id)
  return isThere ? [...loaded] : [preselected, ...loaded]
}
