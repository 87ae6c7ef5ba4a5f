import type { Preset } from './preset.ts'

/** Help desks. */
export const tickets: readonly Preset[] = [
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
    html: ['source_subject', 'source_body'],
  },
]
