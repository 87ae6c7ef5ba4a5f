import type { AuthError } from '@supabase/auth-js'

const WORDS: Record<string, string> = {
  invalid_credentials: 'The password is wrong.',
  mfa_verification_failed: 'This code is wrong or has expired. Enter the latest code from your app.',
  mfa_challenge_expired: 'That took too long. Enter the latest code from your app.',
  mfa_recovery_codes_locked: 'Too many wrong recovery codes. Wait a few minutes and try again.',
  mfa_factor_not_found: 'Two-factor authentication is no longer set up. Log in again.',
  over_request_rate_limit: 'Too many attempts. Wait a few minutes and try again.',
  over_email_send_rate_limit: 'Too many emails were requested. Wait a few minutes and try again.',
  same_password: 'This is your current password. Choose a different one.',
  weak_password: 'This password is too easy to guess. Choose another one.',
  email_exists: 'Another account already uses this email.',
  email_address_invalid: 'Enter a valid email address.',
  reauthentication_needed:
    'This requires a recent sign-in. Log out, log in again, and make the change within ten minutes.',
  insufficient_aal: 'This requires two-factor authentication. Log out and log in again with your code.',
  otp_expired: 'This link has already been used or has expired.',
  session_not_found: 'Your session has ended. Log in again.',
}

/** An error of an auth call. `code` is the server's own, for callers that branch on it. */
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

/** The data of an auth client's reply. Throws an AuthFailure whose message can be shown. */
export function settled<A extends Answer>({ data, error }: A): Settled<A> {
  if (error) throw new AuthFailure(error)
  return data as Settled<A>
}
