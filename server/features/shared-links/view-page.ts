import { counted, figure } from '@groundswell/connectors/kit/text/counted.ts'
import { getCustomer } from '@groundswell/contract/customers.ts'
import { insightFields, sharedEntries } from '@groundswell/contract/insight-fields.ts'
import { ATTRIBUTES_PART, listAttributeInsights } from '@groundswell/contract/insights/attributes.ts'
import { matcher, readInsightFilter } from '@groundswell/contract/insights/insight-filter.ts'
import { comparer, insightKey, SORT_PART } from '@groundswell/contract/insights/insight-order.ts'
import { insightFinder } from '@groundswell/contract/insights/insight-words.ts'
import type { Insight } from '@groundswell/contract/insights.ts'
import { CUSTOMER_PART } from '@groundswell/contract/views.ts'
import type { LinkTarget } from '../../auth/index.ts'
import type { Tx } from '../../platform/db/tenant.ts'
import { type Html, html } from '../../platform/html.ts'
import { withoutNames } from '../feedback/index.ts'
import { readInsightsByAttributes, readInsightsOf, readListed, readNewestAuthors } from '../insights/index.ts'
import { findView } from '../views/index.ts'
import { dateText, factText, stateText } from './insight-page.ts'
import { messagePage, pageOf } from './page.ts'

const MAX_ROWS = 200
/** How many of an insight's newest mentions are read for authors to conceal in its name. */
const MAX_AUTHORS = 20
const MAX_OF_CUSTOMER = 10_000
const DEFAULT_SORT = '-last_updated'

const names = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** The columns after the status, each with its words and class; the narrowest screens show the first one only. */
const COLUMNS = sharedEntries('view').map(([field, label], at) => {
  const kind = 'isTime' in insightFields[field] ? 'date' : 'number'
  return [field, label, at === 0 ? kind : `${kind} wide`] as const
})

type Shared = { status: number; page: string }

/** The page of a view: its insights as they are now, in its order. `accountId`: who created the link, and must be able to see the view. */
export async function viewPage(
  tx: Tx,
  workspaceId: string,
  viewId: string,
  link: LinkTarget & { accountId: string },
  now: Date,
): Promise<Shared> {
  const view = await findView(tx, workspaceId, link.accountId, viewId)
  if (!view) return { status: 410, page: messagePage('No longer available', 'This view was deleted or made private.') }
  const address = new URLSearchParams(view.query)
  const filter = readInsightFilter(address)
  const sort = address.get(SORT_PART) ?? DEFAULT_SORT
  const wanted = { evidence: filter.words.trim() !== '', trend: sort.endsWith('trend') }
  const isOfCustomer = await ofCustomer(tx, workspaceId, address.get(CUSTOMER_PART))
  const hasAttributes = await withAttributes(tx, workspaceId, address.get(ATTRIBUTES_PART))
  const listed = (await readListed(tx, workspaceId, now, wanted)).filter(
    (one) => isOfCustomer(one) && hasAttributes(one),
  )
  const passing = listed.filter(matcher(filter, now.getTime(), link.accountId, insightFinder(filter.words)))
  const sorted = inOrder(passing, sort)
  const listedRows = sorted.slice(0, MAX_ROWS)
  const numbers = listedRows.map((one) => one.issue_number)
  const authors = link.hideNames ? await readNewestAuthors(tx, workspaceId, numbers, MAX_AUTHORS) : new Map()
  const shown = (text: string, of: readonly string[] = []) => (link.hideNames ? withoutNames(text, of) : text)
  const rows = listedRows.map(
    (one) => html`<tr><td dir="auto">${shown(one.issue_name, authors.get(one.issue_number))}</td>
<td>${stateText(one)}</td>${COLUMNS.map(([field, , kind]) => cell(one[field], kind))}</tr>`,
  )
  const title = shown(view.name)
  const more = sorted.length - rows.length
  return {
    status: 200,
    page: pageOf(
      title,
      html`<p class="eyebrow">Customer feedback · ${counted(sorted.length, 'insight')}</p>
<h1 dir="auto">${title}</h1>
${
  rows.length === 0
    ? html`<p>No insights match this view at the moment.</p>`
    : html`<div class="table"><table><thead><tr><th scope="col">Insight</th><th scope="col">Status</th>
${COLUMNS.map(([, label, kind]) => html`<th scope="col" class="${kind}">${label}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>`
}
${more > 0 ? html`<p class="note">And ${figure(more)} more.</p>` : null}
<footer class="note">Read-only, as of ${dateText(now)}. Dates are in UTC.</footer>`,
    ),
  }
}

function cell(value: number | string | null | undefined, kind: string): Html {
  const shown = typeof value === 'string' && kind.startsWith('date') ? new Date(value) : value
  return html`<td class="${kind}">${shown === null || shown === undefined ? null : factText(shown)}</td>`
}

/** Whether a customer mentioned an insight; null: any or none. */
async function ofCustomer(tx: Tx, workspaceId: string, id: string | null): Promise<(insight: Insight) => boolean> {
  if (id === null) return () => true
  const { success: isId } = getCustomer.params.safeParse({ id })
  const numbers = isId ? await readInsightsOf(tx, workspaceId, id, MAX_OF_CUSTOMER) : []
  const mentioned = new Set(numbers)
  return ({ issue_number }) => mentioned.has(issue_number)
}

/** Whether an insight has a mention with the chosen values of attributes; null: any or none. */
async function withAttributes(
  tx: Tx,
  workspaceId: string,
  text: string | null,
): Promise<(insight: Insight) => boolean> {
  if (text === null) return () => true
  const { data } = listAttributeInsights.query.safeParse({ attributes: text })
  const found = new Set(data ? await readInsightsByAttributes(tx, workspaceId, data.attributes) : [])
  return ({ issue_number }) => found.has(issue_number)
}

/** Insights in the order of the table. */
function inOrder(insights: readonly Insight[], sort: string): Insight[] {
  const keyOf = insightKey(sort.replace(/^-/, '')) ?? (() => null)
  return insights
    .map((insight) => ({ insight, key: keyOf(insight) }))
    .sort(comparer(sort.startsWith('-'), names))
    .map(({ insight }) => insight)
}
