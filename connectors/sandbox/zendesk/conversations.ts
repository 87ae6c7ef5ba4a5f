import type { CommentPost } from './account.ts'
import type { ChatPost, StoredChat, StoredTicket, StoredUser } from './records.ts'
import type { Json } from './views.ts'

const time = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')
const clock = (ms: number) => new Date(ms).toISOString().slice(11, 19)

/** What Zendesk writes into a ticket when a conversation ends: all messages as one text by nobody, with times in UTC. */
export const transcript = (messages: readonly ChatPost[]): CommentPost => ({
  author: '',
  as: 'system',
  text: messages.map(({ author, text, at }) => `(${clock(at)}) ${author}: ${text}`).join('\n'),
  at: Math.max(...messages.map(({ at }) => at)) + 60_000,
})

/** The private comment that a ticket of a conversation begins with. */
export const placeholder = (name: string, at?: number): CommentPost => ({
  author: '',
  as: 'system',
  public: false,
  text: `Conversation with ${name}`,
  ...(at === undefined ? {} : { at }),
})

/** The audits of a ticket, oldest first: conversations, and the comments as their events. */
export function auditsOf({ id, comments, chats }: StoredTicket, users: ReadonlyMap<number, StoredUser>): Json[] {
  const audit = (event: Json, at: number, author: number): [number, Json] => [
    at,
    {
      id: Number(event.id) + 1_000_000,
      ticket_id: id,
      created_at: time(at),
      author_id: author,
      metadata: { system: {}, custom: {} },
      events: [event],
    },
  ]
  const started = ({ messages, ...chat }: StoredChat) => {
    const history = messages.map(({ author, role, text, at }, index) => ({
      chat_index: index,
      type: 'ChatMessage',
      message: text,
      message_id: `${chat.id}-${index}`,
      actor_name: author,
      actor_type: role,
      actor_id: String([...users.values()].find(({ name }) => name === author)?.id ?? `bot-${index}`),
      timestamp: at,
    }))
    const joined = {
      chat_index: -1,
      type: 'ChatJoin',
      actor_name: 'Agent Ash',
      actor_type: 'agent',
      timestamp: chat.at,
    }
    const value = { chat_id: `chat-${chat.id}`, channel: 'web_messenger', history: [joined, ...history] }
    return audit({ id: chat.id, type: 'ChatStartedEvent', value }, chat.at, -1)
  }
  const messages = comments.map((comment) =>
    audit(
      { id: comment.id, type: 'Comment', author_id: comment.author, body: comment.plain, public: comment.public },
      comment.created,
      comment.author,
    ),
  )
  return [...chats.map(started), ...messages].toSorted(([a], [b]) => a - b).map(([, view]) => view)
}
