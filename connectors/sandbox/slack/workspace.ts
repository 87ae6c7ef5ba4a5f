import type { CompanyMessage } from '../company/company.ts'

export const TEAM = { id: 'T0TALLYBRK', name: 'Tallybrook', domain: 'tallybrook' } as const
export type Bot = { user: string; bot: string; app: string }
export const BOT: Bot = { user: 'U0GROUNDSW', bot: 'B0GROUNDSW', app: 'A0GROUNDSW' }
/** The second app, which posts. */
export const POST_BOT: Bot = { user: 'U0GSPOSTS', bot: 'B0GSPOSTS', app: 'A0GSPOSTS' }

/** A message as the sandbox stores it. `gone`: deleted while it has replies. */
export type Stored = {
  ts: string
  channel: string
  user: string
  text: string
  root: string | null
  subtype?: string
  bot?: string
  edited?: string
  gone?: boolean
} & Rich
/** What a message can have besides text: Block Kit, attachments, and an author from another workspace. */
type Rich = {
  blocks?: readonly Record<string, unknown>[]
  attachments?: readonly Record<string, unknown>[]
  /** The author's own workspace, in a channel that workspaces share: Slack sends the author's profile with the message. */
  team?: string
}
/** `guest`: an account of this workspace that sees some channels only. */
export type Person = { id: string; name: string; company: string; guest?: boolean }
/** `isMember`: the app that reads is in it; `hasPoster`: so is the one that posts. */
export type Room = {
  id: string
  name: string
  isPrivate: boolean
  isMember: boolean
  created: number
  hasPoster?: boolean
  isArchived?: boolean
}

/** A message to post. `channel`: name or id; `thread`: the root's `ts`, or its id in the demo company's files. */
export type Post = {
  id?: string
  channel: string
  author: string
  text: string
  thread?: string | null
  subtype?: string
  /** The message of an app, our own by default when it is true. */
  bot?: string
  at?: Date
  /** The author is a guest. */
  guest?: boolean
} & Rich

export type Workspace = {
  rooms: Room[]
  people: Person[]
  /** The messages of one channel, oldest first. */
  messages(channel: string): readonly Stored[]
  replies(channel: string, root: string): readonly Stored[]
  find(ts: string): Stored | undefined
  add(post: Post): Stored
  edit(ts: string, text: string): { before: Stored; after: Stored }
  remove(ts: string): Stored
  room(nameOrId: string): Room
  /** The person writes from another workspace: only their messages tell who they are. */
  isExternal: (user: string) => boolean
  /** Everything that a reader should end up with: all that is not deleted. */
  all(): Stored[]
}

const CHANNEL_MEMBERS_ONLY = 'support-escalations'

/** The workspace of the demo company: its channels, its people, and what they wrote, shifted so that it ends `now`. */
export function createWorkspace(company: readonly CompanyMessage[], now: () => Date): Workspace {
  const rooms: Room[] = []
  const people: Person[] = []
  const personByName = new Map<string, Person>()
  const byChannel = new Map<string, Stored[]>()
  const byRoot = new Map<string, Stored[]>()
  const byTs = new Map<string, Stored>()
  const tsById = new Map<string, string>()
  const external = new Set<string>()
  let count = 0

  const roomFor = (nameOrId: string): Room => {
    const found = rooms.find(({ id, name }) => id === nameOrId || name === nameOrId)
    if (found) return found
    const room = {
      id: `C0TALLY${String(rooms.length + 1).padStart(3, '0')}`,
      name: nameOrId,
      isPrivate: nameOrId === CHANNEL_MEMBERS_ONLY,
      isMember: true,
      created: 1_700_000_000,
    }
    rooms.push(room)
    return room
  }
  const personFor = (name: string, of: string): Person => {
    const found = personByName.get(name)
    if (found) return found
    const person = { id: `U0TALLY${String(people.length + 1).padStart(4, '0')}`, name, company: of }
    people.push(person)
    personByName.set(name, person)
    return person
  }
  const get = (ts: string): Stored => {
    const message = byTs.get(ts)
    if (!message) throw new Error(`There is no message ${ts}`)
    return message
  }

  const add = (post: Post, of = TEAM.name as string): Stored => {
    count += 1
    const seconds = Math.floor((post.at ?? now()).getTime() / 1000)
    const ts = `${seconds}.${String(count % 1_000_000).padStart(6, '0')}`
    const channel = roomFor(post.channel).id
    const root = post.thread ? (tsById.get(post.thread) ?? post.thread) : null
    const stored: Stored = { ts, channel, user: personFor(post.author, of).id, text: post.text, root }
    if (post.subtype) stored.subtype = post.subtype
    if (post.bot) stored.bot = post.bot
    if (post.blocks) stored.blocks = post.blocks
    if (post.attachments) stored.attachments = post.attachments
    if (post.guest) personFor(post.author, of).guest = true
    if (post.team) {
      stored.team = post.team
      external.add(stored.user)
    }
    if (post.id) tsById.set(post.id, ts)
    insert(byChannel, channel, stored)
    if (root !== null) insert(byRoot, root, stored)
    byTs.set(ts, stored)
    return stored
  }

  const end = Math.max(0, ...company.map(({ at }) => at))
  const start = now().getTime() - end * 60_000
  for (const { id, channel, author, company: of, thread, text, at } of company) {
    if (channel !== null)
      add({ id, channel, author, thread, text: escapeText(text), at: new Date(start + at * 60_000) }, of)
  }
  return {
    rooms,
    people,
    messages: (channel) => byChannel.get(channel) ?? [],
    replies: (channel, root) => (byRoot.get(root) ?? []).filter((message) => message.channel === channel),
    find: (ts) => byTs.get(ts),
    add: (post) => add(post),
    edit(ts, text) {
      const message = get(ts)
      const before = { ...message }
      delete message.blocks
      Object.assign(message, { text, edited: `${Math.floor(now().getTime() / 1000)}.000000` })
      return { before, after: message }
    },
    remove(ts) {
      const message = get(ts)
      if ((byRoot.get(ts) ?? []).length > 0) {
        message.gone = true
        return message
      }
      byTs.delete(ts)
      drop(byChannel, message.channel, message)
      if (message.root === null) return message
      drop(byRoot, message.root, message)
      // The rest of a deleted root disappears with its last reply.
      const root = byTs.get(message.root)
      if (root?.gone && byRoot.get(root.ts)?.length === 0) {
        byTs.delete(root.ts)
        drop(byChannel, root.channel, root)
      }
      return message
    },
    room(nameOrId) {
      const room = rooms.find(({ id, name }) => id === nameOrId || name === nameOrId)
      if (!room) throw new Error(`There is no channel ${nameOrId}`)
      return room
    },
    isExternal: (user) => external.has(user),
    all: () => [...byTs.values()].filter(({ gone }) => !gone),
  }
}

/** Keeps a list ordered by time; the newest nearly always arrives last. */
function insert(lists: Map<string, Stored[]>, key: string, message: Stored): void {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  let at = list.length
  while (at > 0 && (list[at - 1]?.ts ?? '') > message.ts) at -= 1
  list.splice(at, 0, message)
}

function drop(lists: Map<string, Stored[]>, key: string, message: Stored): void {
  const list = lists.get(key)
  if (list) list.splice(list.indexOf(message), 1)
}

/** Typed text, as Slack stores it. */
function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
