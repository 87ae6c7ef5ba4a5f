import { WEBHOOK_PAYLOAD_VERSION, type WebhookPayload } from '@groundswell/contract/receivers/webhook-payload.ts'

const DAY_MS = 24 * 3_600_000

/** A realistic insight, marked as a test by its type, so that a destination shows what it will get. */
export function examplePayload(deliveryId: string, at: Date, site: string): WebhookPayload {
  const daysAgo = (days: number) => new Date(at.getTime() - days * DAY_MS).toISOString()
  return {
    version: WEBHOOK_PAYLOAD_VERSION,
    type: 'insight.test',
    timestamp: at.toISOString(),
    delivery_id: deliveryId,
    data: {
      insight: {
        id: '00000000-0000-4000-8000-000000000000',
        issue_number: 1,
        issue_name: 'Export to CSV stops at 1,000 rows',
        summary: 'Customers who export large reports get only the first 1,000 rows, without a warning.',
        status: 'created',
        url: `${site}/insights`,
        mention_count: 3,
        people_count: 3,
        first_seen: daysAgo(9),
        last_seen: daysAgo(1),
        categories: [],
      },
      new_mentions: 3,
      evidence: [
        {
          text: 'The CSV export cuts off after 1,000 rows.',
          author: 'Dana',
          date: daysAgo(1),
          link: null,
          source: 'example',
        },
        {
          text: 'only got the first 1000 lines of our report',
          author: 'Luis',
          date: daysAgo(4),
          link: null,
          source: 'example',
        },
        {
          text: 'Is there a limit on exports? Ours ends at row 1000.',
          author: null,
          date: daysAgo(9),
          link: null,
          source: 'example',
        },
      ],
    },
  }
}
