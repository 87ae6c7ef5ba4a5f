import type { Services } from '../../platform/services.ts'
import { factorCalls } from '../factors/calls.ts'
import { googleCalls } from '../google/calls.ts'
import { adminCalls } from './admin-calls.ts'
import { adminLinkCalls } from './admin-link-calls.ts'
import type { AuthCall } from './auth-call.ts'
import { logoutCalls } from './logout-calls.ts'
import { mailCalls } from './mail-calls.ts'
import { notOfferedCalls } from './not-offered-calls.ts'
import { publicCalls } from './public-calls.ts'
import { signUpCalls } from './sign-up-calls.ts'
import { tokenCalls } from './token-calls.ts'
import { userCalls } from './user-calls.ts'
import { verifyCalls } from './verify-calls.ts'

/** Every call of the protocol. */
export function authCalls(services: Services): AuthCall[] {
  return [
    ...publicCalls(services),
    ...signUpCalls(services),
    ...tokenCalls(services),
    ...userCalls(services),
    ...logoutCalls(services),
    ...mailCalls(services),
    ...verifyCalls(services),
    ...adminCalls(services),
    ...adminLinkCalls(services),
    ...factorCalls(services),
    ...googleCalls(services),
    ...notOfferedCalls(),
  ]
}
