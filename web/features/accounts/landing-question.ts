import { readToken, type SignIn } from '../client/index.ts'
import { oauthLanding } from './oauth-fragment.ts'
import { emailOf, personOf } from './person-of.ts'
import { takeGoogleStart, wasMailAsked } from './started-here.ts'

/** A sign-in that came by the address while another account is signed in here. `email` is null where the token does not say it. */
type LandingQuestion = { signIn: SignIn; email: string | null }

let question: LandingQuestion | null | undefined

/**
 * The sign-in that must not be taken without asking: another account is signed in here, and this browser did not start the
 * flow that ends here. Somebody may have sent the link so that what is typed next goes into an account of theirs. Null when
 * there is nothing to ask.
 */
export function landingQuestion(): LandingQuestion | null {
  if (question === undefined) question = questionOf(oauthLanding().signIn)
  return question
}

/** Nothing needs to be asked any more: the landing may sign in. */
export function settleLanding(): void {
  question = null
}

function questionOf(signIn: SignIn | null): LandingQuestion | null {
  if (signIn === null) return null
  const email = emailOf(signIn.token)
  const startedHere = location.pathname === '/auth' ? email !== null && wasMailAsked(email) : takeGoogleStart()
  const current = readToken()
  if (startedHere || current === null || personOf(current) === personOf(signIn.token)) return null
  return { signIn, email }
}
