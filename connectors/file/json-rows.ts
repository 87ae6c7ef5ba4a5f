import { longIntegersOf } from '@groundswell/contract/long-integers.ts'
import { badRow, type RowReader } from './row.ts'

/** The object of a JSON line, with long integers as text, or null when it is something else. Throws what JSON.parse throws. */
export function parseObject(text: string): Record<string, unknown> | null {
  const value: unknown = JSON.parse(text, longIntegersOf(text))
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null
}

/** Names of an object's cells; those of an object inside it are joined by a dot, one level deep. */
export function pathsOf(object: Record<string, unknown>): string[] {
  return Object.entries(object).flatMap(([key, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.keys(value).map((inner) => `${key}.${inner}`)
      : [key],
  )
}

function cellAt(object: Record<string, unknown>, path: string): string {
  let value = Object.hasOwn(object, path) ? object[path] : undefined
  const dot = path.indexOf('.')
  if (value === undefined && dot > 0) {
    const inner = Object.hasOwn(object, path.slice(0, dot)) ? object[path.slice(0, dot)] : undefined
    const key = path.slice(dot + 1)
    if (typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)) {
      value = (inner as Record<string, unknown>)[key]
    }
  }
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** JSON Lines: one object per line. Cells come in the order of `columns`; keys that are absent or null are empty. */
export function jsonRows(columns: readonly string[]): RowReader {
  return {
    push: ({ number, text, problem }) => {
      if (problem !== null) return [badRow(number, problem)]
      if (text.trim() === '') return []
      try {
        const object = parseObject(text)
        if (!object) return [badRow(number, 'The line is JSON, but not an object in { }')]
        return [{ line: number, cells: columns.map((path) => cellAt(object, path)), problem: null }]
      } catch {
        return [badRow(number, 'The line is not valid JSON')]
      }
    },
    end: () => [],
  }
}
