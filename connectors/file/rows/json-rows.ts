import { longIntegersOf } from '@groundswell/contract/values/long-integers.ts'
import { badRow, type RowReader } from './row.ts'

const MAX_DEPTH = 1_000
const NOT_JSON = 'The line is not valid JSON'
/** Shorter lines are parsed in a few milliseconds, however they are nested. */
const MAX_SHORT = 10_000

/**
 * The object of a JSON line, with long integers as text, or null when it is something else. A list of answers to questions becomes an object of
 * them, see `answersIn`. Throws what JSON.parse throws, and also for what is nested more than a thousand times: parsing that takes a tenth of a second.
 */
export function parseObject(text: string): Record<string, unknown> | null {
  if (text.length > MAX_SHORT && depthOf(text) > MAX_DEPTH) throw new SyntaxError('It is nested too deeply')
  const value: unknown = JSON.parse(text, longIntegersOf(text))
  if (!isObject(value)) return null
  const answers = answersIn(value.answers)
  return answers ? { ...value, answers } : value
}

/** How deep objects and lists are nested, at most. */
function depthOf(text: string): number {
  let [depth, most, quoted] = [0, 0, false]
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (quoted && sign === '\\') at++
    else if (sign === '"') quoted = !quoted
    else if (!quoted && (sign === '[' || sign === '{')) most = Math.max(most, ++depth)
    else if (!quoted && (sign === ']' || sign === '}')) depth--
  }
  return most
}

/**
 * The answers of a form by their questions, where each entry of a list names its question and what kind of value it has, as Typeform's API does:
 * `{ field: { ref }, type: 'text', text }`. What was chosen is its label. Null for any other value.
 */
function answersIn(list: unknown): Record<string, unknown> | null {
  if (!Array.isArray(list) || list.length === 0) return null
  const answers: Record<string, unknown> = {}
  for (const entry of list) {
    if (!isObject(entry) || !isObject(entry.field) || typeof entry.type !== 'string') return null
    const question = entry.field.ref ?? entry.field.id
    if (typeof question !== 'string' || !Object.hasOwn(entry, entry.type)) return null
    answers[question] = shownAnswer(entry[entry.type])
  }
  return answers
}

function shownAnswer(value: unknown): unknown {
  if (!isObject(value)) return value
  const chosen = Array.isArray(value.labels) ? value.labels : [value.label]
  return [...chosen, value.other].filter((one) => typeof one === 'string').join(', ')
}

/** Names of an object's cells; those of an object inside it are joined by a dot, `levels` names at most. */
export function pathsOf(object: Record<string, unknown>, levels = 3): string[] {
  return Object.entries(object).flatMap(([key, value]) =>
    levels > 1 && isObject(value) ? pathsOf(value, levels - 1).map((inner) => `${key}.${inner}`) : [key],
  )
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a path leads to. Names may have dots too: the shortest that exists is taken. */
function valueAt(value: unknown, path: string): unknown {
  if (!isObject(value)) return undefined
  if (Object.hasOwn(value, path)) return value[path]
  for (let dot = path.indexOf('.'); dot > 0; dot = path.indexOf('.', dot + 1)) {
    const name = path.slice(0, dot)
    const found = Object.hasOwn(value, name) ? valueAt(value[name], path.slice(dot + 1)) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** The text of a list of its parts, plain or with a form: `['The export ', { type: 'bold', text: 'fails' }]`. Null for any other value. */
function runsIn(value: unknown): string | null {
  if (!Array.isArray(value) || !value.some(isObject)) return null
  const parts = value.map((part: unknown) => (isObject(part) ? (part.plain_text ?? part.text) : part))
  return parts.every((part) => typeof part === 'string') ? parts.join('') : null
}

function cellAt(object: Record<string, unknown>, path: string): string {
  const value = valueAt(object, path)
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : (runsIn(value) ?? JSON.stringify(value))
}

/** JSON Lines: one object per line. Cells come in the order of `columns`; keys that are absent or null are empty. */
export function jsonRows(columns: readonly string[]): RowReader {
  return {
    push: ({ number, text, problem }) => {
      if (problem !== null) return [badRow(number, problem)]
      const trimmed = text.trim()
      if (trimmed === '') return []
      // The error of JSON.parse takes far longer than this look, and a file may be broken on each of its lines.
      if (trimmed.startsWith('{') && !trimmed.endsWith('}')) return [badRow(number, NOT_JSON)]
      try {
        const object = parseObject(text)
        if (!object) return [badRow(number, 'The line is JSON, but not an object in { }')]
        return [{ line: number, cells: columns.map((path) => cellAt(object, path)), problem: null }]
      } catch {
        return [badRow(number, NOT_JSON)]
      }
    },
    end: () => [],
  }
}
