import { ContractError } from '@groundswell/contract/errors.ts'
import {
  deleteMyAccount,
  endMySession,
  endMySessions,
  exportMyData,
  getDeletion,
  getRecoveryCodes,
  listMySessions,
  makeRecoveryCodes,
  redeemRecoveryCode,
} from '@groundswell/contract/my-account.ts'
import { withoutWorkspace } from '../../../platform/db/tenant.ts'
import { type Caller, type Handler, handle, type RequestFacts } from '../../../platform/http/handle.ts'
import type { Services } from '../../../platform/services.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { recoveryCodesLeft, redeemCode, renewRecoveryCodes } from '../factors/recover.ts'
import { endOwnSessions } from '../sessions/end-own-sessions.ts'
import { knownTokens } from '../sessions/known-tokens.ts'
import { placesOfAccount } from '../sessions/place-store.ts'
import { liveSessions } from '../sessions/store.ts'
import { limits } from '../throttle/limits.ts'
import { deleteAccount, previewDeletion } from './delete-account.ts'
import { deviceWords } from './device.ts'
import { exportPerson } from './export-person.ts'

/** The calls on one's own account: sign-ins, recovery codes, deletion, and what is kept about one. */
export function myAccountRoutes(services: Services): Handler[] {
  return [...sessionRoutes(services), ...recoveryRoutes(services), ...lastRoutes(services)]
}

function sessionRoutes(services: Services): Handler[] {
  const end = async (caller: Caller, request: RequestFacts, which: { only?: string; except?: string }) => {
    const at = services.now()
    const ended = await withoutWorkspace(services.db, async (tx) => {
      const { accountId, workspaceId, session } = caller
      const ids = await endOwnSessions(tx, { accountId, aal: session.aal }, at, which)
      const deed = { actorId: accountId, accountId, workspaceId, request, at }
      if (ids.length > 0) await recordAudit(tx, { ...deed, action: 'session.ended', detail: { sessions: ids.length } })
      return ids
    })
    knownTokens(services).note('session', ended, at)
    return ended.length
  }
  return [
    handle(listMySessions, async ({ caller }) => {
      const { rows, places } = await withoutWorkspace(services.db, async (tx) => ({
        rows: await liveSessions(tx, caller.accountId, services.now()),
        places: await placesOfAccount(tx, caller.accountId),
      }))
      const movedAt = (id: string, how: 'newAddress' | 'newDevice') =>
        places
          .filter((place) => place.sessionId === id && place[how])
          .map(({ firstUsedAt }) => firstUsedAt.toISOString())
          .sort()
          .at(-1) ?? null
      return {
        sessions: rows.map((row) => ({
          id: row.id,
          device: deviceWords(row.userAgent),
          address: row.address,
          started_at: row.createdAt.toISOString(),
          last_used_at: row.lastUsedAt.toISOString(),
          new_address_at: movedAt(row.id, 'newAddress'),
          new_device_at: movedAt(row.id, 'newDevice'),
          second_factor: row.aal === 'aal2',
          is_this: row.id === caller.session.id,
        })),
      }
    }),
    handle(endMySession, async ({ caller, params, request }) => {
      if ((await end(caller, request, { only: params.id })) === 0) {
        throw new ContractError('not_found', 'This sign-in has ended already')
      }
      return { id: params.id }
    }),
    handle(endMySessions, async ({ caller, body, request }) => ({
      ended: await end(caller, request, body.scope === 'others' ? { except: caller.session.id } : {}),
    })),
  ]
}

function recoveryRoutes(services: Services): Handler[] {
  return [
    handle(getRecoveryCodes, async ({ caller }) => {
      const { left, madeAt } = await recoveryCodesLeft(services, caller.accountId)
      return { left, made_at: madeAt?.toISOString() ?? null }
    }),
    handle(makeRecoveryCodes, async ({ caller, request }) => {
      const codes = await renewRecoveryCodes(services, caller, request)
      if (codes === 'no-factor') {
        throw new ContractError('conflict', 'Set up a second factor first: recovery codes stand in for it')
      }
      if (codes === 'stale') {
        throw new ContractError('reauthentication_needed', 'Log in again: this needs a sign-in of the last ten minutes')
      }
      return { codes }
    }),
    handle(redeemRecoveryCode, async ({ caller, body, request }) => {
      limits(services).mfa.spend(request.address, services.now().getTime(), `recovery ${caller.accountId}`)
      const redeemed = await redeemCode(services, caller, body.code, request)
      if (!redeemed) throw new ContractError('code_refused', 'This recovery code is wrong, or was used already')
      return { ...redeemed.session, codes_left: redeemed.left }
    }),
  ]
}

function lastRoutes(services: Services): Handler[] {
  return [
    handle(getDeletion, ({ caller }) => previewDeletion(services, caller)),
    handle(deleteMyAccount, async ({ caller, body, request }) => {
      limits(services).login.spend(request.address, services.now().getTime(), `delete ${caller.accountId}`)
      if (!(await deleteAccount(services, caller, body, request))) {
        throw new ContractError('proof_refused', 'The account was not deleted: this does not prove that it is yours')
      }
      return { ok: true as const }
    }),
    exportRoute(services),
  ]
}

/** Everything that is kept about the caller. */
export function exportRoute(services: Services): Handler {
  return handle(exportMyData, ({ caller, request }) => exportPerson(services, caller, request))
}
