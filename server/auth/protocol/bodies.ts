import { noControls } from '@groundswell/contract/values/name.ts'
import * as z from 'zod/mini'
import { Challenge, Email, NewEmail, NewOrNoEmail, OperatorChange, UserMetadata } from './schemas.ts'

// The bodies of the protocol's calls, without their handlers: large ones are checked in a thread, which has no services.

const Text = z.string().check(z.maxLength(2_000))
const NewPassword = z.nullish(z.string().check(z.maxLength(1024)))

/** The body of `POST /signup`. */
export const SignUpBody = z.object({
  email: z.nullish(NewOrNoEmail),
  phone: z.nullish(z.string()),
  password: NewPassword,
  data: z.nullish(UserMetadata),
  ...Challenge,
})

/** Text, or nothing for anything else: each kind of grant says what it needs. */
const Given = z.optional(
  z.pipe(
    z.unknown(),
    z.transform((given) => (typeof given === 'string' ? given : undefined)),
  ),
)
/** The body of `POST /token`, of every `grant_type`. */
export const TokenBody = z.object({
  phone: z.optional(z.pipe(z.unknown(), z.transform(Boolean))),
  email: Given,
  password: Given,
  refresh_token: Given,
  auth_code: Given,
  code_verifier: Given,
})

/** The body of `PUT /user`: what the person changes of their account. */
export const ChangeBody = z.object({
  email: z.nullish(NewOrNoEmail),
  phone: z.nullish(z.string()),
  password: NewPassword,
  current_password: NewPassword,
  nonce: z.nullish(z.string().check(z.maxLength(100))),
  data: z.nullish(UserMetadata),
  ...Challenge,
})

/** The body of `POST /recover`. */
export const RecoverBody = z.object({ email: Email, ...Challenge })
/** The body of `POST /resend`. */
export const ResendBody = z.object({
  type: z.enum(['signup', 'email_change', 'sms', 'phone_change']),
  email: z.nullish(Email),
  ...Challenge,
})

/** The body of `POST /verify`. */
export const VerifyBody = z.object({
  type: Text,
  token: z.nullish(Text),
  token_hash: z.nullish(Text),
  email: z.nullish(Email),
  phone: z.nullish(Text),
})

/** The body of `POST /invite`. */
export const InviteBody = z.object({ email: NewEmail, data: z.nullish(UserMetadata) })
const LinkType = z.enum(['signup', 'magiclink', 'recovery', 'invite', 'email_change_current', 'email_change_new'])
export type LinkType = z.infer<typeof LinkType>
/** The body of `POST /admin/generate_link`. */
export const LinkBody = z.object({
  type: LinkType,
  email: NewEmail,
  new_email: z.nullish(NewEmail),
  password: NewPassword,
  data: z.nullish(UserMetadata),
  redirect_to: z.nullish(Text),
})

/** The body of `POST /factors`. */
export const EnrollFactorBody = z.object({
  factor_type: z.enum(['totp', 'phone', 'webauthn'], 'must be totp'),
  friendly_name: z.nullish(z.string().check(z.trim(), z.maxLength(100, 'is too long'), noControls())),
  issuer: z.nullish(z.string().check(z.trim(), z.maxLength(100, 'is too long'))),
})
/** The body of `POST /factors/{id}/verify`. */
export const VerifyFactorBody = z.object({
  challenge_id: z.uuid('must be the id of a challenge'),
  code: z.string().check(z.maxLength(20, 'is too long')),
})

/** By the method and path of the call. */
export const bodySchemas: Readonly<Record<string, z.ZodMiniType>> = {
  'POST /signup': SignUpBody,
  'POST /token': TokenBody,
  'PUT /user': ChangeBody,
  'POST /recover': RecoverBody,
  'POST /resend': ResendBody,
  'POST /verify': VerifyBody,
  'POST /invite': InviteBody,
  'POST /admin/generate_link': LinkBody,
  'POST /admin/users': OperatorChange,
  'PUT /admin/users/:id': OperatorChange,
  'POST /factors': EnrollFactorBody,
  'POST /factors/:id/verify': VerifyFactorBody,
}
