import * as z from 'zod/mini'
import { type KeyScope, route } from './route.ts'
import { nameOf } from './values/name.ts'

const SCOPES = ['read', 'feedback:write', 'insights:write'] as const satisfies KeyScope[]
const Scope = z.enum(SCOPES)

/** After how many days a key may expire. */
export const KEY_DAYS = [30, 90, 365] as const

/**
 * A key of the workspace. `start`: the first characters of the key, to recognise it by. `made_by`: the e-mail address of the member whose
 * calls it makes. `last_used_at` is exact to a minute; null: never used.
 */
export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(Scope),
  start: z.string(),
  made_by: z.string(),
  created_at: z.string(),
  expires_at: z.nullable(z.string()),
  expired: z.boolean(),
  last_used_at: z.nullable(z.string()),
})
export type ApiKey = z.infer<typeof ApiKey>

export const listApiKeys = route({
  name: 'listApiKeys',
  summary: 'The API keys of the workspace, the newest first; the keys themselves are shown once, when they are created',
  method: 'GET',
  path: '/api/keys',
  access: 'member',
  reply: z.object({ keys: z.array(ApiKey) }),
  errors: [],
})

/** `expires_in_days`: null: never. `token` is the key itself, which is not stored and cannot be shown again. */
export const createApiKey = route({
  name: 'createApiKey',
  summary: 'Create an API key, which is shown once',
  method: 'POST',
  path: '/api/keys',
  access: 'member',
  audit: 'none',
  body: z.object({
    name: nameOf(100),
    scopes: z.array(Scope).check(z.minLength(1), z.maxLength(SCOPES.length)),
    expires_in_days: z.nullable(z.literal(KEY_DAYS)),
  }),
  reply: z.object({ key: ApiKey, token: z.string() }),
  errors: ['invalid_input', 'conflict'],
  example: () => ({ body: { name: 'a program', scopes: ['read'], expires_in_days: 30 } }),
})

/** Takes effect in all processes at once. `not_found`: the workspace has no such key. */
export const revokeApiKey = route({
  name: 'revokeApiKey',
  summary: 'Revoke an API key: its next call is refused',
  method: 'DELETE',
  path: '/api/keys/{id}',
  access: 'member',
  audit: 'none',
  params: z.object({ id: z.uuid() }),
  reply: z.object({ id: z.string() }),
  errors: ['invalid_input', 'not_found'],
  example: ({ apiKey }) => ({ params: { id: apiKey } }),
})
