import type { AuthError } from '@supabase/auth-js'

const WORDS: Record<string, string> = {
  invalid_credentials: 'The password is wrong.',
  mfa_verification_failed: 'This code is not right, or it is too old. Enter the newest one that the app shows.',
  mfa_challenge_expired: 'That took too long. Enter the newest code that the app shows.',
  mfa_recovery_codes_locked: 'Too many wrong recovery codes. Wait a few minutes and try again.',
  mfa_factor_not_found: 'There is no second step to check any more. Log in again.',
  over_request_rate_limit: 'Too many tries. Wait a few minutes and try again.',
  over_email_send_rate_limit: 'Too many mails were asked for. Wait a few minutes and try again.',
  same_password: 'This is the password you have. Choose another one.',
  weak_password: 'This password is too easy to guess. Choose another one.',
  email_exists: 'Another account has this email.',
  email_address_invalid: 'This is no email address.',
  reauthentication_needed: 'Your sign-in is too old for this. Log out, log in again, and change it within ten minutes.',
  insufficient_aal: 'This needs the second step. Log out and log in again with it.',
  otp_expired: 'This link has been used already, or it is too old.',
  session_not_found: 'This sign-in has ended. Log in again.',
}

/** The failure of a call of the auth protocol, as a thing to throw; `code` is the server's own, for those who branch on it. */
export class AuthFailure extends Error {
  readonly code: string | undefined

  constructor({ code, status, message }: Pick<AuthError, 'code' | 'status' | 'message'>) {
    super(wordsFor(code, status, message))
    this.name = 'AuthFailure'
    this.code = code
  }
}

function wordsFor(code: string | undefined, status: number | undefined, message: string): string {
  const known = code === undefined ? undefined : WORDS[code]
  if (known !== undefined) return known
  return status === undefined || status === 0 || status >= 500 ? 'The server cannot be reached.' : message
}

type Answer = { data: unknown; error: AuthError | null }
type Settled<A extends Answer> = NonNullable<Extract<A, { error: null }>['data']>

/** The data of an answer of the auth client. Throws AuthFailure, in words that can be shown. */
export function settled<A extends Answer>({ data, error }: A): Settled<A> {
  if (error) throw new AuthFailure(error)
  return data as Settled<A>
}
