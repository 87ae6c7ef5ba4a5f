import * as z from 'zod/mini'
import { listed, namesListed } from '../kit/listed.ts'

/** Slack's id of a message within a channel: seconds, a dot, and what distinguishes messages of the same second. */
export const Ts = z.string().check(z.regex(/^\d{1,11}\.\d{1,9}$/))
const Text = z.optional(z.nullable(z.string()))
const Cursor = z.optional(z.nullable(z.object({ next_cursor: Text })))

/** The fields of every response. */
export const Envelope = z.object({ ok: z.boolean(), error: Text, needed: Text })

const Flag = z.optional(z.nullable(z.boolean()))
const Profile = z.object({ display_name: Text, real_name: Text })
/** Slack adds it to messages of authors from other workspaces. A malformed one is omitted, and the message stays. */
const AuthorProfile = z.pipe(
  z.unknown(),
  z.transform((value) => Profile.safeParse(value).data ?? null),
)

/** The edit of a message; one without a time is left out, and the message is still read. */
const Edited = z.pipe(
  z.unknown(),
  z.transform((value) => z.object({ ts: Ts }).safeParse(value).data ?? null),
)

/** A message. Apps put all sorts of things into blocks and attachments: `messageText` picks what it knows. */
export const Message = z.object({
  ts: Ts,
  text: Text,
  user: Text,
  username: Text,
  subtype: Text,
  bot_id: Text,
  /** The author's workspace. `team` is the same or, in older messages, the only one of the two. */
  user_team: Text,
  team: Text,
  hidden: z.optional(z.nullable(z.boolean())),
  thread_ts: z.optional(z.nullable(Ts)),
  reply_count: z.optional(z.nullable(z.int().check(z.nonnegative()))),
  latest_reply: z.optional(z.nullable(Ts)),
  edited: z.optional(Edited),
  blocks: z.optional(z.unknown()),
  attachments: z.optional(z.unknown()),
  user_profile: z.optional(AuthorProfile),
  files: z.optional(z.unknown()),
})
export type Message = z.infer<typeof Message>

/** A page of `conversations.history` or `conversations.replies`. */
export const Messages = z.object({
  messages: listed(Message),
  has_more: z.optional(z.nullable(z.boolean())),
  /** The plan hides older messages: they are missing here but were not deleted. */
  is_limited: z.optional(z.nullable(z.boolean())),
  response_metadata: Cursor,
})

const Channel = z.pipe(
  z.object({
    id: z.string(),
    name: Text,
    is_private: z.optional(z.nullable(z.boolean())),
    is_member: z.optional(z.nullable(z.boolean())),
    is_archived: z.optional(z.nullable(z.boolean())),
    is_im: z.optional(z.nullable(z.boolean())),
    is_mpim: z.optional(z.nullable(z.boolean())),
  }),
  // A channel that Slack lists without a name is known by its id.
  z.transform((channel) => ({ ...channel, name: channel.name || channel.id })),
)
/** A page of `conversations.list`. */
export const Channels = z.object({ channels: z.array(Channel), response_metadata: Cursor })
/** The reply of `conversations.info`. */
export const ChannelInfo = z.object({ channel: Channel })

const Teams = z.optional(z.nullable(z.array(z.string())))
const User = z.object({
  id: z.string(),
  name: Text,
  real_name: Text,
  profile: z.optional(z.nullable(Profile)),
  team_id: Text,
  teams: Teams,
  enterprise_user: z.optional(z.nullable(z.object({ teams: Teams }))),
  is_stranger: Flag,
  is_restricted: Flag,
  is_ultra_restricted: Flag,
})
export type User = z.infer<typeof User>
/** A page of `users.list`; members that cannot be parsed are left out. */
export const Users = z.object({ members: namesListed(User), response_metadata: Cursor })
/** The reply of `users.info`. */
export const UserInfo = z.object({ user: User })

/** The reply of `auth.test`: whose token it is, and of which workspace. */
export const AuthTest = z.object({
  url: Text,
  team: z.string(),
  team_id: z.string(),
  user_id: Text,
  bot_id: Text,
  is_enterprise_install: Flag,
})
/** The reply of `auth.revoke`. */
export const Revoked = z.object({ revoked: Flag })
/** The reply of `team.info`. */
export const TeamInfo = z.object({ team: z.object({ name: Text, domain: Text, url: Text }) })
/** The reply of `oauth.v2.access`. `expires_in`: in seconds, where tokens rotate. */
export const Access = z.object({
  access_token: z.string().check(z.minLength(1)),
  bot_user_id: Text,
  /** All scopes that the app has now, separated by commas. */
  scope: Text,
  team: z.optional(z.nullable(z.object({ id: z.string(), name: Text }))),
  refresh_token: Text,
  expires_in: z.optional(z.nullable(z.number().check(z.nonnegative()))),
  is_enterprise_install: Flag,
})

/** The reply of `chat.postMessage`. */
export const Posted = z.object({ ts: Ts })

/**
 * The envelope of the Events API. In a channel that workspaces share, `team_id` may be another workspace: `authorizations` names the
 * one where the app is installed.
 */
export const Delivery = z.object({
  type: z.string(),
  challenge: Text,
  team_id: Text,
  authorizations: z.optional(z.nullable(z.array(z.object({ team_id: Text })))),
  event_id: Text,
  event: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
})

/** A `message` event: a new message, or the change of an older one. */
export const MessageEvent = z.object({
  channel: z.string(),
  channel_type: Text,
  event_ts: z.optional(z.nullable(Ts)),
  subtype: Text,
  deleted_ts: z.optional(z.nullable(Ts)),
  message: z.optional(z.unknown()),
})
/** A `tokens_revoked` event, with the ids of bots whose tokens ended. */
export const TokensRevoked = z.object({
  tokens: z.optional(z.nullable(z.object({ bot: z.optional(z.nullable(z.array(z.string()))) }))),
})
