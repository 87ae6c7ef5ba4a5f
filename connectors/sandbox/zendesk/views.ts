import { type Account, type FieldDefinition, SUBDOMAIN } from './account.ts'
import { callView } from './calls.ts'
import type { StoredComment, StoredTicket, StoredUser } from './records.ts'

/** What Zendesk's API returns of each object. Properties that its description does not call nullable are left out where empty. */
export type Json = Record<string, unknown>

const HOME = `https://${SUBDOMAIN}.zendesk.com`
const time = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')

export function ticketView(ticket: StoredTicket, count: boolean): Json {
  const { id, subject, organization, fields, comments } = ticket
  return {
    url: `${HOME}/api/v2/tickets/${id}.json`,
    id,
    subject,
    raw_subject: subject,
    description: comments[0]?.plain ?? '',
    status: ticket.status,
    requester_id: ticket.requester,
    submitter_id: ticket.requester,
    ...(ticket.assignee === null ? {} : { assignee_id: ticket.assignee }),
    ...(organization === null ? {} : { organization_id: organization }),
    group_id: ticket.group,
    brand_id: ticket.brand,
    collaborator_ids: ticket.copied,
    follower_ids: [],
    email_cc_ids: [],
    tags: ticket.tags,
    via: { channel: ticket.channel, source: { from: {}, to: {}, rel: null } },
    custom_fields: fields,
    has_incidents: false,
    is_public: true,
    due_at: null,
    satisfaction_rating: { score: 'unoffered' },
    sharing_agreement_ids: [],
    allow_channelback: false,
    allow_attachments: true,
    from_messaging_channel: ticket.messaging,
    created_at: time(ticket.created),
    updated_at: time(ticket.updated),
    generated_timestamp: ticket.generated,
    ...(count ? { comment_count: comments.length } : {}),
  }
}

export function commentView({
  id,
  author,
  html,
  plain,
  created,
  attachments,
  channel,
  call,
  ...comment
}: StoredComment): Json {
  return {
    id,
    type: 'Comment',
    author_id: author,
    body: plain,
    html_body: html,
    plain_body: plain,
    public: comment.public,
    audit_id: id + 1_000_000,
    via: { channel, source: { from: {}, to: {}, rel: null } },
    ...(call ? callView(call, created) : {}),
    created_at: time(created),
    metadata: { system: {}, custom: {} },
    attachments: attachments.map((file_name, index) => ({
      id: id * 10 + index,
      file_name,
      content_url: `${HOME}/attachments/token/${id}/?name=${index}`,
      content_type: 'application/octet-stream',
      size: 2532,
      inline: false,
      deleted: false,
      thumbnails: [],
    })),
  }
}

export function userView({ id, name, email, role, organization, shared = false, changed }: StoredUser): Json {
  return {
    id,
    url: `${HOME}/api/v2/users/${id}.json`,
    name,
    email,
    role,
    organization_id: organization,
    active: true,
    verified: true,
    suspended: false,
    shared,
    shared_agent: shared,
    locale: 'en-US',
    created_at: '2024-01-01T00:00:00Z',
    updated_at: changed === undefined ? '2024-01-01T00:00:00Z' : time(changed),
    time_zone: 'Europe/Berlin',
    tags: [],
    user_fields: {},
  }
}

export const organizationView = ({ id, name }: { id: number; name: string }): Json => ({
  id,
  name,
  url: `${HOME}/api/v2/organizations/${id}.json`,
  created_at: '2024-01-01T00:00:00Z',
})

export const brandView = ({ id, name }: { id: number; name: string }): Json => ({
  id,
  name,
  subdomain: SUBDOMAIN,
  url: `${HOME}/api/v2/brands/${id}.json`,
  active: true,
  default: true,
  is_deleted: false,
})

export const groupView = ({ id, name }: { id: number; name: string }): Json => ({
  id,
  name,
  url: `${HOME}/api/v2/groups/${id}.json`,
  deleted: false,
  is_public: true,
})

export const fieldView = ({ id, title, options }: FieldDefinition): Json => ({
  id,
  title,
  type: options.length > 0 ? 'tagger' : 'text',
  active: true,
  ...(options.length > 0 ? { custom_field_options: options.map((option, index) => ({ id: index, ...option })) } : {}),
})

/** The `detail` of an event. Ids are texts here. */
export function eventDetail({ id, requester, group, brand, organization, ...ticket }: StoredTicket): Json {
  return {
    id: String(id),
    requester_id: String(requester),
    group_id: String(group),
    brand_id: String(brand),
    organization_id: organization === null ? null : String(organization),
    subject: ticket.subject,
    status: ticket.status.toUpperCase(),
    tags: ticket.tags,
    is_public: true,
    created_at: time(ticket.created),
    updated_at: time(ticket.updated),
    via: { channel: ticket.channel },
  }
}

/** The ids of people, for `include=users`. */
export const usersView = ({ users }: Account, ids: Iterable<number>): Json[] =>
  [...new Set(ids)].flatMap((id) => {
    const user = users.get(id)
    return user ? [userView(user)] : []
  })
