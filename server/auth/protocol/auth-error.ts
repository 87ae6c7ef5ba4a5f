import type { ContractError, ErrorCode } from '@groundswell/contract/errors.ts'

/** The protocol's errors that this server returns, with their usual statuses. The client distinguishes them by code. */
const statuses = {
  validation_failed: 400,
  bad_json: 400,
  invalid_credentials: 400,
  email_not_confirmed: 400,
  user_banned: 400,
  refresh_token_not_found: 400,
  refresh_token_already_used: 400,
  session_expired: 400,
  bad_code_verifier: 400,
  reauthentication_needed: 400,
  reauthentication_not_valid: 422,
  email_provider_disabled: 422,
  email_address_invalid: 400,
  provider_disabled: 400,
  unsupported_grant_type: 400,
  bad_oauth_state: 400,
  bad_oauth_callback: 400,
  provider_email_needs_verification: 403,
  no_authorization: 401,
  insufficient_aal: 401,
  bad_jwt: 403,
  not_admin: 403,
  session_not_found: 403,
  user_not_found: 403,
  otp_expired: 403,
  access_denied: 403,
  not_found: 404,
  flow_state_not_found: 404,
  mfa_factor_not_found: 404,
  manual_linking_disabled: 404,
  saml_provider_disabled: 404,
  method_not_allowed: 405,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  signup_disabled: 422,
  anonymous_provider_disabled: 422,
  phone_provider_disabled: 422,
  otp_disabled: 422,
  web3_provider_disabled: 422,
  weak_password: 422,
  same_password: 422,
  user_already_exists: 422,
  user_sso_managed: 422,
  email_exists: 422,
  flow_state_expired: 422,
  mfa_factor_name_conflict: 422,
  too_many_enrolled_mfa_factors: 422,
  mfa_verification_failed: 422,
  mfa_challenge_expired: 422,
  mfa_ip_address_mismatch: 422,
  mfa_phone_enroll_not_enabled: 422,
  mfa_webauthn_enroll_not_enabled: 422,
  identity_not_found: 422,
  over_request_rate_limit: 429,
  over_email_send_rate_limit: 429,
  unexpected_failure: 500,
  request_timeout: 503,
} as const

/** The codes of refusals, each with its HTTP status. */
export type AuthErrorCode = keyof typeof statuses

/** A refusal with one of the protocol's codes. `status` is for the few codes that have several. */
export class AuthError extends Error {
  override name = 'AuthError'
  readonly code: AuthErrorCode
  readonly status: number
  readonly extra: Record<string, unknown>

  constructor(code: AuthErrorCode, message: string, more: { status?: number; extra?: Record<string, unknown> } = {}) {
    super(message)
    this.code = code
    this.status = more.status ?? statuses[code]
    this.extra = more.extra ?? {}
  }
}

const inOurWords: Partial<Record<ErrorCode, AuthErrorCode>> = {
  invalid_input: 'validation_failed',
  unauthorized: 'no_authorization',
  not_found: 'not_found',
  conflict: 'conflict',
  method_not_allowed: 'method_not_allowed',
  payload_too_large: 'payload_too_large',
  unsupported_media_type: 'unsupported_media_type',
  too_many_requests: 'over_request_rate_limit',
  not_ready: 'request_timeout',
}

/** Supabase Auth's message, which programs compare. */
export const BAD_EMAIL = 'Unable to validate email address: invalid format'

/** An error of the product's contract as one of the protocol's. */
export function asAuthError({
  code,
  message,
  fields,
}: Pick<ContractError, 'code' | 'message'> & Partial<Pick<ContractError, 'fields'>>): AuthError {
  if (Object.values(fields ?? {}).includes(BAD_EMAIL)) return new AuthError('validation_failed', BAD_EMAIL)
  if (code === 'signup_refused') return new AuthError('user_already_exists', 'User already registered')
  if (code === 'signup_closed') return new AuthError('signup_disabled', 'Signups not allowed for this instance')
  return new AuthError(inOurWords[code] ?? 'unexpected_failure', message)
}

/** The refusal of what changes an account, in a session that single sign-on made. */
export function managedBySso(): AuthError {
  return new AuthError('user_sso_managed', 'You are signed in with single sign-on, which cannot change your account')
}
