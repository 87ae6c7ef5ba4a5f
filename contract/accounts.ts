import * as z from 'zod/mini'
import { route } from './route.ts'
import { Settings } from './settings.ts'
import { nameOf } from './values/name.ts'
import { Role } from './values/role.ts'

/**
 * Everything that the browser stores about its user. While a tile is not connected its fields are null, and
 * `destination_webhook` is false; other servers may omit them. `is_new_user` is present, and true, only in the session in
 * which the account was created.
 */
export const UserData = z.looseObject({
  /** Other servers may omit it. */
  account_id: z.optional(z.string()),
  name: z.string(),
  email: z.string(),
  is_admin: z.boolean(),
  settings: Settings,
  slack_data: z.optional(
    z.nullable(z.object({ access_token: z.nullable(z.string()), team: z.object({ name: z.string() }) })),
  ),
  azure_data: z.optional(z.nullable(z.object({ name: z.string() }))),
  webhook_destination: z.optional(z.nullable(z.object({ url: z.string() }))),
  destination_webhook: z.optional(z.boolean()),
  is_new_user: z.optional(z.boolean()),
  /** Where the session acts, as what, and whether the person is in others too. `time_zone`: null: nobody has chosen one yet. */
  workspace: z.optional(
    z.object({
      id: z.string(),
      name: z.string(),
      role: Role,
      has_others: z.boolean(),
      time_zone: z.optional(z.nullable(z.string())),
    }),
  ),
  /** When the previous visit to the insights ended: see `noteVisit`. */
  previous_visit: z.optional(z.nullable(z.string())),
})
export type UserData = z.infer<typeof UserData>

/** The most characters of an e-mail address. */
export const MAX_EMAIL_LENGTH = 320

/** The format of an e-mail address, as browsers check it (the HTML standard). */
export const EMAIL_FORM =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i

/** An address as it is stored. Accounts may have addresses from before the format was checked, so log-in accepts more. */
const Email = z.string().check(z.trim(), z.toLowerCase(), z.maxLength(MAX_EMAIL_LENGTH), z.regex(/^[^\s@]+@[^\s@]+$/))

const NewEmail = z
  .string()
  .check(z.trim(), z.toLowerCase(), z.maxLength(MAX_EMAIL_LENGTH), z.regex(EMAIL_FORM, 'is not an e-mail address'))

/**
 * `token` is valid for an hour, until `expires_at` (unix seconds); `refresh_token` renews it at /auth/v1/token. A server
 * without renewal omits both. `mfa_required`: nearly every call is refused until the second factor is passed.
 */
export const LoginReply = z.object({
  token: z.string(),
  is_new_user: z.boolean(),
  refresh_token: z.optional(z.string()),
  expires_at: z.optional(z.int()),
  mfa_required: z.optional(z.boolean()),
})
export type LoginReply = z.infer<typeof LoginReply>

/** The caller’s own data, in the workspace that their session acts in. The web app stores the reply. */
export const getUserData = route({
  name: 'getUserData',
  summary: 'Who is signed in, with settings and connections',
  method: 'GET',
  path: '/api/user/user-data',
  access: 'person',
  reply: UserData,
  errors: [],
})

/**
 * `login_refused`: no account has this address and password; the reply does not say which is wrong. `email_unconfirmed`: a mailed link must be
 * opened first. `not_ready`: a hosted project signs people in, and does not respond.
 */
export const login = route({
  name: 'login',
  summary: 'Sign in with e-mail and password',
  method: 'POST',
  path: '/api/auth/login',
  access: 'public',
  audit: 'none',
  body: z.object({ email: Email, password: z.string().check(z.minLength(1), z.maxLength(1024)) }),
  reply: LoginReply,
  errors: ['invalid_input', 'login_refused', 'signup_closed', 'email_unconfirmed', 'too_many_requests', 'not_ready'],
  example: () => ({ body: { email: 'nobody@example.com', password: 'x' } }),
})

/**
 * A password has at least 8 characters and at most 72 bytes of UTF-8; the server checks both. `invitation`: the token of an invitation to a workspace,
 * which admits one account where sign-up is not open.
 */
export const signup = route({
  name: 'signup',
  summary: 'Create an account with its own workspace',
  method: 'POST',
  path: '/api/auth/signup',
  access: 'public',
  audit: 'none',
  body: z.object({
    email: NewEmail,
    password: z.string().check(z.minLength(1), z.maxLength(1024)),
    name: nameOf(200),
    setup_token: z.optional(z.string().check(z.maxLength(200))),
    invitation: z.optional(z.string().check(z.maxLength(200))),
  }),
  reply: LoginReply,
  errors: ['invalid_input', 'signup_refused', 'signup_closed', 'email_unconfirmed', 'too_many_requests', 'not_ready'],
  needs: 'an address without an account',
  example: () => ({ body: { email: 'nobody@example.com', password: 'a sentence nobody guesses', name: 'Nobody' } }),
})

/** `mfa_required`: the token was issued before its session passed the second factor. */
export const logout = route({
  name: 'logout',
  summary: 'Log out: end this session',
  method: 'POST',
  path: '/api/auth/logout',
  access: 'person',
  beforeSecondFactor: true,
  audit: 'none',
  reply: z.object({ ok: z.literal(true) }),
  errors: ['mfa_required'],
  ends: 'session',
})
