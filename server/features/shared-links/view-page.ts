import { getCustomer } from '@groundswell/contract/customers.ts'
import { matcher, readInsightFilter } from '@groundswell/contract/insight-filter.ts'
import type { Insight } from '@groundswell/contract/insights.ts'
import { CUSTOMER_PART } from '@groundswell/contract/views.ts'
import type { LinkTarget } from '../../auth/index.ts'
import type { Tx } from '../../platform/db/tenant.ts'
import { html } from '../../platform/html.ts'
import { readInsightsOf, readListed } from '../insights/index.ts'
import { findView } from '../views/index.ts'
import { countText, dateText, stateText } from './insight-page.ts'
import { messagePage, pageOf } from './page.ts'
import { withoutNames } from './redact.ts'

const MAX_ROWS = 200
const MAX_OF_CUSTOMER = 10_000
const DEFAULT_SORT = '-last_updated'
const TAG = 'tag:'

const names = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

type Shared = { status: number; page: string }

/** The page of a view: its insights as they are now, in its order. `accountId`: who made the link, and has to see the view. */
export async function viewPage(
  tx: Tx,
  workspaceId: string,
  viewId: string,
  link: LinkTarget & { accountId: string },
  now: Date,
): Promise<Shared> {
  const view = await findView(tx, workspaceId, link.accountId, viewId)
  if (!view) return { status: 410, page: messagePage('No longer there', 'This view was deleted or made private.') }
  const address = new URLSearchParams(view.query)
  const filter = readInsightFilter(address)
  const sort = address.get('sort') ?? DEFAULT_SORT
  const wanted = { evidence: filter.words.trim() !== '', trend: sort.endsWith('trend') }
  const isChosen = await ofCustomer(tx, workspaceId, address.get(CUSTOMER_PART))
  const listed = (await readListed(tx, workspaceId, now, wanted)).filter(isChosen)
  const passing = listed.filter(matcher(filter, now.getTime(), link.accountId))
  const sorted = inOrder(passing, sort)
  const shown = (text: string) => (link.hideNames ? withoutNames(text) : text)
  const rows = sorted.slice(0, MAX_ROWS).map(
    (one) => html`<tr><td dir="auto">${shown(one.issue_name)}</td>
<td>${stateText({ status: one.status, teamStatus: one.team_status ?? null })}</td>
<td class="number">${countText(one.mention_count ?? 0)}</td><td class="number wide">${countText(one.people_count ?? 0)}</td>
<td class="date wide">${one.last_seen ? dateText(new Date(one.last_seen)) : null}</td></tr>`,
  )
  const title = shown(view.name)
  const more = sorted.length - rows.length
  return {
    status: 200,
    page: pageOf(
      title,
      html`<p class="eyebrow">Customer feedback · ${countText(sorted.length)} ${sorted.length === 1 ? 'insight' : 'insights'}</p>
<h1 dir="auto">${title}</h1>
${
  rows.length === 0
    ? html`<p>No insight passes the filters of this view at the moment.</p>`
    : html`<div class="table"><table><thead><tr><th scope="col">Insight</th><th scope="col">Status</th>
<th scope="col" class="number">Mentions</th><th scope="col" class="number wide">People</th><th scope="col" class="wide">Latest</th></tr></thead>
<tbody>${rows}</tbody></table></div>`
}
${more > 0 ? html`<p class="note">And ${countText(more)} more.</p>` : null}
<footer class="note">Read-only, as of ${dateText(now)}. Dates are in UTC.</footer>`,
    ),
  }
}

/** Whether a customer mentioned an insight; null: any or none. */
async function ofCustomer(tx: Tx, workspaceId: string, id: string | null): Promise<(insight: Insight) => boolean> {
  if (id === null) return () => true
  const { success: isId } = getCustomer.params.safeParse({ id })
  const numbers = isId ? await readInsightsOf(tx, workspaceId, id, MAX_OF_CUSTOMER) : []
  const mentioned = new Set(numbers)
  return ({ issue_number }) => mentioned.has(issue_number)
}

/** As the table sorts: insights without a value are last in both directions, and equal ones are ordered by number. */
function inOrder(insights: readonly Insight[], sort: string): Insight[] {
  const descending = sort.startsWith('-')
  const keyOf = keyIn(sort.replace(/^-/, ''))
  const keyed = insights.map((insight) => ({ insight, key: keyOf(insight) }))
  const compare = (a: string | number, b: string | number) =>
    typeof a === 'number' && typeof b === 'number' ? a - b : names.compare(String(a), String(b))
  keyed.sort(({ insight: one, key: a }, { insight: other, key: b }) => {
    const order =
      a === null || b === null ? Number(a === null) - Number(b === null) : (descending ? -1 : 1) * compare(a, b)
    return order || other.issue_number - one.issue_number
  })
  return keyed.map(({ insight }) => insight)
}

function keyIn(column: string): (insight: Insight) => string | number | null {
  if (column.startsWith(TAG)) {
    const name = column.slice(TAG.length)
    return (one) => one.categories.find((tag) => tag.cat_name === name)?.option_value ?? null
  }
  switch (column) {
    case 'issue_name':
      return (one) => one.issue_name
    case 'status':
      return (one) => one.status
    case 'team_status':
      return (one) => one.team_status ?? null
    case 'main_kind':
      return (one) => one.main_kind ?? null
    case 'mentions':
      return (one) => one.mention_count ?? 0
    case 'customers':
      return (one) => one.customer_count ?? null
    case 'revenue':
      return (one) => one.revenue ?? null
    case 'trend':
      return (one) => (one.trend ?? []).reduce((sum, week) => sum + week, 0)
    default:
      return (one) => Date.parse(one.last_updated)
  }
}
