import { exampleValues } from '../insight-fields.ts'
import type { Insight, Mention } from '../insights.ts'

// What several examples show: one workspace with an insight about exports and another about the mail that resets a password.

/** The newest mention of the insight about exports. */
export const exportMention = {
  id: '4182:0',
  text: 'The CSV export fails on large reports',
  link: 'https://desk.example.com/tickets/4182',
  date: '2026-05-31T09:30:00.000Z',
  author: 'Zoe Lind',
  source: 'helpdesk',
  place: 'support',
  message: 'Hello, the CSV export fails on large reports. Can you help?',
  start: 11,
  end: 48,
  kind: 'problem',
  kind_set_by: 'engine',
} satisfies Mention

/** A mention that is in no insight. */
export const loneMention = {
  id: '4207:0',
  text: 'Please add a dark calendar',
  link: null,
  date: '2026-05-30T16:05:00.000Z',
  author: 'Sam Okoro',
  source: 'helpdesk',
  place: null,
  kind: 'request',
  kind_set_by: 'engine',
} satisfies Mention

/** The insight about exports. */
export const exportInsight = {
  ...exampleValues,
  evidence: [exportMention],
  categories: [
    { cat_name: 'Area', cat_type: 'category', option_value: 'Reports', option_colour: null, set_by: 'engine' },
  ],
  trend: [0, 0, 1, 0, 1, 2, 0, 1, 2, 1, 2, 3],
  trend_end: null,
} satisfies Insight

/** Names of an import, a source, a customer and a correction. */
export const ids = {
  import: '0b7c1a52-8f0d-4a7e-9a43-1d9b7f7f5a10',
  source: '5f0e6f0c-41a5-4d3c-8f0f-6b7a8b0e2c11',
  customer: '7d1f2a90-3c4b-4e5d-8f6a-9b0c1d2e3f40',
  correction: 'c2a1d9f4-52b5-4a57-8c5e-7d6f3b2a1908',
} as const
