import { readToken, type SignIn } from '../client/index.ts'
import { emailOf, personOf } from './person-of.ts'
import { oauthLanding } from './sign-in/oauth-fragment.ts'
import { takeGoogleStart, wasMailRequested } from './started-here.ts'

/** A sign-in from the URL while another account is signed in. `email` is null when the token does not contain it. */
type LandingQuestion = { signIn: SignIn; email: string | null }

let question: LandingQuestion | null | undefined

/**
 * The sign-in that requires a confirmation: another account is signed in, and this browser did not start the flow. Someone
 * may have sent the link so that the next input goes into their account. Null when no question is needed.
 */
export function landingQuestion(): LandingQuestion | null {
  if (question === undefined) question = questionOf(oauthLanding().signIn)
  return question
}

/** The question has been answered: the landing may sign in. */
export function settleLanding(): void {
  question = null
}

function questionOf(signIn: SignIn | null): LandingQuestion | null {
  if (signIn === null) return null
  const email = emailOf(signIn.token)
  const startedHere = location.pathname === '/auth' ? email !== null && wasMailRequested(email) : takeGoogleStart()
  const current = readToken()
  if (startedHere || current === null || personOf(current) === personOf(signIn.token)) return null
  return { signIn, email }
}
