import { WEBHOOK_PAYLOAD_VERSION, type WebhookPayload } from '@groundswell/contract/receivers/webhook-payload.ts'
import type { EvidenceRow, InsightRow, NamedCustomer, TagRow } from '../insights/index.ts'
import type { DeliveryEvent } from './store.ts'

/** The newest mentions in an event. */
export const PAYLOAD_MENTIONS = 20
/** The largest customers in an event. */
export const PAYLOAD_CUSTOMERS = 10

/** The page of an insight. `site`: the address of the web app, without a trailing slash. */
export function insightAddress(site: string, issueNumber: number): string {
  return `${site}/insights?issue=${issueNumber}`
}

/** What a destination gets: the current insight. `newMentions`: how many were in no earlier event. */
export function buildPayload(event: {
  type: DeliveryEvent
  eventId: string
  at: Date
  insight: InsightRow
  evidence: readonly EvidenceRow[]
  tags: readonly TagRow[]
  newMentions: number
  customers: readonly NamedCustomer[]
  /** The address of the web app, without a trailing slash. */
  site: string
}): WebhookPayload {
  const { insight, evidence, tags, customers, site } = event
  return {
    version: WEBHOOK_PAYLOAD_VERSION,
    type: event.type,
    timestamp: event.at.toISOString(),
    delivery_id: event.eventId,
    data: {
      insight: {
        id: insight.id,
        issue_number: insight.issueNumber,
        issue_name: insight.name,
        summary: insight.summary,
        status: insight.status,
        url: insightAddress(site, insight.issueNumber),
        mention_count: insight.mentionCount,
        people_count: insight.peopleCount,
        ...(insight.customerCount === 0
          ? {}
          : {
              customer_count: insight.customerCount,
              customers: customers.map(({ name, plan, revenue, mentions }) => ({ name, plan, revenue, mentions })),
            }),
        ...(insight.revenue === null ? {} : { revenue: insight.revenue }),
        first_seen: insight.firstSeen?.toISOString() ?? null,
        last_seen: insight.lastSeen?.toISOString() ?? null,
        categories: tags
          .filter(({ value }) => value !== null)
          .map(({ tag, kind, value }) => ({ name: tag, type: kind, value })),
        ...(insight.withdrawn ? { withdrawn: true } : {}),
      },
      new_mentions: event.newMentions,
      evidence: evidence.map((row) => ({
        text: row.text,
        author: row.author,
        date: row.saidAt.toISOString(),
        link: row.link,
        source: row.source,
      })),
    },
  }
}
