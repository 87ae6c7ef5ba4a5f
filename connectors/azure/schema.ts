import * as z from 'zod/mini'

/** Lists come as `{ count, value }`. */
export const listOf = <T extends z.ZodMiniType>(item: T) => z.object({ value: z.array(item) })

/** A project, in lists and alone. */
export const Project = z.object({ id: z.string().check(z.minLength(1)), name: z.string() })

/** A type of work items of a project. */
export const ItemType = z.object({ name: z.string(), isDisabled: z.optional(z.nullable(z.boolean())) })

/** A field as a list of types has it. */
export const FieldOfType = z.object({ referenceName: z.string() })
/** A field with what a work item of the type needs. */
export const TypeField = z.extend(FieldOfType, {
  name: z.string(),
  alwaysRequired: z.optional(z.nullable(z.boolean())),
  defaultValue: z.optional(z.unknown()),
  allowedValues: z.optional(z.nullable(z.array(z.unknown()))),
})
export type TypeField = z.infer<typeof TypeField>

/** A state of a type; `category`: the same in every process, such as `Completed`. */
export const State = z.object({ name: z.string(), category: z.string() })
export type State = z.infer<typeof State>

/** A work item with the fields that are read. `_links` is absent where it was not requested. */
export const WorkItem = z.object({
  id: z.int(),
  fields: z.object({
    'System.Title': z.string(),
    'System.State': z.string(),
    'System.TeamProject': z.string(),
    'System.WorkItemType': z.string(),
    'System.Reason': z.optional(z.nullable(z.string())),
  }),
  _links: z.optional(z.nullable(z.object({ html: z.optional(z.object({ href: z.string() })) }))),
})
export type WorkItem = z.infer<typeof WorkItem>

/** Items that were left out because of `errorPolicy` are null. */
export const Batch = listOf(z.nullable(WorkItem))

/** What creating would return. Nothing was created, so that there is no id. */
export const Validated = z.object({ fields: z.object({ 'System.TeamProject': z.optional(z.string()) }) })

/** The ids that a query in WIQL found. */
export const Found = z.object({ workItems: z.array(z.object({ id: z.int() })) })

/** A comment; deleted ones stay in the list. */
export const Comment = z.object({ id: z.int(), isDeleted: z.optional(z.nullable(z.boolean())) })
/** The comments of a work item. */
export const Comments = z.object({
  comments: z.array(z.extend(Comment, { text: z.optional(z.nullable(z.string())) })),
})

/** A node of the tree of areas. */
export type Area = { name: string; children?: readonly Area[] | null | undefined }
export const Area: z.ZodMiniType<Area> = z.object({
  name: z.string(),
  get children() {
    return z.optional(z.nullable(z.array(Area)))
  },
})

/** A project with the id of its default team. */
export const DefaultTeam = z.object({ defaultTeam: z.optional(z.nullable(z.object({ id: z.string() }))) })
/** A person or a group, which is a container. */
export const Member = z.object({
  identity: z.object({
    displayName: z.optional(z.nullable(z.string())),
    uniqueName: z.optional(z.nullable(z.string())),
    isContainer: z.optional(z.nullable(z.boolean())),
  }),
})

/** Whose token it is. */
export const Profile = z.object({
  id: z.string().check(z.minLength(1)),
  displayName: z.optional(z.nullable(z.string())),
})
/** An organization that a person is in, by the name in its addresses. */
export const Account = z.object({ accountName: z.string() })

/** A subscription of service hooks. `consumerInputs` has the address that it calls. */
export const Hook = z.object({
  id: z.string().check(z.regex(/^[0-9A-Za-z-]{1,64}$/)),
  eventType: z.string(),
  status: z.optional(z.nullable(z.string())),
  publisherInputs: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
  consumerInputs: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
})
export type Hook = z.infer<typeof Hook>
