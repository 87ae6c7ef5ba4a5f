import { ContractError } from '@groundswell/contract/errors.ts'
import type * as z from 'zod/mini'
import { MAX_DEPTH } from './parse-json.ts'

type Part = 'params' | 'query' | 'body'

/** Errors of a part that are named: what has more is no slip, and thousands of names help nobody. */
const MAX_FAULTS = 1_000

/** A part of a request as its schema makes it, or what is wrong with it: dotted path → reason. */
export type CheckedPart = { data: unknown } | { faults: Record<string, string> }

/** A body that was checked by the schema of its call already, in another thread. */
export class CheckedBody {
  readonly part: CheckedPart

  constructor(part: CheckedPart) {
    this.part = part
  }
}

/** Checks one part of a request by its schema. */
export function checkPart(schema: z.ZodMiniType, value: unknown, part: Part): CheckedPart {
  const unstorable = findUnstorable(value)
  if (unstorable) return { faults: { [unstorable.path]: unstorable.reason } }
  const result = schema.safeParse(value)
  return result.success ? { data: result.data } : { faults: faults(result.error.issues, part) }
}

/**
 * Parses the parts of a request by a route's schemas. A part that the route does not name is undefined. The errors of
 * all parts are named in one `invalid_input`, by their dotted path within the part. A `CheckedBody` is taken as it was checked.
 */
export function parseInput(
  schemas: Partial<Record<Part, z.ZodMiniType>>,
  given: Record<Part, unknown>,
): Record<Part, unknown> {
  const fields = new Map<string, string>()
  const parsed: Record<Part, unknown> = { params: undefined, query: undefined, body: undefined }
  for (const part of ['params', 'query', 'body'] as const) {
    const schema = schemas[part]
    if (!schema) continue
    const value = given[part]
    const checked = value instanceof CheckedBody ? value.part : checkPart(schema, value, part)
    if ('data' in checked) parsed[part] = checked.data
    else for (const [path, reason] of Object.entries(checked.faults)) fields.set(path, reason)
  }
  const [first] = fields
  if (first) {
    const [path, reason] = first
    throw new ContractError('invalid_input', `${path}: ${reason}`, Object.fromEntries(fields))
  }
  return parsed
}

/** Dotted path → its first error, of the first thousand; an error of the whole part is listed as `whole`. */
export function faults(issues: readonly z.core.$ZodIssue[], whole: string): Record<string, string> {
  // A path may be `__proto__`, which only a map stores like any other.
  const fields = new Map<string, string>()
  for (const issue of issues) {
    const path = issue.path.length > 0 ? issue.path.map(String).join('.') : whole
    if (!fields.has(path)) fields.set(path, issue.message)
    if (fields.size === MAX_FAULTS) break
  }
  return Object.fromEntries(fields)
}

/**
 * Text that no database row can hold (NUL, half of a surrogate pair), and nesting that would exhaust the stack of code that
 * walks it. Done without recursion for the same reason.
 */
function findUnstorable(value: unknown): { path: string; reason: string } | null {
  if (typeof value === 'string') return refusalOf(unstorableText(value), null)
  const open: Branch[] = typeof value === 'object' && value !== null ? [{ value, key: '', within: null, depth: 0 }] : []
  for (let at = open.pop(); at; at = open.pop()) {
    if (at.depth === MAX_DEPTH) return refusalOf(`nested more than ${MAX_DEPTH} levels deep`, at)
    const list = Array.isArray(at.value)
    for (const key in at.value) {
      if (!Object.hasOwn(at.value, key)) continue
      const inner = (at.value as Record<string, unknown>)[key]
      const reason = (list ? null : unstorableText(key)) ?? (typeof inner === 'string' ? unstorableText(inner) : null)
      if (reason) return refusalOf(reason, { key, within: at })
      if (typeof inner === 'object' && inner !== null) open.push({ value: inner, key, within: at, depth: at.depth + 1 })
    }
  }
  return null
}

/** A value within another one. Its path is made only if it is refused: there may be a hundred thousand. */
type Place = { key: string; within: Place | null }
type Branch = Place & { value: object; depth: number }

function refusalOf(reason: string | null, place: Place | null): { path: string; reason: string } | null {
  if (reason === null) return null
  const keys: string[] = []
  for (let at = place; at; at = at.within) keys.unshift(at.key)
  const path = keys.filter((key) => key !== '').join('.')
  return { path: path.slice(0, 200).replaceAll('\0', '').toWellFormed() || 'body', reason }
}

function unstorableText(text: string): string | null {
  if (text.includes('\0')) return 'must not hold the character NUL'
  return text.isWellFormed() ? null : 'must be well-formed Unicode'
}
