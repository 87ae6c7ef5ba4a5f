import { type AuthReply, redirect } from './auth-call.ts'
import { withFragment, withQuery } from './redirects.ts'

/** An error of a browser sign-in: passed to the page that started it, in its query and its fragment. */
export type Problem = { error: 'access_denied' | 'invalid_request' | 'server_error'; code: string; words: string }

/** Redirects the browser to a page of the web app that shows the problem. */
export function sendProblem(to: string, { error, code, words }: Problem): AuthReply {
  const fields = { error, error_code: code, error_description: words }
  return redirect(withFragment(withQuery(to, fields), { ...fields, sb: '' }), 302)
}

/** The state that a provider returned is not one that this browser can finish. */
export function badState(why: string): Problem {
  return { error: 'invalid_request', code: 'bad_oauth_state', words: `This sign-in ${why}: start it again` }
}
