import * as z from 'zod/mini'

/** An id, which ClickUp sends as a number in some responses and as text in others. */
export const Id = z.pipe(
  z.union([z.string().check(z.minLength(1)), z.int()]),
  z.transform((id) => String(id)),
)
const Text = z.nullish(z.string())
const Named = z.object({ id: Id, name: z.string() })

/** A status of a list. `type`: such as `open` or `closed`; `orderindex`: its place in the list. */
export const Status = z.object({ status: z.string(), type: z.string(), orderindex: z.nullish(z.number()) })
export type Status = z.infer<typeof Status>

/** Tags are texts in some responses and objects in others. */
const Tag = z.pipe(
  z.union([z.string(), z.object({ name: z.string() })]),
  z.transform((tag) => (typeof tag === 'string' ? tag : tag.name)),
)

/** A task, as it is created, read and listed. */
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
/** A page of tasks. */
export const Tasks = z.object({ tasks: z.array(Task) })

/** A list with its statuses; `permission_level`: what the token may do there. */
export const List = z.object({
  ...Named.shape,
  archived: z.nullish(z.boolean()),
  permission_level: Text,
  statuses: z.nullish(z.array(Status)),
})

/** The reply of `GET /user`: whose token it is. */
export const User = z.object({ user: z.object({ id: Id, username: Text, email: Text }) })

const Member = z.object({ user: z.object({ id: Id, username: Text, email: Text }) })
/** The reply of `GET /team`: the workspaces of the token, with their people. */
export const Teams = z.object({ teams: z.array(z.object({ ...Named.shape, members: z.nullish(z.array(Member)) })) })
export type Team = z.infer<typeof Teams>['teams'][number]

const Features = z.object({ tags: z.nullish(z.object({ enabled: z.nullish(z.boolean()) })) })
/** The spaces of a workspace, and whether they have tags. */
export const Spaces = z.object({ spaces: z.array(z.object({ ...Named.shape, features: z.nullish(Features) })) })
/** The folders of a space. */
export const Folders = z.object({ folders: z.array(Named) })
/** Lists of a folder, or of a space without one. */
export const Lists = z.object({ lists: z.array(Named) })

const Option = z.object({ id: Id, name: Text, label: Text })
/** A custom field. `options`: of drop-downs and labels. `object_id`: the types of tasks that it is for. */
export const Field = z.object({
  ...Named.shape,
  type: z.string(),
  required: z.nullish(z.boolean()),
  type_config: z.nullish(z.object({ options: z.nullish(z.array(Option)) })),
  applied_objects: z.nullish(z.array(z.object({ object_id: z.nullish(z.number()) }))),
})
export type Field = z.infer<typeof Field>
/** The custom fields of a list. */
export const Fields = z.object({ fields: z.array(Field) })

/** Comments of a task; `date`: epoch milliseconds. */
export const Comments = z.object({ comments: z.array(z.object({ id: Id, comment_text: Text, date: z.nullish(Id) })) })
/** A new comment. */
export const Comment = z.object({ id: Id })

/** A webhook as lists have it. `health.status`: `suspended` after too many failures. */
export const Webhook = z.object({
  id: Id,
  endpoint: Text,
  events: z.nullish(z.array(z.string())),
  list_id: z.nullish(Id),
  health: z.nullish(z.object({ status: Text })),
  secret: Text,
})
export type Webhook = z.infer<typeof Webhook>
/** The webhooks of a workspace. */
export const Webhooks = z.object({ webhooks: z.array(Webhook) })
/** A new webhook, with the secret that signs its events. */
export const NewWebhook = z.object({ webhook: z.object({ id: Id, secret: z.string().check(z.minLength(1)) }) })
