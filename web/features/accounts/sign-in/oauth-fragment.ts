import type { SignIn } from '../../client/index.ts'

const OAUTH_CALLBACK_PATH = '/api/auth/oauth-callback'
/** The targets of mailed links, whose token arrives in the fragment too. */
const MAIL_LINK_PATHS = ['/auth', '/']

type OAuthLanding = {
  signIn: SignIn | null
  isNewUser: boolean
  /** The purpose of the mail: signup, recovery, email_change, invite. */
  type: string | null
  /** Why the sign-in failed, in the server's words. */
  error: string | null
}

const NOTHING: OAuthLanding = { signIn: null, isNewUser: false, type: null, error: null }

/** The result of a third-party sign-in or a mailed link in the fragment of the URL. */
export function readFragment(hash: string): OAuthLanding {
  const fragment = new URLSearchParams(hash.replace(/^#/, ''))
  const token = fragment.get('access_token')
  const expires_at = Number(fragment.get('expires_at')) || null
  return {
    signIn: token ? { token, refresh_token: fragment.get('refresh_token'), expires_at } : null,
    isNewUser: fragment.get('is_new_user') === 'true',
    type: fragment.get('type'),
    error: fragment.get('error_description') ?? fragment.get('error'),
  }
}

let taken = NOTHING

/**
 * On the callback's path and the targets of mailed links: reads the fragment and clears it before anything else runs, so that
 * the token is in no history entry. Called by the app's entry; `oauthLanding` returns what it contained.
 */
export function takeOAuthFragment(): void {
  const { pathname, search, hash } = location
  const isCallback = pathname === OAUTH_CALLBACK_PATH
  if (!isCallback && !(MAIL_LINK_PATHS.includes(pathname) && /[#&](access_token|error)=/.test(hash))) return
  taken = readFragment(hash)
  const screen = isCallback || search.includes('step=') ? pathname + search : `/auth?step=${stepAfter(taken)}`
  history.replaceState(history.state, '', screen)
}

/** The screen that a mailed link is for when its URL does not name one. */
function stepAfter({ type }: OAuthLanding): string {
  return type === 'recovery' || type === 'invite' ? 'new-password' : 'confirmed'
}

/** The content of the fragment that this page was opened with. */
export function oauthLanding(): OAuthLanding {
  return taken
}
