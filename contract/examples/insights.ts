import { listAlike } from '../insights/alike.ts'
import { listEmerging } from '../insights/emerging.ts'
import { getInsightDetail } from '../insights/insight-detail.ts'
import { getOverview } from '../insights/overview.ts'
import { listMergeSuggestions, listSuggestions } from '../insights/suggestions.ts'
import { listThemes } from '../insights/themes.ts'
import { getThread } from '../insights/thread.ts'
import { listChanges } from '../insights/visits.ts'
import { listEvidence, listInsights, listUngrouped } from '../insights.ts'
import { getReport, getReportChanges, getReportPart } from '../reports.ts'
import { type Example, example } from './example.ts'
import { exportInsight, exportMention, loneMention } from './shared.ts'

const { issue_number } = exportInsight

/** Calls that show insights. */
export const insightExamples: readonly Example[] = [
  example(listInsights, { reply: [exportInsight] }),
  example(listEvidence, {
    params: { issue_number },
    query: { limit: 1 },
    reply: { mentions: [exportMention], next_cursor: '1780219800000_4182_0' },
  }),
  example(listUngrouped, {
    query: { words: 'calendar', limit: 50 },
    reply: {
      mentions: [loneMention],
      total: 218,
      next_cursor: null,
      kinds: [
        { kind: 'request', count: 120 },
        { kind: 'problem', count: 98 },
      ],
    },
  }),
  example(listAlike, { query: { issue: issue_number }, reply: { issue_numbers: [31, 7] } }),
  example(getInsightDetail, {
    params: { issue_number },
    reply: {
      issue_number,
      people: [{ name: 'Zoe Lind', mentions: 2 }],
      sources: [{ source: 'helpdesk', place: 'support', mentions: 13 }],
      timeline: { unit: 'week', from: '2026-05-11T00:00:00.000Z', counts: [1, 2, 3] },
      categories: exportInsight.categories,
      history: [
        {
          at: '2026-05-31T00:00:00.000Z',
          event: 'grew',
          count: 3,
          change: {
            count: 3,
            new: 4,
            came: [],
            left: [{ cause: 'regrouped', count: 1 }],
            messages: [{ text: 'Printing the export takes minutes.', left: true, other: 12 }],
          },
        },
        { at: '2026-04-06T10:12:00.000Z', event: 'created' },
      ],
      locked: false,
      name_set_by: 'engine',
      kinds: [{ kind: 'problem', count: 13 }],
    },
  }),
  example(listEmerging, {
    reply: {
      total: 1,
      insights: [
        {
          emerging_id: 90,
          name: 'Dark calendar',
          summary: 'Customers ask for a calendar in dark colours.',
          mention_count: 2,
          people_count: 2,
          first_seen: '2026-05-12T11:00:00.000Z',
          last_seen: loneMention.date,
          evidence: [loneMention],
        },
      ],
    },
  }),
  example(listSuggestions, {
    params: { issue_number },
    reply: { total: 1, mentions: [{ ...loneMention, text: 'Downloading a big report never ends', score: 0.81 }] },
  }),
  example(listMergeSuggestions, {
    reply: {
      total: 1,
      groups: [
        {
          score: 0.93,
          insights: [
            {
              issue_number,
              name: exportInsight.issue_name,
              mention_count: 13,
              people_count: 11,
              evidence: [exportMention],
            },
            {
              issue_number: 31,
              name: 'Large reports cannot be downloaded',
              mention_count: 4,
              people_count: 4,
              evidence: [],
            },
          ],
        },
      ],
    },
  }),
  example(listThemes, {
    reply: {
      themes: [
        {
          theme_id: 3,
          name: 'Reports',
          by_person: false,
          issue_numbers: [issue_number, 31],
          mention_count: 17,
          trend: [1, 2, 0, 1, 2, 3, 2, 3],
        },
      ],
    },
  }),
  example(getOverview, {
    reply: {
      insights: 42,
      mentions: 618,
      emerging: 9,
      emerging_mentions: 21,
      suggested: 17,
      other_languages: 12,
      alone: 189,
      small_talk: 64,
    },
  }),
  example(getReport, {
    query: { from: '2026-05-18', to: '2026-05-31', by: 'kind' },
    reply: {
      time_zone: 'UTC',
      from: '2026-05-18',
      to: '2026-05-31',
      previous_from: '2026-05-04',
      unit: 'week',
      starts: ['2026-05-18', '2026-05-25'],
      all: { key: null, label: null, counts: [20, 31], total: 51, previous: 40 },
      series: [{ key: 'problem', label: null, counts: [14, 22], total: 36, previous: 25 }],
      others: null,
      tag: null,
      tags: ['Area'],
      first_day: '2026-01-12',
      last_day: '2026-05-31',
    },
  }),
  example(getReportPart, {
    query: { from: '2026-05-18', to: '2026-05-31', by: 'kind', key: 'problem' },
    reply: {
      insights: [{ issue_number, name: 'CSV export fails for large reports', total: 20, previous: 9 }],
      others: { insights: 7, total: 16, previous: 16 },
    },
  }),
  example(getReportChanges, {
    query: { from: '2026-05-18', to: '2026-05-31', by: 'theme' },
    reply: {
      changes: [
        {
          issue_number: null,
          key: '7',
          label: 'Sign-in',
          total: 24,
          previous: 12,
          since: '2026-05-22',
          mostly: { by: 'plan', key: 'Enterprise', label: null },
        },
      ],
      excluded: { ungrouped: 14, emerging: 3, small_talk: 5, deleted: 0 },
    },
  }),
  example(listChanges, {
    query: { since: '2026-05-30T00:00:00Z' },
    reply: {
      since: '2026-05-30T00:00:00.000Z',
      added: [{ issue_number, count: 3 }],
      changed: [{ issue_number, count: 2, new: 3, came: 0, left: 1 }],
      new: [],
      growing: [issue_number],
      quiet: [7],
      regressed: [],
      resolved: [],
    },
  }),
  example(getThread, {
    params: { issue_number, id: exportMention.id },
    reply: {
      messages: [
        {
          role: 'customer',
          text: exportMention.message,
          author: exportMention.author,
          date: exportMention.date,
          link: exportMention.link,
          attachments: ['report.png'],
          here: true,
        },
      ],
      attributes: [{ name: 'Subject', value: 'Export' }],
      earlier: false,
      later: false,
    },
  }),
]
