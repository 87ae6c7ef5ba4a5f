import * as z from 'zod/mini'
import { route } from '../route.ts'

/** One session of the caller. `device` is a description such as "Firefox on Linux"; `is_this` marks the session of this request. */
export const MySession = z.object({
  id: z.string(),
  device: z.string(),
  address: z.nullable(z.string()),
  started_at: z.string(),
  last_used_at: z.string(),
  /** When it was last used from a network or device that was new to it; null: never. */
  new_address_at: z.nullable(z.string()),
  new_device_at: z.nullable(z.string()),
  second_factor: z.boolean(),
  is_this: z.boolean(),
})
export type MySession = z.infer<typeof MySession>

export const listMySessions = route({
  name: 'listMySessions',
  summary: 'Where I am signed in, the last used first',
  method: 'GET',
  path: '/api/account/sessions',
  access: 'person',
  ofAccount: true,
  reply: z.object({ sessions: z.array(MySession) }),
  errors: [],
})

/** `not_found`: the caller has no such session, or it has ended. */
export const endMySession = route({
  name: 'endMySession',
  summary: 'Sign out one of them',
  method: 'DELETE',
  path: '/api/account/sessions/{id}',
  access: 'person',
  ofAccount: true,
  audit: 'none',
  params: z.object({ id: z.uuid() }),
  reply: z.object({ id: z.string() }),
  errors: ['invalid_input', 'not_found'],
  ends: 'session',
  example: ({ session }) => ({ params: { id: session } }),
})

/** `others`: all but the session of this request. */
export const endMySessions = route({
  name: 'endMySessions',
  summary: 'Sign out everywhere, or everywhere else',
  method: 'POST',
  path: '/api/account/sessions/end',
  access: 'person',
  ofAccount: true,
  audit: 'none',
  body: z.object({ scope: z.enum(['all', 'others']) }),
  reply: z.object({ ended: z.int() }),
  errors: ['invalid_input'],
  ends: 'session',
  example: () => ({ body: { scope: 'others' } }),
})

/** `left`: codes that have not been used. `made_at`: when they were made; null: never. */
export const getRecoveryCodes = route({
  name: 'getRecoveryCodes',
  summary: 'How many recovery codes are left; the codes themselves are shown once, when they are made',
  method: 'GET',
  path: '/api/account/recovery-codes',
  access: 'person',
  ofAccount: true,
  reply: z.object({ left: z.int(), made_at: z.nullable(z.string()) }),
  errors: [],
})

/** `conflict`: the account has no second factor. `reauthentication_needed`: the caller must have signed in within the last ten minutes. */
export const makeRecoveryCodes = route({
  name: 'makeRecoveryCodes',
  summary: 'New recovery codes, shown once; earlier ones stop working',
  method: 'POST',
  path: '/api/account/recovery-codes',
  access: 'person',
  ofAccount: true,
  audit: 'none',
  reply: z.object({ codes: z.array(z.string()) }),
  errors: ['conflict', 'mfa_required', 'reauthentication_needed'],
  needs: 'a second factor',
})

/** The session has the fields of the sign-in protocol, so that the client can adopt it unchanged. */
export const redeemRecoveryCode = route({
  name: 'redeemRecoveryCode',
  summary: 'Pass the second factor with a recovery code, which works once',
  method: 'POST',
  path: '/api/account/recovery-codes/use',
  access: 'person',
  beforeSecondFactor: true,
  audit: 'none',
  body: z.object({ code: z.string().check(z.minLength(1), z.maxLength(200)) }),
  reply: z.looseObject({
    access_token: z.string(),
    refresh_token: z.string(),
    expires_in: z.int(),
    expires_at: z.int(),
    codes_left: z.int(),
  }),
  errors: ['invalid_input', 'code_refused', 'too_many_requests'],
  needs: 'a second factor',
  example: () => ({ body: { code: 'wrong' } }),
})

/**
 * The required proof of ownership: the password; a code of the second factor for an account without a password; or a session
 * started within the last ten minutes for one with neither.
 */
export const DeletionProof = z.enum(['password', 'code', 'recent-sign-in'])
export type DeletionProof = z.infer<typeof DeletionProof>

/**
 * `proof`: what `deleteMyAccount` requires. `words`: what is deleted, as text to show. `workspaces`: those of the caller; `goes`: it is deleted
 * with the account.
 */
export const getDeletion = route({
  name: 'getDeletion',
  summary: 'What is deleted with my account, as text, and the proof required to delete it',
  method: 'GET',
  path: '/api/account/deletion',
  access: 'person',
  ofAccount: true,
  reply: z.object({
    proof: DeletionProof,
    words: z.string(),
    workspaces: z.array(z.object({ name: z.string(), goes: z.boolean() })),
  }),
  errors: [],
})

/**
 * Takes the proof that `getDeletion` names. `proof_refused`: it is wrong or missing. `conflict`: other people are in a workspace that would be left
 * without an owner.
 */
export const deleteMyAccount = route({
  name: 'deleteMyAccount',
  summary: 'Delete my account, with every workspace in which nobody else is',
  method: 'POST',
  path: '/api/account/delete',
  access: 'person',
  ofAccount: true,
  audit: 'none',
  body: z.object({
    password: z.optional(z.string().check(z.maxLength(1024))),
    code: z.optional(z.string().check(z.maxLength(200))),
  }),
  reply: z.object({ ok: z.literal(true) }),
  errors: ['invalid_input', 'proof_refused', 'conflict', 'too_many_requests'],
  ends: 'account',
  example: () => ({ body: { password: 'wrong' } }),
})

/** All data stored about the person: account, places, sessions, factors without secrets, audit entries. */
export const exportMyData = route({
  name: 'exportMyData',
  summary: 'All data stored about me',
  method: 'GET',
  path: '/api/account/export',
  access: 'person',
  ofAccount: true,
  reply: z.looseObject({
    account: z.looseObject({ email: z.string(), name: z.string() }),
    exported_at: z.string(),
  }),
  errors: ['too_many_requests'],
})
