import type { CompanyMessage } from '../company/company.ts'

export const TENANT_ID = '7f1c0a52-3a0e-4c5e-9d0b-1f6f5f6a7c01'
export const DOMAIN = 'tallybrook.example'
export const TEAM_ID = 'fbe2bf47-16c8-47cf-b4a5-4b9b187c508b'
const MINUTE_MS = 60_000

type StoredPerson = { id: string; name: string; tenant: string; guest: boolean }
export type StoredChannel = { id: string; team: string; name: string; membership: string }
type Attached = { contentType: string; content?: string; name?: string }
/** Times are in epoch milliseconds. `root`: null for a post. `change`: its place in the order of changes. */
export type StoredMessage = {
  id: string
  channel: string
  root: string | null
  author: StoredPerson | { app: string }
  html: string
  subject: string | null
  type: string
  attachments: Attached[]
  created: number
  modified: number
  edited: number | null
  deleted: number | null
  change: number
}
/** A message to post. Text is plain unless `html` is given. `from`: own tenant by default. */
export type Post = {
  channel: string
  author: string
  text: string
  html?: string
  root?: string
  subject?: string
  from?: 'own' | 'guest' | 'other' | 'app'
  type?: string
  attachments?: Attached[]
  at?: number
}

export type TenantData = {
  team: { id: string; name: string }
  people: Map<string, StoredPerson>
  channels: StoredChannel[]
  messages: StoredMessage[]
  channel(name: string): StoredChannel
  post(post: Post): StoredMessage
  edit(id: string, text: string): StoredMessage
  remove(id: string): StoredMessage
  /** Without a trace, as a retention policy does. */
  purge(id: string): void
  message(id: string): StoredMessage
}

/** A tenant with one team and the messages of the demo company, shifted so that they end `now`. */
export function createTenant(company: readonly CompanyMessage[], now: () => number): TenantData {
  const people = new Map<string, StoredPerson>()
  const channels: StoredChannel[] = []
  const messages: StoredMessage[] = []
  let changes = 0
  let newest = 0

  const channel = (name: string): StoredChannel => {
    const found = channels.find((one) => one.name === name)
    if (found) return found
    const id = `19:${String(channels.length + 1).padStart(32, '0')}@thread.tacv2`
    const made = { id, team: TEAM_ID, name, membership: 'standard' }
    channels.push(made)
    return made
  }
  const person = (name: string, from: Post['from']): StoredMessage['author'] => {
    if (from === 'app') return { app: name }
    const known = [...people.values()].find((one) => one.name === name)
    if (known) return known
    const id = `00000000-0000-4000-8000-${String(people.size + 1).padStart(12, '0')}`
    const tenant = from === 'other' ? 'c2f1c9b8-1111-4222-8333-444455556666' : TENANT_ID
    const made = { id, name, tenant, guest: from === 'guest' }
    people.set(id, made)
    return made
  }
  const message = (id: string): StoredMessage => {
    const found = messages.find((one) => one.id === id)
    if (!found) throw new Error(`There is no message ${id}`)
    return found
  }
  const touch = (changed: StoredMessage, values: Partial<StoredMessage>) => {
    changes += 1
    return Object.assign(changed, values, { change: changes })
  }
  const post = ({
    author,
    text,
    html,
    root,
    subject,
    from = 'own',
    type = 'message',
    attachments,
    at = now(),
    channel: name,
  }: Post) => {
    // Ids are times, and differ.
    const id = Math.max(Math.floor(at), newest + 1)
    newest = id
    const made: StoredMessage = {
      id: String(id),
      channel: channel(name).id,
      root: root ?? null,
      author: person(author, from),
      html: html ?? `<p>${escapeText(text)}</p>`,
      subject: subject ?? null,
      type,
      attachments: attachments ?? [],
      created: at,
      modified: at,
      edited: null,
      deleted: null,
      change: 0,
    }
    messages.push(made)
    return touch(made, {})
  }

  const ids = new Map<string, string>()
  const end = Math.max(0, ...company.map(({ at }) => at))
  const start = now() - end * MINUTE_MS - 60 * MINUTE_MS
  for (const one of company) {
    if (one.kind !== 'message') continue
    const root = one.thread === null ? undefined : ids.get(one.thread)
    const at = start + one.at * MINUTE_MS
    const base = { channel: one.channel ?? 'General', author: one.author, text: one.text, at }
    ids.set(one.id, post(root === undefined ? base : { ...base, root }).id)
  }
  return {
    team: { id: TEAM_ID, name: 'Tallybrook' },
    people,
    channels,
    messages,
    channel,
    post,
    edit: (id, text) => touch(message(id), { html: `<p>${escapeText(text)}</p>`, edited: now(), modified: now() }),
    remove: (id) => touch(message(id), { deleted: now(), modified: now() }),
    purge(id) {
      messages.splice(messages.indexOf(message(id)), 1)
    },
    message,
  }
}

/** Typed text as HTML. */
function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\n', '<br>')
}
