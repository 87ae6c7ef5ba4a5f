import type { Context } from './context.ts'

/** A piece of a line: text, or text that is a link. Text is plain: the connector escapes what its provider would read as markup. */
export type PostPart = string | { text: string; url: string }
/** A line of a post, its parts without separators. */
export type PostLine = { bold?: boolean; parts: readonly PostPart[] }

/** A channel that messages can be posted to. */
type PostChannel = { id: string; label: string; hint?: string }

/** Where a conversation is: its channel, and its thread there. */
type Conversation = { channel: string; thread: string }

/**
 * A message to post. `id`: one uuid for one message, the same on every attempt, for providers that drop a message they already have. `thread`: of
 * `Conversation`; null: it is its own message.
 */
export type PostRequest = { id: string; channel: string; thread: string | null; lines: readonly PostLine[] }

/** A message that the provider accepted. `id` is its own for it. */
export type PostOutcome = { id: string }

/** What a connector does with its second sign-in, whose context it is given: see `Posting` in `connector.ts`. */
export type Poster = {
  /** A description of what the second sign-in permits, shown before the owner is sent to the provider. */
  permits: string
  /** Whether these are the credentials of the same app. Then the owner is not sent to the provider. */
  isSameApp(own: Readonly<Record<string, string>>, readers: Readonly<Record<string, string>>): boolean
  /** The channels that it can post to now. */
  channels(context: Context): Promise<PostChannel[]>
  /** Where the conversation is that feedback has as its `thread`; null: this sign-in, whose settings these are, is of another account. */
  conversation(settings: Readonly<Record<string, unknown>>, thread: string): Conversation | null
  /**
   * Posts a message, with one request. Throws `RateLimited`, `AuthExpired` or `Rejected` only where the provider certainly does not have the message,
   * and `Unavailable` where that is not known, unless the failure is `unsent`.
   */
  post(context: Context, request: PostRequest): Promise<PostOutcome>
}
