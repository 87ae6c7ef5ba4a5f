import type { Mount } from '../platform/http/create.ts'
import type { Authenticate } from '../platform/http/handle.ts'
import type { Services } from '../platform/services.ts'
import { acceptingKeys } from './api-keys/authenticate.ts'
import { authenticateHosted } from './hosted/authenticate.ts'
import { authCalls } from './protocol/calls.ts'
import { mountProtocol } from './protocol/mount.ts'
import { authenticate as authenticateOwn } from './sessions/authenticate.ts'
import { ssoMount } from './sso/index.ts'

// Everything outside this folder imports from this file only; the linter enforces it.

/** The calls under /auth/v1, in the protocol of Supabase Auth. */
export function authProtocol(services: Services): Mount {
  return mountProtocol(services, authCalls(services))
}

/** The same, and single sign-on, unless a hosted project signs people in: then nothing is mounted there. */
export function authMounts(services: Services): Mount[] {
  return services.config.hostedAuth ? [] : [authProtocol(services), ssoMount(services)]
}

/** Authenticates a bearer token: an API key, or one of our own or of the hosted project where one is configured, never both. */
export function authenticate(services: Services): Authenticate {
  return acceptingKeys(services, services.config.hostedAuth ? authenticateHosted(services) : authenticateOwn(services))
}

export { accountByAddress } from './account/account-by-address.ts'
export { type MadeAccount, makeAccount, type NewAccount } from './account/create-account.ts'
export { deleteAccount, previewDeletion } from './account/delete-account.ts'
export { deleteWorkspace, previewWorkspaceDeletion } from './account/delete-workspace.ts'
export { personalRows } from './account/personal-data-store.ts'
export { accountRows, changeAccount, findAccountById } from './account/store.ts'
export { createKey, listKeys, revokeKey } from './api-keys/manage.ts'
export type { KeyRow } from './api-keys/store.ts'
export { recoveryCodesLeft, redeemCode, renewRecoveryCodes } from './factors/recover.ts'
export { checkHosted } from './hosted/check.ts'
export { deleteHostedAccount } from './hosted/delete-account.ts'
export { type HostedSignIn, signInAtProject, signUpAtProject } from './hosted/sign-in.ts'
export { signOutOfProject } from './hosted/sign-out.ts'
export { authJobs } from './jobs.ts'
export { resealAccounts, rotateSigningKey } from './keys/rotate-keys.ts'
export { serviceToken } from './keys/service-token.ts'
export { signInByPassword } from './passwords/sign-in.ts'
export { recordAudit } from './record-audit.ts'
export type { IssuedSession } from './sessions/issue-session.ts'
export { listSessions } from './sessions/list-sessions.ts'
export { endCallersSessions, signOut, signOutEverywhere } from './sessions/sign-out.ts'
export { createLink, listLinks, openLink, revokeLink } from './shared-links/manage.ts'
export type { LinkRow, LinkTarget } from './shared-links/store.ts'
export { isLocal, needsFirstAdmin, setupToken } from './sign-up/setup-token.ts'
export { signUp } from './sign-up/sign-up.ts'
export { siteUrl } from './site-url.ts'
export { type ProviderRow, resealProviders, singleSignOn } from './sso/index.ts'
export { type InvitationRow, team } from './team/index.ts'
export { knownPerson, memberNames, peopleHere } from './team/people-store.ts'
