import * as z from 'zod/mini'

/** The fields that are read from GitHub's responses. */
const Account = z.object({ login: z.string() })

/** Of a GitHub Enterprise Server. */
export const Version = z.object({ installed_version: z.optional(z.string()) })

export const User = z.object({ id: z.int(), login: z.string().check(z.minLength(1)) })

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
export const Issues = z.array(Issue)

export const Comment = z.object({ id: z.int(), body: z.optional(z.nullable(z.string())) })
export const Comments = z.array(Comment)

export const Repository = z.object({
  full_name: z.string(),
  has_issues: z.boolean(),
  archived: z.boolean(),
  /** Of a person. */
  permissions: z.optional(z.object({ push: z.boolean(), triage: z.optional(z.boolean()) })),
})
export type Repository = z.infer<typeof Repository>
export const Repositories = z.array(Repository)
export const InstallationRepositories = z.object({ repositories: Repositories })

export const Labels = z.array(z.object({ name: z.string(), description: z.nullable(z.string()) }))
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
export const Installations = z.object({ installations: z.array(Installation) })

export const InstallationToken = z.object({ token: z.string().check(z.minLength(1)), expires_at: z.string() })

/** Status 200 either way. */
export const UserToken = z.union([
  z.object({ access_token: z.string().check(z.minLength(1)) }),
  z.object({ error: z.string() }),
])

export const ErrorReply = z.object({
  message: z.optional(z.string()),
  errors: z.optional(z.array(z.unknown())),
})
export const FieldError = z.object({ field: z.string() })
