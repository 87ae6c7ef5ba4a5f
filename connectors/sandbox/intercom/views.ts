import type { Person, StoredConversation, StoredMessage, StoredPart } from './records.ts'
import { WORKSPACE, WORKSPACE_ID } from './workspace.ts'

/** What Intercom's API returns of each object. */
export type Json = Record<string, unknown>

/** Intercom returns no more parts of a conversation than the newest 500. */
const MAX_PARTS = 500

const authorView = ({ type, id, name, email }: Person): Json => ({ type, id, name, email })

const attachmentsView = ({ attachments }: StoredMessage): Json[] =>
  attachments.map((name, index) => ({
    type: 'upload',
    name,
    url: `https://downloads.intercom.example/${index}`,
    content_type: 'application/octet-stream',
    filesize: 2532,
    width: 0,
    height: 0,
  }))

const partView = (part: StoredPart): Json => ({
  type: 'conversation_part',
  id: part.id,
  part_type: part.type,
  body: part.html,
  created_at: part.created,
  updated_at: part.updated,
  notified_at: part.created,
  assigned_to: null,
  author: authorView(part.author),
  attachments: attachmentsView(part),
  external_id: null,
  redacted: part.redacted,
  email_message_metadata: null,
  state: 'open',
  tags: [],
  event_details: null,
  app_package_code: null,
})

function ticketView({ id, ticket, created, updated, team, source }: StoredConversation): Json | null {
  if (ticket === null) return null
  return {
    type: 'ticket',
    id,
    ticket_id: id.slice(-3),
    category: ticket.category,
    ticket_attributes: ticket.attributes,
    ticket_state: { type: 'ticket_state', id: '8577', category: 'submitted', internal_label: 'Submitted' },
    contacts: {
      type: 'contact.list',
      contacts: [{ type: 'contact', id: source.author.id, external_id: source.author.email }],
    },
    admin_assignee_id: null,
    team_assignee_id: team === null ? null : String(team),
    created_at: created,
    updated_at: updated,
    open: true,
    snoozed_until: null,
    is_shared: ticket.category === 'Customer',
  }
}

/** A conversation as the search returns it: without parts, and with the time that the search knows. */
export function listedView(conversation: StoredConversation): Json {
  const { id, source, team, tags, topics, company, parts } = conversation
  const customer = source.author
  return {
    type: 'conversation',
    id,
    created_at: conversation.created,
    updated_at: conversation.indexed ?? conversation.updated,
    waiting_since: null,
    snoozed_until: null,
    title: conversation.title,
    source: {
      type: conversation.channel,
      id: `${id}9`,
      delivered_as: 'customer_initiated',
      subject: conversation.subject,
      body: source.html,
      author: authorView(source.author),
      attachments: attachmentsView(source),
      url: null,
      redacted: source.redacted,
    },
    contacts: { type: 'contact.list', contacts: [{ type: 'contact', id: customer.id, external_id: customer.email }] },
    teammates: null,
    first_contact_reply: null,
    admin_assignee_id: null,
    team_assignee_id: team,
    open: conversation.state === 'open',
    state: conversation.state,
    read: false,
    priority: 'not_priority',
    tags: { type: 'tag.list', tags: tags.map((tag) => ({ type: 'tag', ...tag })) },
    topics: { type: 'topic.list', topics: topics.map((name, index) => ({ type: 'topic', id: index + 1, name })) },
    company: company === null ? null : { type: 'company', id: 'c-1', name: company },
    custom_attributes: conversation.attributes,
    ticket: ticketView(conversation),
    sla_applied: null,
    conversation_rating: null,
    statistics: { type: 'conversation_statistics', count_reopens: 0, count_conversation_parts: parts.length },
    linked_objects: { type: 'list', data: [], total_count: 0, has_more: false },
    ai_agent: null,
    ai_agent_participated: false,
  }
}

/** A conversation with its newest parts. */
export function conversationView(conversation: StoredConversation): Json {
  const parts = conversation.parts.slice(-MAX_PARTS)
  return {
    ...listedView(conversation),
    updated_at: conversation.updated,
    conversation_parts: {
      type: 'conversation_part.list',
      conversation_parts: parts.map(partView),
      total_count: parts.length,
    },
  }
}

/** The teammate who created the token, with the workspace. */
export const meView = (region: string): Json => ({
  type: 'admin',
  id: '991267',
  name: 'Ada Admin',
  email: 'ada@tallybrook.example',
  email_verified: true,
  has_inbox_seat: true,
  app: {
    type: 'app',
    id_code: WORKSPACE_ID,
    name: WORKSPACE,
    region,
    timezone: 'Europe/Berlin',
    created_at: 1_700_000_000,
    identity_verification: false,
  },
})

export const teamView = ({ id, name }: { id: string; name: string }): Json => ({
  type: 'team',
  id,
  name,
  admin_ids: [991_267],
})

export const tagView = ({ id, name }: { id: string; name: string }): Json => ({ type: 'tag', id, name })
