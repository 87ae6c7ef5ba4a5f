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
} from '@groundswell/contract/accounts/my-account.ts'
import { ContractError } from '@groundswell/contract/errors.ts'
import {
  deleteAccount,
  endCallersSessions,
  listSessions,
  previewDeletion,
  recoveryCodesLeft,
  redeemCode,
  renewRecoveryCodes,
} from '../../../auth/index.ts'
import { type Handler, handle } from '../../../platform/http/handle.ts'
import type { Services } from '../../../platform/services.ts'
import { inTurn } from '../../../platform/shares/turns.ts'
import type { AccountHooks } from '../hooks.ts'
import { exportPerson } from './export-person.ts'

/** The calls for one's own account: sessions, recovery codes, deletion, and the export of one's data. */
export function myAccountRoutes(services: Services, hooks: AccountHooks | undefined): Handler[] {
  return [...sessionRoutes(services), ...recoveryRoutes(services), ...deletionAndExportRoutes(services, hooks)]
}

function sessionRoutes(services: Services): Handler[] {
  return [
    handle(listMySessions, async ({ caller }) => ({
      sessions: (await listSessions(services, caller.accountId)).map((row) => ({
        id: row.id,
        device: row.device,
        address: row.address,
        started_at: row.createdAt.toISOString(),
        last_used_at: row.lastUsedAt.toISOString(),
        new_address_at: row.newAddressAt?.toISOString() ?? null,
        new_device_at: row.newDeviceAt?.toISOString() ?? null,
        second_factor: row.aal === 'aal2',
        is_this: row.id === caller.session.id,
      })),
    })),
    handle(endMySession, async ({ caller, params, request }) => {
      if ((await endCallersSessions(services, caller, request, { only: params.id })) === 0) {
        throw new ContractError('not_found', 'This session has already ended')
      }
      return { id: params.id }
    }),
    handle(endMySessions, async ({ caller, body, request }) => ({
      ended: await endCallersSessions(
        services,
        caller,
        request,
        body.scope === 'others' ? { except: caller.session.id } : {},
      ),
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
        throw new ContractError('conflict', 'Set up two-factor authentication first: recovery codes replace its code')
      }
      if (codes === 'stale') {
        throw new ContractError(
          'reauthentication_needed',
          'Log in again: this requires a login within the last ten minutes',
        )
      }
      return { codes }
    }),
    handle(redeemRecoveryCode, async ({ caller, body, request }) => {
      const redeemed = await redeemCode(services, caller, body.code, request)
      if (!redeemed) throw new ContractError('code_refused', 'This recovery code is wrong or was already used')
      return { ...redeemed.session, codes_left: redeemed.left }
    }),
  ]
}

function deletionAndExportRoutes(services: Services, hooks: AccountHooks | undefined): Handler[] {
  return [
    handle(getDeletion, ({ caller }) => previewDeletion(services, caller)),
    handle(deleteMyAccount, async ({ caller, body, request }) => {
      if (!(await deleteAccount(services, caller, body, request))) {
        throw new ContractError('proof_refused', 'The account was not deleted: the proof is wrong')
      }
      return { ok: true as const }
    }),
    exportRoute(services, hooks),
  ]
}

/** Exports all data stored about the caller. */
export function exportRoute(services: Services, hooks: AccountHooks | undefined): Handler {
  return handle(exportMyData, ({ caller, request }) =>
    inTurn(services, 'exports', caller, request.signal, () => exportPerson(services, caller, request, hooks)),
  )
}
