import { EMAIL_FORM, MAX_EMAIL_LENGTH } from '@groundswell/contract/accounts.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import { hasControls } from '@groundswell/contract/values/name.ts'
import * as z from 'zod/mini'
import { BAD_EMAIL } from './auth-error.ts'

/** An e-mail address as it is stored: trimmed and in lower case. */
export const Email = z
  .string()
  .check(
    z.trim(),
    z.toLowerCase(),
    z.maxLength(MAX_EMAIL_LENGTH, 'is too long'),
    z.regex(/^[^\s@]+@[^\s@]+$/, 'is not an e-mail address'),
  )

const isNewEmail = (email: string) => email.length <= MAX_EMAIL_LENGTH && EMAIL_FORM.test(email)
const newEmail = (isTaken: (given: string) => boolean) =>
  z.string().check(z.refine(isTaken, BAD_EMAIL), z.trim(), z.toLowerCase())

/** A new e-mail address of an account, in the format that browsers accept too. */
export const NewEmail = newEmail((given) => isNewEmail(given.trim().toLowerCase()))
/** The same, or an empty text for none. */
export const NewOrNoEmail = newEmail((given) => given === '' || isNewEmail(given.trim().toLowerCase()))

/** A password as entered; the rules apply when one is chosen. */
export const Password = z.string().check(z.minLength(1, 'is missing'), z.maxLength(1024, 'is too long'))

/** The requested redirect; whether it is allowed is checked later. */
export const RedirectQuery = z.object({ redirect_to: z.optional(z.string().check(z.maxLength(2_000))) })

/** The client's PKCE parameters. Only S256: a plain challenge protects nothing. */
export const Challenge = {
  code_challenge: z.nullish(z.string().check(z.regex(/^[\w.~-]{43,128}$/, 'must be 43 to 128 URL-safe characters'))),
  code_challenge_method: z.nullish(z.string().check(z.regex(/^s256$/i, 'must be s256'))),
}

const MAX_METADATA_LENGTH = 4_096
/** Where metadata may hold the name of a person: the first one counts. */
const NAMES = ['name', 'full_name', 'display_name']

/** Metadata that a person sets. It is part of every access token, so it must stay small. */
export const UserMetadata = z.record(z.string(), z.unknown()).check(
  z.refine((data) => Buffer.byteLength(JSON.stringify(data)) <= MAX_METADATA_LENGTH, 'must be less than 4 KiB'),
  z.refine(
    (data) => NAMES.every((key) => !(typeof data[key] === 'string' && hasControls(data[key].trim()))),
    'must not contain control characters in a name',
  ),
)

/** Metadata that an operator's program sets. The providers follow from how the account signs in, so they are ignored. */
const AppMetadata = z.pipe(
  UserMetadata,
  z.transform(({ provider: _provider, providers: _providers, ...kept }) => kept),
)

/** Merges new metadata into old; null removes a field. Throws `invalid_input` above 4 KiB. */
export function mergedMetadata(
  old: Readonly<Record<string, unknown>>,
  data: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged = withoutNulls({ ...old, ...data })
  if (Buffer.byteLength(JSON.stringify(merged)) > MAX_METADATA_LENGTH) {
    throw new ContractError('invalid_input', 'data: must be less than 4 KiB')
  }
  return merged
}

/** Metadata without the fields that are null. */
export function withoutNulls(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null))
}

/** The fields of an account that an operator's program may set. */
export const OperatorChange = z.object({
  email: z.nullish(NewOrNoEmail),
  password: z.nullish(z.string().check(z.maxLength(1024))),
  email_confirm: z.nullish(z.boolean()),
  user_metadata: z.nullish(UserMetadata),
  app_metadata: z.nullish(AppMetadata),
  ban_duration: z.nullish(
    z.string().check(z.regex(/^(none|(\d{1,7}(\.\d+)?(ns|us|µs|ms|s|m|h))+)$/, 'must be none or such as 24h')),
  ),
})

/** The person's name in metadata; null when it has none. */
export function nameIn(data: Readonly<Record<string, unknown>> | undefined | null): string | null {
  for (const key of NAMES) {
    const value = data?.[key]
    if (typeof value === 'string' && value.trim() !== '') return value.trim().slice(0, 200).toWellFormed()
  }
  return null
}
