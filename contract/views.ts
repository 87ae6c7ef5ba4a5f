import * as z from 'zod/mini'
import { ATTRIBUTES_PART } from './insights/attributes.ts'
import { INSIGHT_FILTER_PARTS } from './insights/insight-filter.ts'
import { SORT_PART } from './insights/insight-order.ts'
import { route } from './route.ts'
import { nameOf } from './values/name.ts'

/** How many views a person may have. */
export const MAX_VIEWS = 50

const MAX_QUERY = 2_000

/** The parameter of the address with the id of the customer whose insights are shown. */
export const CUSTOMER_PART = 'customer'

/**
 * The parameters of the address of the insights that a view keeps: those of the filter (`insight-filter.ts`), the customer, the
 * attributes, the order and the grouping.
 */
export const VIEW_PARTS: readonly string[] = [
  ...Object.values(INSIGHT_FILTER_PARTS),
  CUSTOMER_PART,
  ATTRIBUTES_PART,
  SORT_PART,
  'group',
]

/** What a view keeps of an address, always in the same order. */
export function viewQuery(address: URLSearchParams): string {
  const kept = new URLSearchParams()
  for (const name of VIEW_PARTS) for (const value of address.getAll(name)) if (value) kept.append(name, value)
  return kept.toString()
}

/**
 * Filters, order and grouping of the table of insights under a name. `query`: the address of /insights that shows it, without the question
 * mark. `shared`: the whole workspace sees it; only the person who made it (`mine`) changes it. `made_by`: that person's name.
 */
export const SavedView = z.object({
  view_id: z.string(),
  name: z.string(),
  query: z.string(),
  shared: z.boolean(),
  mine: z.boolean(),
  made_by: z.string(),
  updated_at: z.string(),
})
export type SavedView = z.infer<typeof SavedView>

const Name = nameOf(80)
const Query = z.string().check(z.maxLength(MAX_QUERY))
const ViewId = z.object({ view_id: z.uuid() })

export const listViews = route({
  name: 'listViews',
  summary: 'The saved views that the caller sees, by name: their own and those shared with the workspace',
  method: 'GET',
  path: '/api/views',
  access: 'viewer',
  reply: z.object({ views: z.array(SavedView) }),
  errors: [],
})

/** Parameters that no view keeps are left out of `query`. */
export const createView = route({
  name: 'createView',
  summary: 'Save filters, order and grouping of the table of insights under a name',
  method: 'POST',
  path: '/api/views',
  access: 'member',
  audit: { action: 'view.saved' },
  body: z.object({ name: Name, query: Query, shared: z.boolean() }),
  reply: SavedView,
  errors: ['invalid_input', 'conflict'],
  example: () => ({ body: { name: 'A view', query: 'q=export', shared: false } }),
})

/** `not_found`: there is no such view, or it is another person’s. `conflict`: the caller already has a view with this name. */
export const updateView = route({
  name: 'updateView',
  summary: 'Change your own view; omitted fields stay as they are',
  method: 'PATCH',
  path: '/api/views/{view_id}',
  access: 'member',
  audit: { action: 'view.changed', target: 'view_id' },
  params: ViewId,
  body: z.object({ name: z.optional(Name), query: z.optional(Query), shared: z.optional(z.boolean()) }),
  reply: SavedView,
  errors: ['invalid_input', 'not_found', 'conflict'],
  example: ({ view }) => ({ params: { view_id: view }, body: { name: 'another' } }),
})

/** `not_found`: there is no such view, or it is another person’s. */
export const deleteView = route({
  name: 'deleteView',
  summary: 'Delete a view of one’s own',
  method: 'DELETE',
  path: '/api/views/{view_id}',
  access: 'member',
  audit: { action: 'view.deleted', target: 'view_id' },
  params: ViewId,
  reply: z.object({ view_id: z.string() }),
  errors: ['invalid_input', 'not_found'],
  example: ({ view }) => ({ params: { view_id: view } }),
})
