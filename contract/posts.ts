import * as z from 'zod/mini'
import { TileParams } from './connections.ts'
import { DigestChoice, DigestPreviewed, MailState } from './digests.ts'
import { InsightNumber } from './insights.ts'
import { route } from './route.ts'
import { AppView } from './sources.ts'
import { FormValues } from './values/form-values.ts'

/** A message that was due, with the same states as mails. `refused`: the last attempt failed, or the provider refused it for good. */
export const Post = z.object({
  id: z.string(),
  kind: z.enum(['digest', 'alert']),
  channel: z.string(),
  at: z.string(),
  state: MailState,
  error: z.nullable(z.string()),
})
export type Post = z.infer<typeof Post>

/** A channel that gets digests or alerts. `set_by`: the owner who chose that last. */
export const ChannelChoice = z.object({
  id: z.string(),
  channel: z.string(),
  label: z.string(),
  choice: DigestChoice,
  next_at: z.nullable(z.string()),
  set_by: z.string(),
})
export type ChannelChoice = z.infer<typeof ChannelChoice>

/**
 * A connector that can post. `permits`: a description of what its second sign-in allows. `has_app`: the app for it is set up. `signed_in`: to which
 * account; null: not yet. `error`: why the sign-in no longer works. `posts`: the latest ten.
 */
export const PosterView = z.object({
  tile: z.string(),
  label: z.string(),
  permits: z.string(),
  has_app: z.boolean(),
  signed_in: z.nullable(z.string()),
  error: z.nullable(z.string()),
  channels: z.array(ChannelChoice),
  posts: z.array(Post),
})
export type PosterView = z.infer<typeof PosterView>

export const getPosting = route({
  name: 'getPosting',
  summary: 'Where digests and alerts are posted besides mails, and what became of the latest messages',
  method: 'GET',
  path: '/api/posting',
  access: 'member',
  reply: z.object({ posters: z.array(PosterView) }),
  errors: [],
})

export const getPostingApp = route({
  name: 'getPostingApp',
  summary: 'The workspace’s own app for posting: how to set it up, and which of its fields are given',
  method: 'GET',
  path: '/api/posting/{tile}/app',
  access: 'owner',
  params: TileParams,
  reply: AppView,
  errors: ['invalid_input', 'not_found', 'not_configured'],
  example: ({ source }) => ({ params: { tile: source } }),
})

/** An empty secret keeps the stored value. */
export const savePostingApp = route({
  name: 'savePostingApp',
  summary: 'Store the credentials of the workspace’s own app for posting, sealed',
  method: 'PUT',
  path: '/api/posting/{tile}/app',
  access: 'owner',
  audit: { action: 'provider-app.saved', target: 'tile' },
  params: TileParams,
  body: FormValues,
  reply: AppView,
  errors: ['invalid_input', 'not_found', 'not_configured'],
  example: ({ source }) => ({ params: { tile: source }, body: { client_id: '1.2', client_secret: 'x' } }),
})

/** It is separate from the sign-in of the tile, which keeps its permissions. */
export const authorizePosting = route({
  name: 'authorizePosting',
  summary: 'Begin the second sign-in, which permits posting: the address of the provider’s page',
  method: 'POST',
  path: '/api/posting/{tile}/authorize',
  access: 'owner',
  audit: 'none',
  params: TileParams,
  reply: z.object({ url: z.string() }),
  errors: ['invalid_input', 'not_found', 'not_configured', 'conflict'],
  example: ({ source }) => ({ params: { tile: source } }),
})

export const finishPosting = route({
  name: 'finishPosting',
  summary: 'Finish the sign-in for posting with the provider’s reply',
  method: 'POST',
  path: '/api/posting/{tile}/oauth',
  access: 'owner',
  audit: { action: 'posting.allowed', target: 'tile' },
  params: TileParams,
  body: z.object({
    code: z.optional(z.string().check(z.minLength(1), z.maxLength(4096))),
    state: z.optional(z.nullable(z.string().check(z.maxLength(500)))),
    query: z.optional(z.record(z.string().check(z.maxLength(200)), z.string().check(z.maxLength(4096)))),
  }),
  reply: z.object({ message: z.string() }),
  errors: ['invalid_input', 'not_found', 'not_configured', 'provider_refused', 'provider_unavailable'],
  example: ({ source }) => ({ params: { tile: source }, body: { code: 'x' } }),
})

export const endPosting = route({
  name: 'endPosting',
  summary: 'End the sign-in for posting: nothing more is posted',
  method: 'DELETE',
  path: '/api/posting/{tile}',
  access: 'owner',
  audit: { action: 'posting.ended', target: 'tile' },
  params: TileParams,
  reply: z.object({ message: z.string() }),
  errors: ['invalid_input', 'not_found', 'not_configured'],
  example: ({ source }) => ({ params: { tile: source } }),
})

/** Calls the provider. `not_configured`: there is no sign-in for posting. */
export const listPostChannels = route({
  name: 'listPostChannels',
  summary: 'The channels that can be posted to, as the provider lists them now',
  method: 'GET',
  path: '/api/posting/{tile}/channels',
  access: 'owner',
  params: TileParams,
  reply: z.object({
    channels: z.array(z.object({ id: z.string(), label: z.string(), hint: z.optional(z.string()) })),
  }),
  errors: ['invalid_input', 'not_found', 'not_configured', 'provider_refused', 'provider_unavailable'],
  example: ({ source }) => ({ params: { tile: source } }),
})

/** With neither a digest nor alerts, the channel is removed. */
export const setPostChannel = route({
  name: 'setPostChannel',
  summary: 'Choose which digests and alerts a channel gets',
  method: 'PUT',
  path: '/api/posting/{tile}/channel',
  access: 'owner',
  audit: { action: 'posting.channel-chosen', target: 'tile' },
  params: TileParams,
  body: z.object({ channel: z.string().check(z.minLength(1), z.maxLength(200)), choice: DigestChoice }),
  reply: PosterView,
  errors: ['invalid_input', 'not_found', 'not_configured', 'provider_refused', 'provider_unavailable'],
  example: ({ source }) => ({
    params: { tile: source },
    body: {
      channel: 'C1',
      choice: {
        frequency: 'off',
        weekday: 1,
        hour: 9,
        time_zone: 'UTC',
        alerts: { spike: false, regression: false, themes: [] },
        quiet: null,
      },
    },
  }),
})

/** `nothing`: it would not be posted now. */
export const previewPost = route({
  name: 'previewPost',
  summary: 'A message to a channel as it would be posted now',
  method: 'GET',
  path: '/api/posting/{tile}/preview',
  access: 'member',
  params: TileParams,
  query: z.object({ post: DigestPreviewed }),
  reply: z.object({ text: z.string(), nothing: z.boolean() }),
  errors: ['invalid_input', 'not_found'],
  example: ({ source }) => ({ params: { tile: source }, query: { post: 'daily' } }),
})

/**
 * A conversation of people who asked, in which a reply can be posted. `reply`: the outcome of the latest one about this insight; null: there is none.
 */
export const ReplyPlace = z.object({
  id: z.string(),
  tile: z.string(),
  place: z.nullable(z.string()),
  link: z.nullable(z.string()),
  people: z.array(z.object({ person: z.string(), name: z.nullable(z.string()) })),
  reply: z.nullable(z.object({ state: MailState, at: z.string(), by: z.string(), error: z.nullable(z.string()) })),
})
export type ReplyPlace = z.infer<typeof ReplyPlace>

/** How many conversations a list has at most, and how long a reply may be. */
export const MAX_REPLIES = 200
/** The most characters of a reply. */
export const MAX_REPLY_TEXT = 3000

/** `posters`: the connectors of these conversations; `signed_in`: replies can be posted there. `text`: a draft. */
export const listReplies = route({
  name: 'listReplies',
  summary: 'The conversations with people who asked for an insight in which a reply can be posted',
  method: 'GET',
  path: '/api/insights/{issue_number}/replies',
  access: 'member',
  params: InsightNumber,
  reply: z.object({
    posters: z.array(z.object({ tile: z.string(), label: z.string(), signed_in: z.boolean() })),
    text: z.string(),
    conversations: z.array(ReplyPlace),
  }),
  errors: ['invalid_input', 'not_found'],
  example: ({ issue }) => ({ params: { issue_number: issue } }),
})

/** `again`: also where a reply about this insight was posted, or may have been. `skipped`: conversations that got none now. */
export const sendReplies = route({
  name: 'sendReplies',
  summary: 'Post a reply in the conversations of people who asked, and mark them as told once it is posted',
  method: 'POST',
  path: '/api/insights/{issue_number}/replies',
  access: 'member',
  audit: { action: 'people.replied', target: 'issue_number' },
  params: InsightNumber,
  body: z.object({
    conversations: z.array(z.string().check(z.maxLength(1000))).check(z.minLength(1), z.maxLength(MAX_REPLIES)),
    text: z.string().check(z.trim(), z.minLength(1, 'Enter a text'), z.maxLength(MAX_REPLY_TEXT)),
    again: z.boolean(),
  }),
  reply: z.object({ sending: z.int(), skipped: z.array(z.string()) }),
  errors: ['invalid_input', 'not_found', 'not_configured'],
  example: ({ issue }) => ({
    params: { issue_number: issue },
    body: { conversations: ['unknown'], text: 'It is there', again: false },
  }),
})
