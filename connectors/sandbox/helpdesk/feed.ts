/** A message of a customer or an agent. Times are epoch milliseconds; `change` orders the feed. */
export type Message = {
  id: string
  conversation: string
  inbox: string
  author: { name: string; kind: 'customer' | 'agent' }
  body: string
  created: number
  updated: number
  deleted: boolean
  change: number
}

/** A message to write. `at` is in epoch milliseconds; default: now. */
type Post = Partial<Pick<Message, 'inbox' | 'author'>> & { conversation: string; body: string; at?: number }

/** Messages in the order of their last change: a change moves a message to the end. */
export type Feed = {
  all(): readonly Message[]
  find(id: string): Message | undefined
  add(post: Post): Message
  edit(id: string, body: string): void
  remove(id: string): void
  /** The messages after a cursor; without inboxes, those of all. */
  page(
    cursor: string | null,
    inboxes: readonly string[],
    size: number,
  ): { found: Message[]; next: string; more: boolean }
}

const cursorOf = (change: number) => Buffer.from(`change:${change}`).toString('base64url')

/** A cursor for the same place that reads differently. */
export const sameCursor = (cursor: string | null) =>
  Buffer.from(`${Buffer.from(cursor ?? cursorOf(0), 'base64url').toString()}~`).toString('base64url')

export function createFeed(now: () => number): Feed {
  const messages: Message[] = []
  let changes = 0
  const find = (id: string) => messages.find((message) => message.id === id)
  const change = (id: string, values: Partial<Message>) => {
    const message = find(id)
    if (!message) throw new Error(`There is no message ${id}`)
    changes += 1
    Object.assign(message, values, { updated: now(), change: changes })
  }
  return {
    all: () => messages,
    find,
    add({ conversation, body, inbox = 'support', author = { name: 'Ann Author', kind: 'customer' }, at = now() }) {
      changes += 1
      const id = `m${messages.length + 1}`
      const times = { created: at, updated: at }
      const message = { id, conversation, inbox, author, body, ...times, deleted: false, change: changes }
      messages.push(message)
      return message
    },
    edit: (id, body) => change(id, { body }),
    remove: (id) => change(id, { deleted: true, body: '' }),
    page(cursor, inboxes, size) {
      const text = cursor === null ? 'change:0' : Buffer.from(cursor, 'base64url').toString()
      const after = Number(/^change:(\d+)~*$/.exec(text)?.[1])
      const waiting = messages
        .filter((message) => message.change > after && (inboxes.length === 0 || inboxes.includes(message.inbox)))
        .toSorted((a, b) => a.change - b.change)
      const found = waiting.slice(0, size)
      const more = waiting.length > size
      return { found, more, next: cursorOf(more ? (found.at(-1)?.change ?? after) : changes) }
    },
  }
}
