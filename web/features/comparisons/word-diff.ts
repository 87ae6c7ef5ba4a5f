import { diffWords } from 'diff'
import { isPlainObject, textOf } from '../../ui/text/plain-text.ts'
import type { ComparisonView } from './comparison-view.ts'

/** A run of words: in both texts, only in the first, or only in the second. */
export type DiffPart = { text: string; side: 'both' | 'first' | 'second' }

/** One key of one response of two generators. `same`: word for word the same. */
export type DiffEntry = { key: string; same: boolean; parts: DiffPart[] }

/** The responses of two generators of a comparison, row by row and key by key, down to the words. */
export function diffGenerators(comparison: ComparisonView, first: number, second: number): DiffEntry[][] {
  return comparison.rows
    .map((row) => [new Map(row[first] ?? []), new Map(row[second] ?? [])] as const)
    .map(([one, other]) =>
      [...new Set([...one.keys(), ...other.keys()])].map((key) =>
        diffTexts(key, readable(one.get(key)), readable(other.get(key))),
      ),
    )
    .filter((entries) => entries.length > 0)
}

function diffTexts(key: string, one: string, other: string): DiffEntry {
  const parts = diffWords(one, other).map(
    ({ value, added, removed }): DiffPart => ({ text: value, side: removed ? 'first' : added ? 'second' : 'both' }),
  )
  return { key, same: one === other, parts }
}

/** A value as text with a line for each entry of a list. */
function readable(value: unknown): string {
  if (value === undefined) return ''
  if (Array.isArray(value)) return value.map((item) => `• ${readable(item)}`).join('\n')
  if (isPlainObject(value)) {
    return Object.entries(value)
      .map(([key, inner]) => `${key}: ${textOf(inner)}`)
      .join('\n')
  }
  return textOf(value)
}
