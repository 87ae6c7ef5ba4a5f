import { givenFields, insightOutputs } from '@groundswell/contract/insight-fields.ts'
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
        ...givenFields(insight, insightOutputs.push),
        url: insightAddress(site, insight.issue_number),
        ...(insight.customer_count === 0
          ? {}
          : { customers: customers.map(({ name, plan, revenue, mentions }) => ({ name, plan, revenue, mentions })) }),
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
