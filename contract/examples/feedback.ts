import { searchFeedback } from '../feedback/feedback-search.ts'
import { sendFeedback } from '../feedback/sent-feedback.ts'
import { getImport, getImportInsights, type Import, listFileSources, listImports } from '../feedback.ts'
import { type Example, example } from './example.ts'
import { exportInsight, exportMention, ids } from './shared.ts'

const source = { id: ids.source, name: 'tickets.csv' }

const done = {
  id: ids.import,
  name: 'tickets.csv',
  source,
  state: 'done',
  added: 1200,
  replaced: 0,
  known: 34,
  repeated: 0,
  bad: 1,
  context: 0,
  context_left_out: 0,
  own_by: null,
  own_people: [],
  undated: 0,
  bytes: 182_340,
  bytes_read: 182_340,
  grouped: 1200,
  restorable: 0,
  asks: null,
  problems: [{ line: 17, reason: 'the row has no text' }],
  repeats: [],
  error: null,
  started_at: '2026-05-31T08:00:00.000Z',
  finished_at: '2026-05-31T08:00:09.000Z',
} satisfies Import

/** Calls that send, find and list feedback. */
export const feedbackExamples: readonly Example[] = [
  example(sendFeedback, {
    body: {
      items: [
        {
          id: 'ticket-4182',
          text: exportMention.message,
          author: exportMention.author,
          date: '2026-05-31T09:30:00Z',
          link: exportMention.link,
          place: 'support',
          attributes: { plan: 'pro' },
        },
      ],
    },
    reply: { accepted: 1, changed: 0, unchanged: 0 },
  }),
  example(searchFeedback, {
    query: { words: 'download of big tables', by: 'meaning', from: '2026-05-01T00:00:00Z', limit: 50 },
    reply: {
      mentions: [
        {
          ...exportMention,
          insights: [{ issue_number: exportInsight.issue_number, issue_name: exportInsight.issue_name }],
          found_by: 'meaning',
        },
      ],
      total: 1,
      next_cursor: null,
      complete: true,
      meaning: 'used',
      near: [{ issue_number: exportInsight.issue_number, issue_name: exportInsight.issue_name }],
    },
  }),
  example(listImports, { reply: { imports: [done] } }),
  example(getImport, { params: { id: ids.import }, reply: done }),
  example(getImportInsights, {
    params: { id: ids.import },
    reply: {
      created: 1,
      grew: 1,
      others: 0,
      created_insights: [{ issue_number: 40, name: 'Invoices show the wrong tax number', mentions: 6 }],
      grown_insights: [{ issue_number: exportInsight.issue_number, name: exportInsight.issue_name, mentions: 13 }],
    },
  }),
  example(listFileSources, { reply: { sources: [{ ...source, messages: 1234, imports: 2 }] } }),
]
