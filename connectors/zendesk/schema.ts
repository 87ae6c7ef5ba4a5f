import * as z from 'zod/mini'
import { lenient } from '../kit/lenient.ts'
import { listed } from '../kit/listed.ts'

const Text = z.optional(z.nullable(z.string()))
const Id = z.int().check(z.nonnegative())
const MaybeId = z.optional(z.nullable(z.int()))
/** A time in ISO 8601. */
const Time = z.string().check(z.refine((value) => !Number.isNaN(Date.parse(value)), 'No time'))

/** The body of a refusal by OAuth or for a missing scope. */
export const ErrorReply = z.object({ error: z.optional(z.unknown()), description: Text, error_description: Text })

const CustomField = z.object({ id: Id, value: z.optional(z.unknown()) })

/** The fields of a ticket that are read. `generated_timestamp` is in seconds and orders the export. */
export const Ticket = z.object({
  id: Id,
  subject: Text,
  status: Text,
  updated_at: Time,
  generated_timestamp: z.optional(z.nullable(z.int())),
  requester_id: MaybeId,
  assignee_id: lenient(z.int()),
  collaborator_ids: lenient(z.array(z.int())),
  organization_id: MaybeId,
  group_id: MaybeId,
  brand_id: MaybeId,
  tags: lenient(z.array(z.string())),
  via: lenient(z.object({ channel: z.string() })),
  from_messaging_channel: lenient(z.boolean()),
  custom_fields: lenient(z.array(CustomField)),
  comment_count: lenient(z.int()),
})
export type Ticket = z.infer<typeof Ticket>

const Named = z.object({ id: Id, name: z.string() })
const NamedList = z.array(Named)

/** What of a ticket that cannot be parsed is enough to read it again. */
export const WithId = z.object({ id: Id })

/** A page of the incremental export, with the organizations of its tickets. */
export const TicketPage = z.object({
  tickets: listed(Ticket),
  after_cursor: Text,
  end_of_stream: z.boolean(),
  organizations: lenient(NamedList),
})
/** The reply of `GET /tickets/{id}`. */
export const OneTicket = z.object({ ticket: Ticket })

const Attachment = z.object({ file_name: Text, inline: z.optional(z.nullable(z.boolean())) })

/** `alias`: the name that customers see. `shared_agent`: an agent of another account with which tickets are shared. */
const User = z.object({
  id: z.int(),
  name: Text,
  role: Text,
  alias: lenient(z.string()),
  shared_agent: lenient(z.boolean()),
  updated_at: lenient(Time),
})
export type User = z.infer<typeof User>

/** A comment of a ticket, or the record of a call. */
export const Comment = z.object({
  id: Id,
  /** `Comment`, or for the record of a call `VoiceComment`, with `data` about the call. */
  type: lenient(z.string()),
  data: lenient(
    z.object({ transcription_text: lenient(z.string()), answered_by_id: lenient(z.union([z.int(), z.string()])) }),
  ),
  via: lenient(z.object({ channel: lenient(z.string()), source: lenient(z.object({ rel: lenient(z.string()) })) })),
  author_id: MaybeId,
  /** Only comments marked public are read. */
  public: z.optional(z.nullable(z.boolean())),
  body: Text,
  html_body: Text,
  plain_body: Text,
  created_at: Time,
  attachments: lenient(z.array(Attachment)),
})
export type Comment = z.infer<typeof Comment>

/** A page of the comments of a ticket, with their authors. */
export const CommentPage = z.object({
  comments: z.array(Comment),
  meta: z.optional(z.nullable(z.object({ has_more: z.optional(z.nullable(z.boolean())), after_cursor: Text }))),
  users: lenient(z.array(User)),
})

/** A message of a conversation in an audit. `timestamp` is in epoch milliseconds or ISO 8601. */
export const ChatMessage = z.object({
  type: z.literal('ChatMessage'),
  message: z.string(),
  message_id: lenient(z.string()),
  actor_type: lenient(z.string()),
  actor_name: lenient(z.string()),
  actor_id: lenient(z.union([z.string(), z.number()])),
  timestamp: lenient(z.union([z.string(), z.number()])),
})
export type ChatMessage = z.infer<typeof ChatMessage>

/** An audit has many kinds of events. Only conversations are read. */
export const ChatEvent = z.object({ id: Id, value: z.object({ history: z.array(z.unknown()) }) })

const Audit = z.object({ created_at: lenient(Time), events: lenient(z.array(z.unknown())) })
/** A page of the audits of a ticket. */
export const AuditPage = z.object({
  audits: z.array(Audit),
  meta: z.optional(z.nullable(z.object({ has_more: z.optional(z.nullable(z.boolean())), after_cursor: Text }))),
})

/** The reply of `users/show_many`. */
export const Users = z.object({ users: z.array(User) })
/** The reply of a search for people. */
export const UserResults = z.object({ results: z.array(User) })
/** The reply of `organizations/show_many`. */
export const Organizations = z.object({ organizations: NamedList })
/** The reply of `users/me`: whose token it is; its id is null for an invalid one. */
export const CurrentUser = z.object({ user: z.object({ id: MaybeId, name: Text, role: Text }) })

/** A list with offset pagination. */
const listOf = <T extends z.ZodMiniType>(key: string, item: T) =>
  z.pipe(
    z.looseObject({ [key]: z.array(item), next_page: Text }),
    z.transform((page) => ({ items: page[key] as z.infer<T>[], more: Boolean(page.next_page) })),
  )
/** A page of brands. */
export const Brands = listOf('brands', Named)
/** A page of groups. */
export const Groups = listOf('groups', Named)
/** A page of ticket fields, with the options of drop-downs. */
export const TicketFields = listOf(
  'ticket_fields',
  z.object({
    id: Id,
    title: z.string(),
    custom_field_options: lenient(z.array(z.object({ name: z.string(), value: z.string() }))),
  }),
)

/** How many tickets a search has. */
export const SearchCount = z.object({ count: Id })

/** Tokens, each with only its first 10 characters. */
export const TokenList = z.object({
  tokens: z.array(z.object({ id: Id, token: Text })),
  meta: z.optional(z.nullable(z.object({ has_more: z.optional(z.nullable(z.boolean())), after_cursor: Text }))),
})

const Webhook = z.object({ id: z.string(), status: Text, endpoint: Text, subscriptions: lenient(z.array(z.string())) })
/** A new webhook. */
export const OneWebhook = z.object({ webhook: z.object({ id: z.string().check(z.minLength(1)) }) })
/** The webhooks of the account. */
export const Webhooks = z.object({ webhooks: z.array(Webhook) })
/** The secret that signs the events of a webhook. */
export const SigningSecret = z.object({ signing_secret: z.object({ secret: z.string().check(z.minLength(1)) }) })

/** An event of a webhook. `subject` is such as `zen:ticket:35436`. */
export const TicketEvent = z.object({
  type: z.string(),
  id: z.string().check(z.minLength(1), z.maxLength(200)),
  subject: Text,
  detail: z.optional(z.nullable(z.object({ id: z.optional(z.nullable(z.union([z.string(), z.number()]))) }))),
})
