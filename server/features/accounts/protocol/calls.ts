import type { Services } from '../../../platform/services.ts'
import type { AuthCall } from './auth-call.ts'
import { publicCalls } from './public-calls.ts'

/** Every call of the protocol. */
export function authCalls(services: Services): AuthCall[] {
  return [...publicCalls(services)]
}
