import type { Mount } from '../../platform/http/create.ts'
import type { Authenticate } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { authenticateHosted } from './hosted/authenticate.ts'
import { authCalls } from './protocol/calls.ts'
import { mountProtocol } from './protocol/mount.ts'
import { authenticate as authenticateOwn } from './sessions/authenticate.ts'

/** The calls under /auth/v1, in the protocol of Supabase Auth. */
export function authProtocol(services: Services): Mount {
  return mountProtocol(services, authCalls(services))
}

/** The same, unless a hosted project signs people in: then nothing is answered there. */
export function authMounts(services: Services): Mount[] {
  return services.config.hostedAuth ? [] : [authProtocol(services)]
}

/** Who a bearer token belongs to: one of our own, or of the hosted project where one is set up, and never of both. */
export function authenticate(services: Services): Authenticate {
  return services.config.hostedAuth ? authenticateHosted(services) : authenticateOwn(services)
}

export {
  createAccount,
  grantAdmin,
  listAccounts,
  revokeAdmin,
  signOutEverywhere,
  workspaceOfAccount,
} from './account/administer.ts'
export { isLocal, needsFirstAdmin, setupToken } from './account/setup-token.ts'
export { checkHosted } from './hosted/check.ts'
export { accountJobs } from './jobs.ts'
export { resealAccounts, rotateSigningKey } from './keys/rotate-keys.ts'
export { serviceToken } from './keys/service-token.ts'
export { accountRoutes } from './routes.ts'
