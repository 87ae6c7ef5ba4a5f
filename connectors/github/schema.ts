import * as z from 'zod/mini'

/** The fields that are read from GitHub's responses. */
const Account = z.object({ login: z.string() })

/** The version of a GitHub Enterprise Server. */
export const Version = z.object({ installed_version: z.optional(z.string()) })

/** The reply of `GET /user`: whose token it is. */
export const User = z.object({ id: z.int(), login: z.string().check(z.minLength(1)) })

/** An issue, as it is created, read and listed. */
export const Issue = z.object({
  id: z.int(),
  number: z.int(),
  html_url: z.string(),
  title: z.string(),
  /** `…/repos/{owner}/{name}` */
  repository_url: z.string(),
  state: z.string(),
  state_reason: z.optional(z.nullable(z.string())),
  body: z.optional(z.nullable(z.string())),
  comments: z.int(),
  /** Lists contain pull requests too, which have this. */
  pull_request: z.optional(z.unknown()),
})
export type Issue = z.infer<typeof Issue>
/** A page of issues and pull requests. */
export const Issues = z.array(Issue)

/** A comment of an issue. */
export const Comment = z.object({ id: z.int(), body: z.optional(z.nullable(z.string())) })
/** A page of comments, oldest first. */
export const Comments = z.array(Comment)

/** A repository, with what the token may do there. */
export const Repository = z.object({
  full_name: z.string(),
  has_issues: z.boolean(),
  archived: z.boolean(),
  /** What the person may do. */
  permissions: z.optional(z.object({ push: z.boolean(), triage: z.optional(z.boolean()) })),
})
export type Repository = z.infer<typeof Repository>
/** The repositories that a personal token can see. */
export const Repositories = z.array(Repository)
/** The repositories that an installation of the app was given. */
export const InstallationRepositories = z.object({ repositories: Repositories })

/** The labels of a repository. */
export const Labels = z.array(z.object({ name: z.string(), description: z.nullable(z.string()) }))
/** The people who can be assigned to issues of a repository. */
export const Assignees = z.array(Account)

/** An account is a person or an organization, or an enterprise, which has a name and no login. */
export const Installation = z.object({
  id: z.int(),
  app_slug: z.string(),
  account: z.nullable(z.object({ login: z.optional(z.string()), name: z.optional(z.nullable(z.string())) })),
  permissions: z.object({ issues: z.optional(z.string()) }),
  suspended_at: z.optional(z.nullable(z.string())),
})
export type Installation = z.infer<typeof Installation>
/** The installations of the app that a person can see. */
export const Installations = z.object({ installations: z.array(Installation) })

/** A token of an installation, which ends at `expires_at` (ISO 8601). */
export const InstallationToken = z.object({ token: z.string().check(z.minLength(1)), expires_at: z.string() })

/** Status 200 either way. */
export const UserToken = z.union([
  z.object({ access_token: z.string().check(z.minLength(1)) }),
  z.object({ error: z.string() }),
])

/** The body of a refusal. `errors`: texts or objects, see `FieldError`. */
export const ErrorReply = z.object({
  message: z.optional(z.string()),
  errors: z.optional(z.array(z.unknown())),
})
/** An error that names the field it is about. */
export const FieldError = z.object({ field: z.string() })
