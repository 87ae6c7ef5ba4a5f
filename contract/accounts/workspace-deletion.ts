import * as z from 'zod/mini'
import { route } from '../route.ts'
import { DeletionProof } from './my-account.ts'

/**
 * Where the caller works once the workspace is deleted: in another one that they are in, in a new and empty one, or nowhere until they sign in
 * again, since single sign-on vouches for this workspace only.
 */
const Afterwards = z.enum(['another', 'new', 'sign-in'])

/** `others`: how many other people are in it; `mailed`: whether they are told by e-mail. `backup_days`: for how long scheduled backups have it; null: there are none. */
export const getWorkspaceDeletion = route({
  name: 'getWorkspaceDeletion',
  summary: 'What deleting the workspace means, and the proof required to delete it',
  method: 'GET',
  path: '/api/workspace/deletion',
  access: 'owner',
  reply: z.object({
    name: z.string(),
    others: z.int(),
    mailed: z.boolean(),
    backup_days: z.nullable(z.int()),
    afterwards: Afterwards,
    proof: DeletionProof,
  }),
  errors: ['forbidden', 'not_found'],
})

/** `name`: that of the workspace, as a confirmation. The account of the caller stays. */
export const deleteWorkspace = route({
  name: 'deleteWorkspace',
  summary: 'Delete the workspace with everything in it, for everyone',
  method: 'POST',
  path: '/api/workspace/delete',
  access: 'owner',
  audit: 'none',
  body: z.object({
    name: z.string().check(z.maxLength(1024)),
    password: z.optional(z.string().check(z.maxLength(1024))),
    code: z.optional(z.string().check(z.maxLength(200))),
  }),
  reply: z.object({ afterwards: Afterwards }),
  errors: ['invalid_input', 'forbidden', 'not_found', 'proof_refused', 'too_many_requests'],
  ends: 'workspace',
  example: () => ({ body: { name: 'not its name', password: 'wrong' } }),
})
