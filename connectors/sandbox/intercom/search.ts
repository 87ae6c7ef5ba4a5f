import type { StoredConversation } from './records.ts'
import { type Json, listedView } from './views.ts'

type Filter = { field?: unknown; operator?: unknown; value?: unknown }
type Request = {
  query?: Filter
  sort?: { field?: unknown; order?: unknown }
  pagination?: { per_page?: unknown; starting_after?: unknown }
}

const DEFAULT_SIZE = 20
const MAX_SIZE = 150
const FIELDS = ['updated_at', 'created_at'] as const

/**
 * A page of the search; null where the request is invalid. Without a sort order, the newest change comes first. `inclusive`: `>` and
 * `<` include the value itself, as Intercom's documentation says in one place and not in another.
 */
export function searchPage(
  conversations: Iterable<StoredConversation>,
  request: Request,
  inclusive: boolean,
): Json | null {
  const size = Number(request.pagination?.per_page ?? DEFAULT_SIZE)
  if (!Number.isInteger(size) || size < 1 || size > MAX_SIZE || !request.query) return null
  const all: StoredConversation[] = []
  for (const conversation of conversations) {
    if (conversation.indexed === null) continue
    const is = matches(conversation, request.query, inclusive)
    if (is === null) return null
    if (is) all.push(conversation)
  }
  const { field = 'updated_at', order = 'descending' } = request.sort ?? {}
  if (field !== 'updated_at' || (order !== 'ascending' && order !== 'descending')) return null
  const sign = order === 'ascending' ? 1 : -1
  const isBefore = (a: Place, b: Place) => sign * (a.at - b.at || a.id - b.id)
  const sorted = all.toSorted((a, b) => isBefore(placeOf(a), placeOf(b)))
  const after = request.pagination?.starting_after ?? null
  const from = typeof after === 'string' ? decode(after) : null
  if (after !== null && from === null) return null
  const rest = from === null ? sorted : sorted.filter((one) => isBefore(placeOf(one), from) > 0)
  const shown = rest.slice(0, size)
  const last = shown.at(-1)
  const next = last && rest.length > size ? { per_page: size, starting_after: encode(placeOf(last)) } : null
  return {
    type: 'conversation.list',
    conversations: shown.map(listedView),
    total_count: all.length,
    pages: {
      type: 'pages',
      page: 1,
      per_page: size,
      total_pages: Math.ceil(all.length / size),
      ...(next ? { next } : {}),
    },
  }
}

/** Null for a filter that this stand-in does not know. */
function matches(
  conversation: StoredConversation,
  { field, operator, value }: Filter,
  inclusive: boolean,
): boolean | null {
  if (operator === 'AND' && Array.isArray(value)) {
    const all = value.map((one: Filter) => matches(conversation, one, inclusive))
    return all.includes(null) ? null : all.every(Boolean)
  }
  const bound = Number(value)
  if (!FIELDS.includes(field as 'updated_at') || !Number.isInteger(bound)) return null
  const at = field === 'updated_at' ? (conversation.indexed ?? 0) : conversation.created
  if (operator === '>') return inclusive ? at >= bound : at > bound
  if (operator === '<') return inclusive ? at <= bound : at < bound
  return null
}

type Place = { at: number; id: number }

const placeOf = ({ indexed, id }: StoredConversation): Place => ({ at: indexed ?? 0, id: Number(id) })
const encode = ({ at, id }: Place) => Buffer.from(JSON.stringify([at, id])).toString('base64')

/** Null for an invalid cursor. Trailing marks are part of a fault, and are ignored. */
function decode(cursor: string): Place | null {
  const parts = /^\[(\d+),(\d+)\]~*$/.exec(Buffer.from(cursor, 'base64').toString())
  return parts ? { at: Number(parts[1]), id: Number(parts[2]) } : null
}
