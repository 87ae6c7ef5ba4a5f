import { nameOf, type Role } from './names.ts'

/**
 * The export of one product. `has`: of each list one column is present. `columns`: which column is which, likeliest first.
 * Names are results of `nameOf`; one that ends in `*` is a prefix, for exports that write the time zone into it. `wordiest`:
 * the text is the column with the most words among its candidates, or among all where it has none.
 */
export type Preset = {
  label: string
  has: readonly (readonly string[])[]
  columns: Partial<Record<Role, readonly string[]>>
  wordiest?: boolean
}

export const presets: readonly Preset[] = [
  {
    // Our own export of insights: a row for each mention.
    label: 'Groundswell',
    has: [['issue_number'], ['mention_count'], ['mention_date'], ['mention_text']],
    columns: { text: ['mention_text'], author: ['mention_author'], date: ['mention_date'], link: ['mention_link'] },
  },
  {
    // Download reports → Reviews: UTF-16, one file per month. The link contains the review's id.
    label: 'Google Play',
    has: [['package_name'], ['star_rating'], ['review_text']],
    columns: {
      title: ['review_title'],
      text: ['review_text'],
      date: ['review_submit_date_and_time', 'review_submit_millis_since_epoch'],
      link: ['review_link'],
      id: ['review_link'],
    },
  },
  {
    // The customer reviews of the App Store Connect API, flat or as `attributes`.
    label: 'App Store Connect',
    has: [
      ['reviewer_nickname', 'attributes_reviewer_nickname'],
      ['body', 'attributes_body'],
      ['created_date', 'attributes_created_date'],
    ],
    columns: {
      title: ['title', 'attributes_title'],
      text: ['body', 'attributes_body'],
      author: ['reviewer_nickname', 'attributes_reviewer_nickname'],
      date: ['created_date', 'attributes_created_date'],
      id: ['id'],
    },
  },
  {
    // `gh issue list --json`, the REST API, and tools that write either as CSV.
    label: 'GitHub',
    has: [
      ['number', 'issue_number'],
      ['title', 'issue_title'],
      ['body', 'issue_body'],
      ['url', 'html_url', 'state', 'labels', 'assignees', 'milestone', 'issue_state', 'issue_labels'],
    ],
    columns: {
      title: ['title', 'issue_title'],
      text: ['body', 'issue_body'],
      author: ['author_login', 'user_login', 'author', 'user', 'issue_user'],
      date: ['created_at', 'issue_created_at'],
      link: ['url', 'html_url', 'issue_url'],
      id: ['url', 'html_url', 'number', 'issue_number'],
    },
  },
  {
    // Reports → Export → CSV, which has subjects only.
    label: 'Zendesk',
    has: [
      ['id', 'ticket_id'],
      ['requester', 'requester_name'],
      ['subject'],
      ['ticket_type', 'satisfaction_score', 'summation_column'],
    ],
    columns: {
      title: ['subject'],
      text: ['description', 'first_comment', 'comment', 'subject'],
      author: ['requester', 'requester_name', 'requester_email'],
      date: ['created_at'],
      id: ['id', 'ticket_id'],
    },
  },
  {
    // The full JSON export of tickets.
    label: 'Zendesk',
    has: [
      ['id'],
      ['subject'],
      ['description'],
      ['requester_id', 'requester_name'],
      ['via_channel', 'ticket_form_id', 'brand_id'],
    ],
    columns: {
      title: ['subject'],
      text: ['description'],
      author: ['requester_name', 'requester_email', 'requester_id'],
      date: ['created_at'],
      id: ['id'],
    },
  },
  {
    // Reports → Conversations → CSV; and the same by message.
    label: 'Intercom',
    has: [['conversation_id'], ['conversation_started_at*', 'conversation_created_at*', 'message_body']],
    columns: {
      text: [
        'message_body',
        'first_message',
        'conversation_first_message',
        'conversation_body',
        'conversation_rating_remark',
        'title',
        'conversation_title',
        'ai_conversation_summary',
      ],
      author: ['user_name', 'message_author_name', 'contact_name', 'user_email', 'message_author_email'],
      date: ['message_created_at*', 'conversation_started_at*', 'conversation_created_at*'],
      id: ['message_id', 'conversation_id'],
      thread: ['conversation_id'],
    },
    wordiest: true,
  },
  {
    // Conversations of the API, one per line.
    label: 'Intercom',
    has: [
      ['id'],
      ['source_body'],
      ['conversation_parts_type', 'conversation_parts_conversation_parts', 'source_delivered_as'],
    ],
    columns: {
      title: ['source_subject'],
      text: ['source_body'],
      date: ['created_at'],
      link: ['source_url'],
      id: ['id'],
    },
  },
  {
    // Results → Responses → CSV: one column per question.
    label: 'Typeform',
    has: [
      ['submit_date_utc', 'submitted_at'],
      ['network_id', 'token', 'response_type'],
    ],
    columns: { date: ['submit_date_utc', 'submitted_at'], id: ['#', 'token', 'response_id'] },
    wordiest: true,
  },
]

/** The product whose export has these columns; null for any other file. */
export function presetOf(columns: readonly string[]): Preset | null {
  return presets.find(({ has }) => has.every((any) => columnFor(any, columns) !== null)) ?? null
}

/** The first column that has one of these names, in the order of the names; null when there is none. */
export function columnFor(wanted: readonly string[], columns: readonly string[]): string | null {
  for (const name of wanted) {
    const start = name.endsWith('*') ? name.slice(0, -1) : null
    const found = columns.find((column) =>
      start === null ? nameOf(column) === name : nameOf(column).startsWith(start),
    )
    if (found !== undefined) return found
  }
  return null
}
