import type { CompanyMessage } from '../company/company.ts'
import { callText } from './calls.ts'
import { createExport, type TicketExport } from './export.ts'
import type { CallPost, ChatPost, Role, StoredComment, StoredTicket, StoredUser } from './records.ts'

export const SUBDOMAIN = 'tallybrook'
export const ACCOUNT_ID = 12_514_403

/**
 * A comment to write. Text is plain unless `html` is given. `as`: the role of an author who is new; `partner` is an agent of another
 * account, and what `system` writes has no author.
 */
export type CommentPost = {
  author: string
  text: string
  html?: string
  public?: boolean
  as?: Role | 'partner' | 'system'
  call?: CallPost
  channel?: string
  company?: string
  attachments?: string[]
  at?: number
}
export type TicketPost = {
  subject: string
  comments: CommentPost[]
  /** By default the author of the first comment. */
  requester?: string
  assignee?: string
  copied?: string[]
  /** Conversations that are in the audits only. */
  chats?: ChatPost[][]
  brand?: string
  group?: string
  tags?: string[]
  channel?: string
  fields?: { id: number; value: string }[]
  status?: string
  at?: number
}

type Named = { id: number; name: string }
export type FieldDefinition = { id: number; title: string; options: { name: string; value: string }[] }

export type Account = {
  users: Map<number, StoredUser>
  organizations: Named[]
  brands: Named[]
  groups: Named[]
  fields: FieldDefinition[]
  tickets: Map<number, StoredTicket>
  exports: TicketExport
  add(post: TicketPost): StoredTicket
  comment(ticket: number, post: CommentPost): StoredComment
  /** Changes a ticket as an agent or a business rule does. */
  change(ticket: number, values: Partial<Pick<StoredTicket, 'status' | 'tags' | 'subject'>>): void
  /** Replaces the words of a comment by blocks. */
  redact(ticket: number, comment: number, words: string): void
  makePrivate(ticket: number, comment: number): void
  /** Makes an agent an end user. */
  downgrade(name: string): void
  ticket(id: number): StoredTicket
  commentOf(ticket: number, comment: number): StoredComment
}

const MINUTE_MS = 60_000

/** An account with the tickets of the demo company, shifted so that they end `now`. */
export function createAccount(company: readonly CompanyMessage[], now: () => number): Account {
  const users = new Map<number, StoredUser>()
  const byName = new Map<string, StoredUser>()
  const tickets = new Map<number, StoredTicket>()
  const organizations: Named[] = []
  const brands: Named[] = []
  const groups: Named[] = []
  const fields: FieldDefinition[] = [
    { id: 27_642, title: 'Plan', options: [{ name: 'Professional', value: 'plan_pro' }] },
    { id: 27_648, title: 'Version', options: [] },
  ]
  const exports = createExport()
  let comments = 0

  const named = (list: Named[], name: string, base: number): Named => {
    const found = list.find((one) => one.name === name)
    if (found) return found
    const made = { id: base + list.length, name }
    list.push(made)
    return made
  }
  const person = ({ author, as = 'end-user', company: of }: CommentPost): StoredUser => {
    const known = byName.get(author)
    if (known) return known
    const organization = of ? named(organizations, of, 509_974).id : null
    const id = 20_978_392 + users.size
    const role: Role = as === 'agent' || as === 'admin' ? as : 'end-user'
    const email = `person-${users.size}@example.com`
    const user = { id, name: author, email, role, organization, shared: as === 'partner', changed: now() }
    users.set(id, user)
    byName.set(author, user)
    return user
  }
  const ticket = (id: number): StoredTicket => {
    const found = tickets.get(id)
    if (!found) throw new Error(`There is no ticket ${id}`)
    return found
  }
  const write = (to: StoredTicket, given: CommentPost, at: number): StoredComment => {
    const post = given.call ? { ...given, text: callText(given.call, at) } : given
    comments += 1
    const {
      call = null,
      text,
      html = `<div class="zd-comment" dir="auto"><p>${escapeText(text)}</p></div>`,
      attachments = [],
    } = post
    const comment = {
      id: 100_000 + comments,
      author: post.as === 'system' ? -1 : person(post).id,
      public: post.public ?? true,
      html,
      plain: text,
      channel: post.channel ?? 'email',
      call,
      created: at,
      attachments,
    }
    to.comments.push(comment)
    return comment
  }
  const touch = (changed: StoredTicket, at = now()) => {
    changed.updated = Math.max(changed.updated, at)
    changed.generated = Math.floor(at / 1000)
    exports.put(changed)
  }
  const commentOf = (id: number, comment: number) => {
    const found = ticket(id).comments.find((one) => one.id === comment)
    if (!found) throw new Error(`There is no comment ${comment}`)
    return found
  }

  const account: Account = {
    users,
    organizations,
    brands,
    groups,
    fields,
    tickets,
    exports,
    add(post) {
      const at = post.at ?? now()
      const first = post.comments[0]
      if (!first) throw new Error('A ticket has a comment')
      const requester = person(post.requester ? { author: post.requester, text: '' } : first)
      const agent = post.assignee ? person({ author: post.assignee, text: '', as: 'agent' }).id : null
      const made: StoredTicket = {
        id: 1001 + tickets.size,
        subject: post.subject,
        requester: requester.id,
        assignee: agent,
        copied: (post.copied ?? []).map((author) => person({ author, text: '' }).id),
        organization: requester.organization,
        group: named(groups, post.group ?? 'Support', 98_738).id,
        brand: named(brands, post.brand ?? 'Tallybrook', 47).id,
        tags: post.tags ?? [],
        status: post.status ?? 'open',
        channel: post.channel ?? 'email',
        fields: post.fields ?? [],
        created: at,
        updated: at,
        generated: 0,
        comments: [],
        messaging: post.channel === 'native_messaging' || post.channel === 'whatsapp',
        chats: (post.chats ?? []).map((messages, index) => ({
          id: 900_000 + tickets.size * 10 + index,
          at: messages[0]?.at ?? at,
          messages,
        })),
      }
      for (const comment of post.comments) write(made, comment, comment.at ?? at)
      tickets.set(made.id, made)
      touch(made, Math.max(at, ...made.comments.map(({ created }) => created)))
      return made
    },
    comment(id, post) {
      const to = ticket(id)
      const written = write(to, post, post.at ?? now())
      touch(to)
      return written
    },
    change(id, values) {
      touch(Object.assign(ticket(id), values))
    },
    redact(id, comment, words) {
      const found = commentOf(id, comment)
      const blocks = '\u2587'.repeat(words.length)
      found.html = found.html.replaceAll(escapeText(words), blocks)
      found.plain = found.plain.replaceAll(words, blocks)
      touch(ticket(id))
    },
    makePrivate(id, comment) {
      commentOf(id, comment).public = false
      touch(ticket(id))
    },
    downgrade(name) {
      const user = byName.get(name)
      if (user) Object.assign(user, { role: 'end-user', changed: now() })
    },
    ticket,
    commentOf,
  }
  const end = Math.max(0, ...company.map(({ at }) => at))
  const start = now() - end * MINUTE_MS - 2 * MINUTE_MS
  for (const { kind, author, company: of, text, at } of company) {
    if (kind !== 'ticket') continue
    const comments = [{ author, text, company: of }]
    account.add({ subject: text.split('\n')[0] ?? '', comments, at: start + at * MINUTE_MS })
  }
  return account
}

/** Typed text as HTML. */
function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\n', '<br>')
}
