import { type LoginReply, login, logout, signup } from '@groundswell/contract/accounts.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import { deleteMyAccount, getDeletion } from '@groundswell/contract/my-account.ts'
import { inAccount, withoutWorkspace } from '../../../platform/db/tenant.ts'
import { type Handler, handle, type RequestFacts } from '../../../platform/http/handle.ts'
import type { Services } from '../../../platform/services.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { previewDeletion, removePerson } from '../mine/delete-account.ts'
import { knownTokens } from '../sessions/known-tokens.ts'
import { noticeAccount, noticeSessions } from '../sessions/notices.ts'
import { askProject } from './project.ts'
import { type HostedSignIn, signInAtProject, signUpAtProject } from './sign-in.ts'
import { type HostedClaims, verifyHostedToken } from './verify-token.ts'

const RECENT_MS = 10 * 60_000

/**
 * The calls on sign-in and on one's account where a hosted project signs people in. What the project manages itself has no
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
      const { token, claims } = await claimsOf(services, request)
      const { accountId, workspaceId, session } = caller
      const at = services.now()
      // Kept until the token would have expired: the hosted project cannot take it back.
      const until = new Date(claims.exp * 1_000)
      await withoutWorkspace(services.db, async (tx) => {
        await noticeSessions(tx, [session.id], until)
        await recordAudit(tx, { action: 'session.ended', at, actorId: accountId, accountId, workspaceId, request })
      })
      knownTokens(services).note('session', [session.id], until)
      // It is over here in any case; what went wrong there is in the log.
      await askProject(services, '/logout?scope=local', { method: 'POST', token }).catch(() => undefined)
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
      const { claims } = await claimsOf(services, request)
      const { accountId } = caller
      const at = services.now()
      const provenAt = Math.max(0, ...claims.amr.map(({ timestamp }) => timestamp * 1_000))
      if (at.getTime() - provenAt > RECENT_MS) {
        throw new ContractError('proof_refused', 'Log out, log in again, and delete the account within ten minutes')
      }
      await inAccount(services.db, accountId, async (tx) => {
        await removePerson(tx, accountId, { actorId: accountId, request, at })
        // Tokens that are out there must not make the account again at once.
        await noticeAccount(tx, claims.sub, at)
      })
      knownTokens(services).note('account', [accountId, claims.sub], at)
      return { ok: true as const }
    }),
  ]
}

/** What the bearer token of a call says. It was believed a moment ago, so it still is. */
async function claimsOf(services: Services, { token }: RequestFacts): Promise<{ token: string; claims: HostedClaims }> {
  const claims = token === null ? null : await verifyHostedToken(services, token)
  if (token === null || !claims) throw new ContractError('unauthorized', 'Sign in first')
  return { token, claims }
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
