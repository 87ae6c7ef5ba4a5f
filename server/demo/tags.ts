import type { Tag } from '@groundswell/contract/settings.ts'

/** One tag of each kind, so that a new user sees values at once. */
export const demoTags: readonly Tag[] = [
  {
    name: 'Area',
    description:
      'The part of the product: Invoices (invoice, tax, VAT, subscription bill), Time tracking (timer, tracked hours, time entries), Reports (export, CSV, dashboard), Integrations (calendar, Jira, Xero, QuickBooks, DATEV, API) or Sign-in (SSO, password, locked out).',
  },
  { name: 'Share %', description: 'The share of all mentions that this insight has, in percent.' },
  { name: 'Last 7 days', description: 'How many mentions there were in the last 7 days, in total.' },
]
