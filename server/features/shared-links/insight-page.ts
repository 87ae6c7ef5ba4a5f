import { connectorById } from '@groundswell/connectors/index.ts'
import { counted, figure } from '@groundswell/connectors/kit/text/counted.ts'
import { sharedEntries } from '@groundswell/contract/insight-fields.ts'
import type { TeamStatus } from '@groundswell/contract/insights/team-status-value.ts'
import type { Insight } from '@groundswell/contract/insights.ts'
import type { LinkTarget } from '../../auth/index.ts'
import type { Tx } from '../../platform/db/tenant.ts'
import { type Html, html } from '../../platform/html.ts'
import { withoutNames } from '../feedback/index.ts'
import { type EvidenceRow, type InsightRow, readInsight, readNewestEvidence, readTrend } from '../insights/index.ts'
import { messagePage, pageOf } from './page.ts'

const MAX_QUOTES = 20
const BAR = 20
const HEIGHT = 72

const STATUS = {
  created: 'New',
  pushed: 'In progress',
  resolved: 'Resolved',
  regressed: 'Reported again',
  ignored: 'Ignored',
} as const

const TEAM_STATUS = {
  planned: 'Planned',
  in_progress: 'In progress',
  shipped: 'Shipped',
  wont_do: 'Won’t do',
} as const

const dates = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })

/** A day of UTC as the pages show it, such as Mar 2, 2026. */
export const dateText = (date: Date) => dates.format(date)
/** The words of a status: the team’s where it set one. */
export const stateText = ({ status, team_status }: Pick<Insight, 'status'> & { team_status?: TeamStatus | null }) =>
  team_status ? TEAM_STATUS[team_status] : STATUS[status]
/** A field of an insight as the pages show it. */
export const factText = (value: Date | number | string) =>
  value instanceof Date ? dateText(value) : typeof value === 'number' ? figure(value) : value

/** The page of an insight in its current state; if it no longer exists, a page that says so. */
export async function insightPage(
  tx: Tx,
  workspaceId: string,
  issueNumber: number,
  link: LinkTarget,
  now: Date,
): Promise<{ status: number; page: string }> {
  const insight = await readInsight(tx, workspaceId, issueNumber)
  if (!insight?.shown) {
    return {
      status: 410,
      page: messagePage('No longer available', 'This insight was deleted, or merged into another one.'),
    }
  }
  const evidence = await readNewestEvidence(tx, workspaceId, [issueNumber], MAX_QUOTES)
  const trend = await readTrend(tx, workspaceId, insight, now)
  const authors = evidence.map((one) => one.author)
  const shown = (text: string) => (link.hideNames ? withoutNames(text, authors) : text)
  const name = shown(insight.issue_name)
  return {
    status: 200,
    page: pageOf(
      name,
      html`<p class="eyebrow">Customer feedback · ${stateText(insight)}</p><h1 dir="auto">${name}</h1>
${link.hideQuotes ? null : html`<p class="summary" dir="auto">${shown(insight.summary)}</p>`}
<dl>${factsOf(insight)}</dl>${trendFigure(trend)}${
        link.hideQuotes ? null : quotesOf(evidence, link, shown, insight.mention_count)
      }
<footer class="note">Read-only, as of ${dateText(now)}. Dates are in UTC.</footer>`,
    ),
  }
}

function factsOf(insight: InsightRow): Html[] {
  return sharedEntries('insight').flatMap(([field, label]) => {
    const value = insight[field]
    return value === null ? [] : [html`<div><dt>${label}</dt><dd>${factText(value)}</dd></div>`]
  })
}

function trendFigure({ until, weeks }: { until: Date; weeks: readonly number[] }): Html | null {
  const most = Math.max(...weeks)
  if (most <= 0) return null
  const total = weeks.reduce((sum, one) => sum + one, 0)
  const bars = weeks.map((count, at) => {
    const height = count <= 0 ? 1 : Math.max(3, Math.round((count / most) * HEIGHT))
    return html`<rect x="${at * BAR}" y="${HEIGHT - height}" width="${BAR - 4}" height="${height}" rx="2"></rect>`
  })
  const words = `${counted(total, 'mention')} in the 12 weeks until ${dateText(until)}`
  return html`<figure><svg role="img" aria-label="${words}, by week: ${weeks.join(', ')}"
 viewBox="0 0 ${weeks.length * BAR - 4} ${HEIGHT}" preserveAspectRatio="none">${bars}</svg>
<figcaption>${words}</figcaption></figure>`
}

function quotesOf(
  evidence: readonly EvidenceRow[],
  link: LinkTarget,
  shown: (text: string) => string,
  total: number,
): Html | null {
  if (evidence.length === 0) return null
  const items = evidence.map(({ text, author, saidAt, source }) => {
    const by = [link.hideNames ? null : author, dateText(saidAt), labelOf(source)].filter((one) => one !== null)
    return html`<li><blockquote dir="auto">${shown(text)}</blockquote><p class="by">${by.join(' · ')}</p></li>`
  })
  const title = evidence.length < total ? `The newest ${evidence.length} of ${figure(total)} mentions` : 'Quotes'
  return html`<h2>${title}</h2><ul>${items}</ul>`
}

function labelOf(connector: string): string {
  return connectorById(connector)?.manifest.label ?? connector
}
