const OAUTH_CALLBACK_PATH = '/api/auth/oauth-callback'

export type OAuthLanding = { token: string | null; isNewUser: boolean }

/** What a third-party sign-in brought back in the fragment of the address. */
export function readFragment(hash: string): OAuthLanding {
  const fragment = new URLSearchParams(hash.replace(/^#/, ''))
  return { token: fragment.get('access_token') || null, isNewUser: fragment.get('is_new_user') === 'true' }
}

let taken: OAuthLanding = { token: null, isNewUser: false }

/**
 * On the callback's path: reads the fragment and clears it, before anything else runs, so that the token is in no history
 * entry. Called by the app's entry; `oauthLanding` tells later what it held.
 */
export function takeOAuthFragment(): void {
  if (location.pathname !== OAUTH_CALLBACK_PATH) return
  const { hash } = location
  history.replaceState(history.state, '', location.pathname + location.search)
  taken = readFragment(hash)
}

export function oauthLanding(): OAuthLanding {
  return taken
}
