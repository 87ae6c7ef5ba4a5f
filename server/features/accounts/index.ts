import type { Mount } from '../../platform/http/create.ts'
import type { Services } from '../../platform/services.ts'
import { authCalls } from './protocol/calls.ts'
import { mountProtocol } from './protocol/mount.ts'

/** The calls under /auth/v1, in the protocol of Supabase Auth. */
export function authProtocol(services: Services): Mount {
  return mountProtocol(services, authCalls(services))
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
export { accountJobs } from './jobs.ts'
export { resealAccounts, rotateSigningKey } from './keys/rotate-keys.ts'
export { serviceToken } from './keys/service-token.ts'
export { accountRoutes } from './routes.ts'
export { authenticate } from './sessions/authenticate.ts'
