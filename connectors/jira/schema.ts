import * as z from 'zod/mini'

/** The fields that are read from Jira's responses. */
const Text = z.optional(z.nullable(z.string()))
const Flag = z.optional(z.nullable(z.boolean()))
const Id = z.string().check(z.regex(/^\d{1,18}$/))

/** The reply of `GET /myself`: whose sign-in it is. */
export const Me = z.object({ accountId: z.string().check(z.minLength(1)), displayName: Text })

/** The sites that a sign-in was given, with the scopes of each. */
export const Resources = z.array(
  z.object({ id: z.string(), name: Text, url: Text, scopes: z.optional(z.nullable(z.array(z.string()))) }),
)

/** The reply of `POST /issue`. */
export const Created = z.object({ id: Id, key: z.string().check(z.minLength(1)) })

const Status = z.object({ name: z.string(), statusCategory: z.optional(z.nullable(z.object({ key: z.string() }))) })
export type Status = z.infer<typeof Status>
/** Absent or null: the issue has none, or the field is hidden in its project. */
const Resolution = z.optional(z.nullable(z.object({ id: z.optional(z.string()), name: z.string() })))
const IssueFields = z.object({ summary: Text, status: Status, resolution: Resolution })
export type IssueFields = z.infer<typeof IssueFields>
/** An issue with the fields that are read. */
export const Issue = z.object({ id: Id, key: z.string(), fields: IssueFields })
export type Issue = z.infer<typeof Issue>

/** What can be done with an issue now, and the status that follows. */
export const Transitions = z.object({
  transitions: z.array(
    z.object({
      id: z.string(),
      to: z.optional(z.nullable(Status)),
      isAvailable: Flag,
      fields: z.optional(z.nullable(z.record(z.string(), z.object({ required: Flag, hasDefaultValue: Flag })))),
    }),
  ),
})

/** What a search in JQL found. */
export const Found = z.object({ issues: z.array(Issue) })
/** `issueErrors` lists issues that could not be read for other reasons than that they are gone. */
export const BulkIssues = z.object({
  issues: z.array(Issue),
  issueErrors: z.optional(z.nullable(z.array(z.object({ id: z.optional(z.union([z.string(), z.number()])) })))),
})

/** A new or changed comment. */
export const Comment = z.object({ id: Id })
/** The comments of an issue; `body`: a document in Atlassian’s format. */
export const Comments = z.object({
  comments: z.array(z.object({ id: Id, body: z.optional(z.unknown()) })),
})

/** A page of projects. */
export const Projects = z.object({
  values: z.array(z.object({ id: Id, key: z.string(), name: z.string() })),
})

/** The types of issues that can be created in a project. */
export const IssueTypes = z.object({
  issueTypes: z.array(z.object({ id: Id, name: z.string(), subtask: Flag })),
  total: z.optional(z.number()),
})

/** A value that a field allows; it has a name or a value, by the type of the field. */
export const AllowedValue = z.object({ id: z.string(), name: Text, value: Text })
/** A field of the form that creates an issue. */
export const Field = z.object({
  fieldId: z.string().check(z.minLength(1)),
  name: z.string(),
  required: z.boolean(),
  hasDefaultValue: Flag,
  schema: z.object({ type: z.string(), items: Text, system: Text, custom: Text }),
  /** Apps add fields with values of any kind: those that are no `AllowedValue` cannot be chosen. */
  allowedValues: z.optional(z.nullable(z.array(z.unknown()))),
})
export type Field = z.infer<typeof Field>
/** The fields of the form that creates an issue of a type. */
export const Fields = z.object({ fields: z.array(Field), total: z.optional(z.number()) })

/** People who can be assigned to issues of a project. */
export const People = z.array(z.object({ accountId: z.string(), displayName: Text, active: Flag }))

/** What the sign-in may do in a project, by permission. */
export const Permissions = z.object({ permissions: z.record(z.string(), z.object({ havePermission: z.boolean() })) })

/** The webhooks of the app on a site. */
export const Webhooks = z.object({
  values: z.array(z.object({ id: z.number(), url: Text, jqlFilter: z.string(), events: z.array(z.string()) })),
})
/** The outcome of each webhook that was asked for, in their order. */
export const Registered = z.object({
  webhookRegistrationResult: z.array(
    z.object({
      createdWebhookId: z.optional(z.nullable(z.number())),
      errors: z.optional(z.nullable(z.array(z.string()))),
    }),
  ),
})
/** The description says epoch milliseconds; its example is a date. */
export const Expiration = z.object({ expirationDate: z.union([z.number(), z.string()]) })

/** The body of a refusal: `errors` by field, `errorMessages` about the rest. */
export const ErrorReply = z.object({
  message: Text,
  errorMessages: z.optional(z.nullable(z.array(z.string()))),
  errors: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
})
