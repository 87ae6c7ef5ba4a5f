import { badState, type Problem } from '../protocol/send-problem.ts'
import type { ReturnRefusal } from './flow.ts'
import type { SsoRefusal } from './sign-in.ts'

const denied = (code: string, words: string): Problem => ({ error: 'access_denied', code, words })
const failed = (code: string, words: string): Problem => ({ error: 'server_error', code, words })

/** The messages for people whose sign-in was not completed. None of the text comes from the provider. */
export const problems: Readonly<Record<ReturnRefusal | SsoRefusal | 'off' | 'too-many', Problem>> = {
  off: denied(
    'sso_provider_not_found',
    'Single sign-on is not turned on at this address: ask an owner of the workspace for the link',
  ),
  'too-many': denied('over_request_rate_limit', 'Too many attempts: wait a few minutes and try again'),
  unknown: badState('is unknown here, or was used already'),
  expired: badState('took too long'),
  elsewhere: badState('was started in another browser'),
  changed: badState('cannot be finished, since single sign-on was changed in the meantime'),
  cancelled: denied('access_denied', 'The sign-in was cancelled at your identity provider'),
  declined: failed(
    'bad_oauth_callback',
    'Your identity provider refused the sign-in: try again, or ask its administrator',
  ),
  disbelieved: failed(
    'bad_oauth_callback',
    'Your identity provider’s reply could not be verified, so nobody was signed in: try again',
  ),
  misconfigured: failed(
    'unexpected_failure',
    'Your identity provider does not accept the client ID or the secret of single sign-on: tell an owner of the workspace',
  ),
  outage: failed('unexpected_failure', 'Your identity provider could not be reached: try again'),
  banned: denied('user_banned', 'This account may not sign in'),
  outside: denied(
    'user_not_allowed',
    'Nobody with your e-mail address may join this workspace by single sign-on: ask one of its owners for an invitation',
  ),
  unverified: denied(
    'provider_email_needs_verification',
    'Your identity provider has not verified your e-mail address',
  ),
  taken: denied(
    'email_exists',
    'There is already an account with your e-mail address. Log in to it as before, then link it in Settings › Team › Single sign-on',
  ),
  closed: denied('signup_disabled', 'New accounts cannot be made here: ask an administrator of this installation'),
  'no-member': denied('user_not_allowed', 'You are not in this workspace: ask one of its owners for an invitation'),
  'linked-elsewhere': denied(
    'identity_already_exists',
    'You are already linked to another account: log out, and sign in with single sign-on',
  ),
  'other-link': denied('identity_already_exists', 'Your account is linked to another person at the identity provider'),
}
