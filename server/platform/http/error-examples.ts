import type { ErrorBody, ErrorCode } from '@groundswell/contract/errors.ts'

const messages: Readonly<Record<ErrorCode, string>> = {
  invalid_input: 'limit: Too big: expected number to be <=200',
  login_refused: 'The address or the password is wrong',
  signup_refused: 'This account cannot be made',
  email_unconfirmed: 'Confirm your e-mail address first',
  code_refused: 'The code is wrong or has expired',
  proof_refused: 'The password is wrong',
  unauthorized: 'Sign in first',
  workspace_changed: 'You now work in another workspace: reload the page',
  forbidden: 'This API key lacks the scope insights:write',
  mfa_required: 'Give the code of your second factor first',
  sso_required:
    'This workspace requires single sign-on. Sign in at https://groundswell.example/api/sso/1b671a64-40d5-491e-99b0-da01ff1f3341',
  reauthentication_needed: 'Sign in again to do this',
  signup_closed: 'Sign-up is closed',
  not_found: 'There is no such insight',
  method_not_allowed: 'PUT is not supported here',
  conflict: 'A mention is in another insight by now',
  payload_too_large: 'The body is too large: it may have at most 1 MiB',
  unsupported_media_type: 'The body must be JSON (content-type application/json)',
  provider_refused: 'The provider refused the request',
  not_configured: 'Nothing is connected',
  too_many_requests: 'Too many calls with this API key: wait a minute',
  internal: 'Something went wrong',
  provider_unavailable: 'The provider could not be reached',
  not_ready: 'The database is not available at the moment: try again',
}

/** The body of an error of each code, as an example. */
export const errorExamples: readonly ErrorBody[] = Object.entries(messages).map(([code, message]) => ({
  code: code as ErrorCode,
  message,
  ...(code === 'invalid_input' ? { fields: { limit: message.replace('limit: ', '') } } : {}),
}))
