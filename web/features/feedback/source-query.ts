import type { Preview } from './preview.ts'

/** Where an import goes: a source that is there, or a new one of this name. */
export type ChosenSource = { id: string | null; name: string }

const MAX_NAME = 200

/** What is chosen at first: the source of the same file, else a new one named as the file. */
export function firstChoice(fileName: string, { same }: Pick<Preview, 'same'>): ChosenSource {
  const name = fileName.replace(/\.[a-z]{1,6}$/i, '').trim() || fileName
  return { id: same?.source.id ?? null, name: name.slice(0, MAX_NAME) }
}

/** The same as the call takes it. An empty name leaves it to the server. */
export function sourceQuery({ id, name }: ChosenSource): { source: string; source_name?: string } {
  if (id !== null) return { source: id }
  const trimmed = name.trim().slice(0, MAX_NAME)
  return trimmed === '' ? { source: 'new' } : { source: 'new', source_name: trimmed }
}
