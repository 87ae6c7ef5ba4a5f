import * as z from 'zod/mini'

/** Slack's id of a message within a channel: seconds, a dot, and what distinguishes messages of the same second. */
export const Ts = z.string().check(z.regex(/^\d{1,11}\.\d{1,9}$/))
const Text = z.optional(z.nullable(z.string()))
const Cursor = z.optional(z.nullable(z.object({ next_cursor: Text })))

/** The fields of every response. */
export const Envelope = z.object({ ok: z.boolean(), error: Text, needed: Text })

const AttachmentList = z.array(z.object({ title: Text, text: Text, fallback: Text }))
/** Apps put all sorts of things here; malformed parts are omitted, and the message stays. */
const Attachments = z.pipe(
  z.unknown(),
  z.transform((value) => AttachmentList.safeParse(value).data ?? null),
)

export const Message = z.object({
  ts: Ts,
  text: Text,
  user: Text,
  username: Text,
  subtype: Text,
  bot_id: Text,
  hidden: z.optional(z.nullable(z.boolean())),
  thread_ts: z.optional(z.nullable(Ts)),
  reply_count: z.optional(z.nullable(z.int().check(z.nonnegative()))),
  latest_reply: z.optional(z.nullable(Ts)),
  edited: z.optional(z.nullable(z.object({ ts: Ts }))),
  attachments: z.optional(Attachments),
})
export type Message = z.infer<typeof Message>

/** A page of `conversations.history` or `conversations.replies`. */
export const Messages = z.object({
  messages: z.array(Message),
  has_more: z.optional(z.nullable(z.boolean())),
  response_metadata: Cursor,
})

const Channel = z.object({
  id: z.string(),
  name: z.string(),
  is_private: z.optional(z.nullable(z.boolean())),
  is_member: z.optional(z.nullable(z.boolean())),
})
export const Channels = z.object({ channels: z.array(Channel), response_metadata: Cursor })
export const ChannelInfo = z.object({ channel: Channel })

const User = z.object({
  id: z.string(),
  name: Text,
  real_name: Text,
  profile: z.optional(z.nullable(z.object({ display_name: Text, real_name: Text }))),
})
export type User = z.infer<typeof User>
export const Users = z.object({ members: z.array(User), response_metadata: Cursor })
export const UserInfo = z.object({ user: User })

export const AuthTest = z.object({ url: Text, team: z.string(), team_id: z.string(), user_id: Text, bot_id: Text })
export const TeamInfo = z.object({ team: z.object({ name: Text, domain: Text, url: Text }) })
export const Access = z.object({
  access_token: z.string().check(z.minLength(1)),
  bot_user_id: Text,
  team: z.optional(z.nullable(z.object({ id: z.string(), name: Text }))),
  refresh_token: Text,
  expires_in: z.optional(z.nullable(z.number().check(z.nonnegative()))),
})

/** The envelope of the Events API. */
export const Delivery = z.object({
  type: z.string(),
  challenge: Text,
  team_id: Text,
  event_id: Text,
  event: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
})

/** A `message` event: a new message, or the change of an older one. */
export const MessageEvent = z.object({
  channel: z.string(),
  subtype: Text,
  deleted_ts: z.optional(z.nullable(Ts)),
  message: z.optional(z.unknown()),
})
export const TokensRevoked = z.object({
  tokens: z.optional(z.nullable(z.object({ bot: z.optional(z.nullable(z.array(z.string()))) }))),
})
