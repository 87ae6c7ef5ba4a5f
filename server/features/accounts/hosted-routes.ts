import { deleteMyAccount, getDeletion } from '@groundswell/contract/accounts/my-account.ts'
import { type LoginReply, login, logout, signup } from '@groundswell/contract/accounts.ts'
import {
  deleteHostedAccount,
  type HostedSignIn,
  previewDeletion,
  signInAtProject,
  signOutOfProject,
  signUpAtProject,
} from '../../auth/index.ts'
import { type Handler, handle } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'

/**
 * The calls for sign-in and one's own account where a hosted project signs people in. What the project manages itself has no
 * call here: sessions, passwords, second factors.
 */
export function hostedRoutes(services: Services): Handler[] {
  return [...signInRoutes(services), ...deletionRoutes(services)]
}

function signInRoutes(services: Services): Handler[] {
  return [
    handle(login, async ({ body, request }) => {
      const signedIn = await signInAtProject(services, body, request)
      return replyOf(signedIn, signedIn.caller.session.isFirst)
    }),
    handle(signup, async ({ body, request }) => {
      const { setup_token: setupToken, ...account } = body
      return replyOf(await signUpAtProject(services, account, { request, setupToken }), true)
    }),
    handle(logout, async ({ caller, request }) => {
      await signOutOfProject(services, caller, request)
      return { ok: true as const }
    }),
  ]
}

function deletionRoutes(services: Services): Handler[] {
  return [
    handle(getDeletion, async ({ caller }) => {
      const { words, workspaces } = await previewDeletion(services, caller)
      const stays = 'Your sign-in belongs to the hosted service and is not deleted there.'
      return { proof: 'recent-sign-in' as const, words: `${words} ${stays}`, workspaces }
    }),
    handle(deleteMyAccount, async ({ caller, request }) => {
      await deleteHostedAccount(services, caller, request)
      return { ok: true as const }
    }),
  ]
}

function replyOf({ session, caller }: HostedSignIn, isNewUser: boolean): LoginReply {
  return {
    token: session.access_token,
    is_new_user: isNewUser,
    refresh_token: session.refresh_token,
    expires_at: session.expires_at,
    ...(caller.session.needsSecondFactor ? { mfa_required: true } : {}),
  }
}
