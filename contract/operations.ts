import * as z from 'zod/mini'
import { route } from './route.ts'

/** What the static web app needs to know before anyone has signed in. */
export const PublicConfig = z.object({
  onboarding_url: z.nullable(z.string()),
  signup: z.enum(['open', 'invite', 'closed']),
  needs_setup_token: z.boolean(),
  google: z.boolean(),
  /** Whether the server can send mail; where it cannot, links are written to its log. */
  mail: z.optional(z.boolean()),
  /** The hosted project that signs people in, with its public key; absent where the server does so itself. */
  hosted_auth: z.optional(z.object({ url: z.string(), key: z.string() })),
  slack_client_id: z.nullable(z.string()),
  chat: z.nullable(
    z.object({ provider: z.enum(['intercom', 'crisp', 'chatwoot']), id: z.string(), host: z.nullable(z.string()) }),
  ),
})
export type PublicConfig = z.infer<typeof PublicConfig>

export const getPublicConfig = route({
  name: 'getPublicConfig',
  summary: 'Run-time configuration of the web app',
  method: 'GET',
  path: '/api/public-config',
  access: 'public',
  reply: PublicConfig,
  errors: [],
})

/** `version`: only for callers who are signed in; others do not learn which known defects a server has. */
export const getHealth = route({
  name: 'getHealth',
  summary: '200 once everything is ready: database, migrations, queue; with the version for callers who are signed in',
  method: 'GET',
  path: '/api/health',
  access: 'public',
  reply: z.object({ ready: z.literal(true), version: z.optional(z.string()) }),
  errors: ['not_ready'],
})

/** Makes no query: it does not say whether the process can do anything. For that, `getHealth`. */
export const getLive = route({
  name: 'getLive',
  summary: '200 while the process responds',
  method: 'GET',
  path: '/api/live',
  access: 'public',
  reply: z.object({ live: z.literal(true) }),
  errors: [],
})

/** A job that failed after all retries or was rejected permanently. `data` holds ids only. */
export const DeadJob = z.object({
  id: z.string(),
  job: z.string(),
  reason: z.string(),
  tries: z.int(),
  failed_at: z.string(),
  data: z.record(z.string(), z.unknown()),
})
export type DeadJob = z.infer<typeof DeadJob>

const JobParams = z.object({ id: z.uuid() })

export const listDeadJobs = route({
  name: 'listDeadJobs',
  summary: 'Failed background jobs, newest first',
  method: 'GET',
  path: '/api/admin/dead-jobs',
  access: 'admin',
  reply: z.object({ jobs: z.array(DeadJob) }),
  errors: [],
})

export const rerunDeadJob = route({
  name: 'rerunDeadJob',
  summary: 'Retry one of them',
  method: 'POST',
  path: '/api/admin/dead-jobs/{id}/rerun',
  access: 'admin',
  audit: { action: 'job.rerun', target: 'id' },
  params: JobParams,
  reply: z.object({ id: z.string() }),
  errors: ['invalid_input', 'not_found'],
  example: ({ job }) => ({ params: { id: job } }),
})

export const discardDeadJob = route({
  name: 'discardDeadJob',
  summary: 'Discard one of them',
  method: 'DELETE',
  path: '/api/admin/dead-jobs/{id}',
  access: 'admin',
  audit: { action: 'job.discarded', target: 'id' },
  params: JobParams,
  reply: z.object({ id: z.string() }),
  errors: ['invalid_input', 'not_found'],
  example: ({ job }) => ({ params: { id: job } }),
})
