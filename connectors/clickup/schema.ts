import * as z from 'zod/mini'

/** An id, which ClickUp sends as a number in some responses and as text in others. */
export const Id = z.pipe(
  z.union([z.string().check(z.minLength(1)), z.int()]),
  z.transform((id) => String(id)),
)
const Text = z.nullish(z.string())
const Named = z.object({ id: Id, name: z.string() })

export const Status = z.object({ status: z.string(), type: z.string(), orderindex: z.nullish(z.number()) })
export type Status = z.infer<typeof Status>

/** Tags are texts in some responses and objects in others. */
const Tag = z.pipe(
  z.union([z.string(), z.object({ name: z.string() })]),
  z.transform((tag) => (typeof tag === 'string' ? tag : tag.name)),
)

export const Task = z.object({
  id: Id,
  name: z.string(),
  custom_id: Text,
  url: Text,
  status: Status,
  archived: z.nullish(z.boolean()),
  text_content: Text,
  tags: z.nullish(z.array(Tag)),
  list: z.nullish(z.object({ id: Id })),
})
export type Task = z.infer<typeof Task>
export const Tasks = z.object({ tasks: z.array(Task) })

export const List = z.object({
  ...Named.shape,
  archived: z.nullish(z.boolean()),
  permission_level: Text,
  statuses: z.nullish(z.array(Status)),
})

export const User = z.object({ user: z.object({ id: Id, username: Text, email: Text }) })

const Member = z.object({ user: z.object({ id: Id, username: Text, email: Text }) })
export const Teams = z.object({ teams: z.array(z.object({ ...Named.shape, members: z.nullish(z.array(Member)) })) })
export type Team = z.infer<typeof Teams>['teams'][number]

const Features = z.object({ tags: z.nullish(z.object({ enabled: z.nullish(z.boolean()) })) })
export const Spaces = z.object({ spaces: z.array(z.object({ ...Named.shape, features: z.nullish(Features) })) })
export const Folders = z.object({ folders: z.array(Named) })
export const Lists = z.object({ lists: z.array(Named) })

const Option = z.object({ id: Id, name: Text, label: Text })
export const Field = z.object({
  ...Named.shape,
  type: z.string(),
  required: z.nullish(z.boolean()),
  type_config: z.nullish(z.object({ options: z.nullish(z.array(Option)) })),
  applied_objects: z.nullish(z.array(z.object({ object_id: z.nullish(z.number()) }))),
})
export type Field = z.infer<typeof Field>
export const Fields = z.object({ fields: z.array(Field) })

export const Comments = z.object({ comments: z.array(z.object({ id: Id, comment_text: Text, date: z.nullish(Id) })) })
export const Comment = z.object({ id: Id })

export const Webhook = z.object({
  id: Id,
  endpoint: Text,
  events: z.nullish(z.array(z.string())),
  list_id: z.nullish(Id),
  health: z.nullish(z.object({ status: Text })),
  secret: Text,
})
export type Webhook = z.infer<typeof Webhook>
export const Webhooks = z.object({ webhooks: z.array(Webhook) })
export const NewWebhook = z.object({ webhook: z.object({ id: Id, secret: z.string().check(z.minLength(1)) }) })
