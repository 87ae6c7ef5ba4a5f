import { type Customer, getCustomer, listCustomers } from '../customers.ts'
import { listAskers } from '../insights/askers.ts'
import { listAttributeInsights, listAttributes } from '../insights/attributes.ts'
import { type Example, example } from './example.ts'
import { exportInsight, exportMention, ids } from './shared.ts'

const customer = {
  id: ids.customer,
  name: 'Acme',
  domain: 'acme.example',
  plan: 'Enterprise',
  revenue: 48_000,
  region: 'EMEA',
  messages: 17,
  insights: 4,
  listed: true,
  attributes: [{ name: 'Owner', value: 'Ida' }],
} satisfies Customer

/** Calls that show who feedback is from. */
export const customerExamples: readonly Example[] = [
  example(listCustomers, { query: { order: 'revenue' }, reply: { customers: [customer], total: 1, complete: true } }),
  example(getCustomer, {
    params: { id: customer.id },
    reply: { customer, issue_numbers: [exportInsight.issue_number] },
  }),
  example(listAttributes, {
    reply: {
      attributes: [
        {
          name: 'rating',
          messages: 17,
          values: [
            { value: '1', messages: 9 },
            { value: '2', messages: 6 },
            { value: '5', messages: 2 },
          ],
        },
      ],
      complete: true,
    },
  }),
  example(listAttributeInsights, {
    query: { attributes: 'rating=1&rating=2' },
    reply: { issue_numbers: [exportInsight.issue_number] },
  }),
  example(listAskers, {
    params: { issue_number: exportInsight.issue_number },
    reply: {
      askers: [
        {
          person: '9f2d3c5b7a8e4f10b6c1d2e3f4a5b6c7',
          name: exportMention.author,
          mentions: 2,
          date: exportMention.date,
          source: exportMention.source,
          place: exportMention.place,
          link: exportMention.link,
          text: exportMention.text,
          told: { by: 'Ann', at: '2026-06-20T08:15:00.000Z', merged_from: null },
        },
      ],
      total: 11,
      told: 1,
    },
  }),
]
