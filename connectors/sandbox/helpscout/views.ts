import type { Account } from './account.ts'
import type { Named, StoredConversation, StoredThread } from './records.ts'

/** What Help Scout's API returns of each object. */
export type Json = Record<string, unknown>

const API = 'https://api.helpscout.net/v2'
const time = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')
/** The length of a preview. */
const PREVIEW = 160

/** A page of a list. Without items there is no `_embedded`. */
export function pageView(key: string, path: string, items: readonly Json[], number: number, size: number): Json {
  const shown = items.slice((number - 1) * size, number * size)
  const totalPages = Math.ceil(items.length / size)
  const link = (page: number) => ({ href: `${API}/${path}?page=${page}` })
  return {
    ...(shown.length > 0 ? { _embedded: { [key]: shown } } : {}),
    page: { size, totalElements: items.length, totalPages, number },
    _links: {
      self: link(number),
      first: link(1),
      last: link(Math.max(1, totalPages)),
      ...(number < totalPages ? { next: link(number + 1) } : {}),
      page: { href: `${API}/${path}{?page}`, templated: true },
    },
  }
}

const personView = ({ people }: Account, id: number): Json => {
  const found = people.get(id)
  return found ? { ...found, photoUrl: null } : { id }
}

/** Threads that are part of its number: no line items, drafts or hidden ones. */
const isCounted = ({ type, state }: StoredThread) => type !== 'lineitem' && state === 'published'

export function conversationView(account: Account, conversation: StoredConversation): Json {
  const { id, number, threads, waiting, userUpdated, tags, fields } = conversation
  const last = threads.filter(isCounted).at(-1)
  return {
    id,
    number,
    threads: threads.filter(isCounted).length,
    type: conversation.type,
    folderId: 493,
    status: conversation.status,
    state: conversation.state,
    subject: conversation.subject,
    preview: last ? last.html.replace(/<[^>]*>/g, ' ').slice(0, PREVIEW) : '',
    mailboxId: conversation.mailbox,
    assignee: null,
    createdBy: personView(account, conversation.customer),
    createdAt: time(conversation.created),
    closedBy: null,
    closedByUser: null,
    closedAt: null,
    userUpdatedAt: time(userUpdated),
    customerWaitingSince: waiting
      ? { time: time(userUpdated), friendly: 'a while ago', latestReplyFrom: 'customer' }
      : { time: '', friendly: '' },
    source: { type: 'email', via: 'customer' },
    tags: tags.map((tag, index) => ({ id: 9150 + index, color: '#929499', tag })),
    cc: [],
    bcc: [],
    primaryCustomer: personView(account, conversation.customer),
    customFields: fields,
    _embedded: {},
    _links: {
      self: { href: `${API}/conversations/${id}` },
      mailbox: { href: `${API}/mailboxes/${conversation.mailbox}` },
      threads: { href: `${API}/conversations/${id}/threads` },
      web: { href: `https://secure.helpscout.net/conversation/${id}/${number}` },
    },
  }
}

export function threadView(account: Account, conversation: StoredConversation, thread: StoredThread): Json {
  const { id, type, state, html, by, created, attachments, action } = thread
  return {
    id,
    type,
    status: 'active',
    state,
    action: action ? { ...action, text: null } : { type: 'default', associatedEntities: {} },
    ...(type === 'lineitem' ? {} : { body: html }),
    source: { type: 'email', via: account.people.get(by)?.type ?? 'customer' },
    customer: personView(account, conversation.customer),
    createdBy: personView(account, by),
    assignedTo: null,
    savedReplyId: 0,
    to: [],
    cc: [],
    bcc: [],
    createdAt: time(created),
    openedAt: null,
    _embedded: {
      attachments: attachments.map((filename, index) => ({
        id: id * 10 + index,
        filename,
        mimeType: 'application/octet-stream',
        width: null,
        height: null,
        size: 2532,
        state: 'valid',
      })),
    },
    _links: {},
  }
}

export const mailboxView = ({ id, name }: Named): Json => ({
  id,
  name,
  slug: name.toLowerCase(),
  email: `${name.toLowerCase()}@example.com`,
  createdAt: '2024-01-01T00:00:00Z',
  updatedAt: '2024-01-01T00:00:00Z',
  _links: { self: { href: `${API}/mailboxes/${id}` } },
})

/** The person who created the app, or who signed in. */
export const userView = (email: string, companyId: number): Json => ({
  id: 1,
  firstName: 'Ada',
  lastName: 'Admin',
  email,
  role: 'owner',
  timezone: 'Europe/Berlin',
  companyId,
})
