import type { CompanyMessage } from '../company/company.ts'
import type { AuthorType, Person, StoredConversation, StoredMessage, StoredPart, StoredTicket } from './records.ts'

export const WORKSPACE_ID = 'tallybrook1'
export const WORKSPACE = 'Tallybrook'

/** A message to write. Text is plain unless `html` is given; `type` is that of the part. `at` is in epoch milliseconds. */
export type MessagePost = {
  author: string
  text: string
  as?: AuthorType
  html?: string
  type?: string
  attachments?: string[]
  at?: number
}
/** The first message is the one that the conversation starts with. */
export type ConversationPost = {
  messages: MessagePost[]
  subject?: string
  title?: string
  channel?: string
  team?: string
  tags?: string[]
  topics?: string[]
  company?: string
  attributes?: Record<string, unknown>
  ticket?: StoredTicket
  at?: number
}

type Named = { id: string; name: string }

export type Workspace = {
  conversations: Map<string, StoredConversation>
  teams: Named[]
  tags: Named[]
  add(post: ConversationPost): StoredConversation
  reply(conversation: string, post: MessagePost): StoredPart
  change(conversation: string, values: Partial<Pick<StoredConversation, 'tags' | 'team' | 'state'>>): void
  /** `part`: null for the message that the conversation starts with. `left`: what remains, Intercom's placeholder by default. */
  redact(conversation: string, part: string | null, left?: string | null): void
  remove(conversation: string): void
  conversation(id: string): StoredConversation
  /** While true, the search does not know what changes. */
  lag(on: boolean): void
}

const PLACEHOLDER = '<p><i>This message was deleted</i></p>'
const MINUTE_MS = 60_000
const seconds = (ms: number) => Math.floor(ms / 1000)

/** A workspace with the conversations of the demo company, shifted so that they end `now`, in epoch milliseconds. */
export function createWorkspace(company: readonly CompanyMessage[], now: () => number): Workspace {
  const people = new Map<string, Person>()
  const conversations = new Map<string, StoredConversation>()
  const [teams, tags]: [Named[], Named[]] = [[], []]
  let made = 0
  let lagging = false

  const named = (list: Named[], name: string, base: number): Named => {
    const found = list.find((one) => one.name === name)
    if (found) return found
    const created = { id: String(base + list.length), name }
    list.push(created)
    return created
  }
  const person = ({ author, as = 'user' }: MessagePost): Person => {
    const found = people.get(author)
    if (found) return found
    const number = 5000 + people.size
    const created = { type: as, id: String(number), name: author, email: `person-${number}@example.com` }
    people.set(author, created)
    return created
  }
  const message = (post: MessagePost, at: number): StoredMessage => {
    const { text, html = `<p>${escapeText(text)}</p>`, attachments = [] } = post
    return { html, author: person(post), created: seconds(post.at ?? at), attachments, redacted: false }
  }
  const partOf = (post: MessagePost, at: number): StoredPart => {
    made += 1
    const written = message(post, at)
    return { id: String(700_000 + made), type: post.type ?? 'comment', updated: written.created, ...written }
  }
  const touch = (changed: StoredConversation, at: number) => {
    changed.updated = Math.max(changed.updated, at)
    if (!lagging) changed.indexed = changed.updated
  }
  const conversation = (id: string): StoredConversation => {
    const found = conversations.get(id)
    if (!found) throw new Error(`There is no conversation ${id}`)
    return found
  }

  const workspace: Workspace = {
    conversations,
    teams,
    tags,
    add(post) {
      const at = post.at ?? now()
      const [first, ...rest] = post.messages
      if (!first) throw new Error('A conversation starts with a message')
      made += 1
      const added: StoredConversation = {
        id: String(403_000 + made),
        subject: post.subject ? `<p>${escapeText(post.subject)}</p>` : '',
        title: post.title ?? null,
        channel: post.channel ?? 'conversation',
        state: 'open',
        team: post.team ? Number(named(teams, post.team, 800).id) : null,
        tags: (post.tags ?? []).map((name) => named(tags, name, 900)),
        topics: post.topics ?? [],
        company: post.company ?? null,
        attributes: post.attributes ?? {},
        source: message(first, at),
        ticket: post.ticket ?? null,
        parts: rest.map((one) => partOf(one, at)),
        created: seconds(at),
        updated: 0,
        indexed: null,
      }
      conversations.set(added.id, added)
      touch(added, Math.max(seconds(at), ...added.parts.map(({ created }) => created)))
      return added
    },
    reply(id, post) {
      const to = conversation(id)
      const written = partOf(post, now())
      to.parts.push(written)
      touch(to, Math.max(written.created, seconds(now())))
      return written
    },
    change(id, values) {
      touch(Object.assign(conversation(id), values), seconds(now()))
    },
    redact(id, part, left = PLACEHOLDER) {
      const changed = conversation(id)
      const target = part === null ? changed.source : changed.parts.find((one) => one.id === part)
      if (!target) throw new Error(`There is no part ${part ?? 'source'}`)
      Object.assign(
        target,
        { html: left, redacted: true, attachments: [] },
        part === null ? {} : { updated: seconds(now()) },
      )
      touch(changed, seconds(now()))
    },
    remove(id) {
      conversations.delete(id)
    },
    conversation,
    lag(on) {
      lagging = on
      if (!on) for (const one of conversations.values()) one.indexed = one.updated
    },
  }
  const end = Math.max(0, ...company.map(({ at }) => at))
  const start = now() - (end + 2) * MINUTE_MS
  for (const { kind, author, company: name, text, at } of company) {
    if (kind !== 'ticket') continue
    const subject = text.split('\n')[0] ?? ''
    workspace.add({ subject, company: name, messages: [{ author, text }], at: start + at * MINUTE_MS })
  }
  return workspace
}

/** Typed text as HTML. */
function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\n', '<br>')
}
