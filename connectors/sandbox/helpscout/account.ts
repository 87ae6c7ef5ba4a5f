import type { CompanyMessage } from '../company/company.ts'
import type { Named, PersonType, StoredConversation, StoredPerson, StoredThread } from './records.ts'

/** A thread to write. Text is plain unless `html` is given. `as`: who writes it; a user's thread is a reply, unless it says otherwise. */
export type ThreadPost = {
  author: string
  text: string
  html?: string
  as?: PersonType
  type?: string
  state?: string
  attachments?: string[]
  at?: number
}
export type ConversationPost = {
  subject: string
  threads: ThreadPost[]
  inbox?: string
  tags?: string[]
  type?: string
  fields?: StoredConversation['fields']
  status?: string
  state?: string
  at?: number
}
type Changes = Partial<Pick<StoredConversation, 'status' | 'state' | 'tags' | 'subject'>>

export type Account = {
  people: Map<number, StoredPerson>
  inboxes: Named[]
  conversations: Map<number, StoredConversation>
  add(post: ConversationPost): StoredConversation
  write(conversation: number, post: ThreadPost): StoredThread
  /** Changes a conversation as a user does. */
  change(conversation: number, values: Changes): void
  edit(conversation: number, thread: number, values: Partial<Pick<StoredThread, 'html' | 'state'>>): void
  move(conversation: number, inbox: string): void
  /** Moves the threads of one conversation to another one, which has a line item about it. */
  merge(from: number, into: number): void
  conversation(id: number): StoredConversation
  /** The conversations that lists contain. */
  listed(): StoredConversation[]
}

const MINUTE_MS = 60_000

/** An account with the tickets of the demo company, shifted so that they end `now`. */
export function createAccount(company: readonly CompanyMessage[], now: () => number): Account {
  const people = new Map<number, StoredPerson>()
  const byName = new Map<string, StoredPerson>()
  const inboxes: Named[] = []
  const conversations = new Map<number, StoredConversation>()
  let threads = 0

  const inboxOf = (name: string): Named => {
    const found = inboxes.find((one) => one.name === name)
    if (found) return found
    const made = { id: 85 + inboxes.length, name }
    inboxes.push(made)
    return made
  }
  const person = (name: string, type: PersonType): StoredPerson => {
    const known = byName.get(name)
    if (known) return known
    const id = 29_418 + people.size
    const [first = '', ...rest] = name.split(' ')
    const made = { id, type, first, last: rest.join(' '), email: `person-${id}@example.com` }
    people.set(id, made)
    byName.set(name, made)
    return made
  }
  const conversation = (id: number): StoredConversation => {
    const found = conversations.get(id)
    if (!found) throw new Error(`There is no conversation ${id}`)
    return found
  }
  const append = (to: StoredConversation, post: ThreadPost, at: number): StoredThread => {
    threads += 1
    const { text, as = 'customer', html = `<p>${escapeText(text)}</p>`, attachments = [], state = 'published' } = post
    const type = post.type ?? (as === 'customer' ? 'customer' : 'message')
    const by = person(post.author, as).id
    const made = { id: 500_000 + threads, type, state, html, by, created: at, attachments, action: null }
    to.threads.push(made)
    to.modified = Math.max(to.modified, at)
    if (as === 'user' || !to.waiting) to.userUpdated = Math.max(to.userUpdated, at)
    to.waiting = as === 'customer'
    return made
  }
  const touch = (changed: StoredConversation) => {
    changed.modified = changed.userUpdated = now()
  }
  const lineItem = (to: StoredConversation, type: string, associatedEntities: Record<string, number>) => {
    append(to, { author: 'Agent Ash', as: 'user', type: 'lineitem', text: '', html: '' }, now()).action = {
      type,
      associatedEntities,
    }
  }

  const account: Account = {
    people,
    inboxes,
    conversations,
    add(post) {
      const at = post.at ?? now()
      const [first] = post.threads
      if (!first) throw new Error('A conversation has a thread')
      const made: StoredConversation = {
        id: 1001 + conversations.size,
        number: 1 + conversations.size,
        mailbox: inboxOf(post.inbox ?? 'Support').id,
        customer: person(first.author, first.as ?? 'customer').id,
        subject: post.subject,
        type: post.type ?? 'email',
        status: post.status ?? 'active',
        state: post.state ?? 'published',
        tags: post.tags ?? [],
        fields: post.fields ?? [],
        created: at,
        modified: at,
        userUpdated: at,
        waiting: false,
        mergedInto: null,
        threads: [],
      }
      for (const thread of post.threads) append(made, thread, thread.at ?? at)
      conversations.set(made.id, made)
      return made
    },
    write: (id, post) => append(conversation(id), post, post.at ?? now()),
    change(id, values) {
      touch(Object.assign(conversation(id), values))
    },
    edit(id, thread, values) {
      const found = conversation(id).threads.find((one) => one.id === thread)
      if (!found) throw new Error(`There is no thread ${thread}`)
      Object.assign(found, values)
      touch(conversation(id))
    },
    move(id, inbox) {
      const moved = conversation(id)
      lineItem(moved, 'moved-from-mailbox', { mailbox: moved.mailbox })
      moved.mailbox = inboxOf(inbox).id
    },
    merge(from, into) {
      const [old, target] = [conversation(from), conversation(into)]
      target.threads = [...target.threads, ...old.threads].toSorted((a, b) => a.created - b.created || a.id - b.id)
      old.threads = []
      old.mergedInto = into
      lineItem(target, 'merged', { originalConversation: from })
    },
    conversation,
    listed: () =>
      [...conversations.values()].filter(({ state, mergedInto }) => state !== 'deleted' && mergedInto === null),
  }
  const end = Math.max(0, ...company.map(({ at }) => at))
  const start = now() - end * MINUTE_MS - 2 * MINUTE_MS
  for (const { kind, author, text, at } of company) {
    if (kind !== 'ticket') continue
    account.add({ subject: text.split('\n')[0] ?? '', threads: [{ author, text }], at: start + at * MINUTE_MS })
  }
  return account
}

/** Typed text as HTML. */
function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\n', '<br>')
}
