import * as z from 'zod/mini'
import { lenient } from '../kit/lenient.ts'
import { listed } from '../kit/listed.ts'

const Text = z.optional(z.nullable(z.string()))
const Count = z.int().check(z.nonnegative())
/** A time in epoch seconds, in which dates exist. */
const Seconds = z.int().check(z.nonnegative(), z.maximum(8e12))

/** Intercom describes its ids as text, and sends some as numbers. */
const idLike = (pattern: RegExp) =>
  z.pipe(
    z.pipe(
      z.union([z.string(), z.int()]),
      z.transform((id: string | number) => String(id)),
    ),
    z.string().check(z.regex(pattern)),
  )
/** A conversation's id becomes a part of paths and links. */
export const ConversationId = idLike(/^\d{1,25}$/)
const AnyId = idLike(/^[\w-]{1,64}$/)

/** The body of a refusal. */
export const ErrorReply = z.object({ errors: z.array(z.object({ code: Text })) })

const Named = z.object({ name: z.string() })
const Author = z.object({ type: Text, name: Text })
const Attachments = z.array(z.object({ name: Text }))
const Tags = z.object({ tags: z.nullable(z.array(z.object({ id: AnyId, name: Text }))) })

/** What a conversation is chosen by. */
const selected = {
  id: ConversationId,
  created_at: Seconds,
  updated_at: Seconds,
  team_assignee_id: lenient(AnyId),
  tags: lenient(Tags),
}

/** A conversation as the search lists it: without its parts. */
export const Listed = z.object(selected)
export type Listed = z.infer<typeof Listed>

/** What of a conversation that cannot be parsed is enough to read it again. */
export const WithId = z.object({ id: ConversationId })

export const SearchPage = z.object({
  conversations: z.nullable(listed(Listed)),
  total_count: lenient(Count),
  pages: z.optional(z.nullable(z.object({ next: z.optional(z.nullable(z.object({ starting_after: Text }))) }))),
})

/** The message that a conversation starts with. */
const Source = z.object({
  type: Text,
  subject: Text,
  body: Text,
  author: lenient(Author),
  attachments: lenient(Attachments),
  redacted: lenient(z.boolean()),
})
export type Source = z.infer<typeof Source>

export const Part = z.object({
  id: z.nullable(AnyId),
  part_type: Text,
  body: Text,
  created_at: z.nullable(Seconds),
  updated_at: lenient(Seconds),
  author: lenient(Author),
  attachments: lenient(Attachments),
  redacted: lenient(z.boolean()),
})
export type Part = z.infer<typeof Part>

/** What a conversation has that is a ticket. Its form is filled in by a customer or a teammate. */
const Ticket = z.object({
  category: Text,
  created_at: lenient(Seconds),
  ticket_attributes: lenient(z.record(z.string(), z.unknown())),
})

/** A conversation as it is read: with the newest 500 of its parts. `title`, `topics` and `company` are not in every workspace. */
export const Conversation = z.object({
  ...selected,
  state: Text,
  title: lenient(z.string()),
  source: z.optional(z.nullable(Source)),
  ticket: lenient(Ticket),
  topics: lenient(z.object({ topics: z.array(Named) })),
  company: lenient(Named),
  custom_attributes: lenient(z.record(z.string(), z.unknown())),
  statistics: lenient(z.object({ count_conversation_parts: z.nullable(Count) })),
  conversation_parts: z.nullable(
    z.object({ conversation_parts: z.nullable(z.array(Part)), total_count: lenient(Count) }),
  ),
})
export type Conversation = z.infer<typeof Conversation>

/** Who the credentials belong to. */
export const Me = z.object({
  app: z.optional(z.nullable(z.object({ id_code: z.string(), name: Text, region: Text }))),
})

const Option = z.object({ id: AnyId, name: Text })
export const Teams = z.object({ teams: z.nullable(z.array(Option)) })
export const TagList = z.object({ data: z.nullable(z.array(Option)) })

const Secret = z.string().check(z.minLength(1))
/** Intercom sends the same token under two names. */
export const Granted = z.union([
  z.object({ access_token: Secret }),
  z.pipe(
    z.object({ token: Secret }),
    z.transform(({ token }: { token: string }) => ({ access_token: token })),
  ),
])

/** A notification of a webhook. `app_id` is the workspace. */
export const Notification = z.object({
  topic: z.string(),
  id: Text,
  app_id: Text,
  created_at: z.optional(z.nullable(z.int())),
  data: z.optional(
    z.nullable(
      z.object({
        item: z.optional(
          z.nullable(z.object({ id: lenient(ConversationId), conversation_id: lenient(ConversationId) })),
        ),
      }),
    ),
  ),
})
