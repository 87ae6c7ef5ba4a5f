import { ContractError } from '@groundswell/contract/errors.ts'
import { findAccountById, personalRows, recordAudit } from '../../../auth/index.ts'
import { inAccount, switchWorkspace } from '../../../platform/db/tenant.ts'
import type { Caller, RequestFacts } from '../../../platform/http/handle.ts'
import type { Services } from '../../../platform/services.ts'
import { eventsAbout } from '../../audit/index.ts'
import { membershipsOf, workspaceFacts } from '../../workspaces/index.ts'
import type { AccountHooks } from '../hooks.ts'

/** All data stored about a person, without hashes and secrets. A workspace's customer data is not part of it. */
export function exportPerson(
  services: Services,
  caller: Caller,
  request: Pick<RequestFacts, 'address' | 'headers'>,
  hooks: AccountHooks | undefined,
): Promise<{ exported_at: string; account: { email: string; name: string } } & Record<string, unknown>> {
  const { accountId, workspaceId } = caller
  return inAccount(services.db.accounts, accountId, async (tx) => {
    const at = services.now()
    const account = await findAccountById(tx, accountId)
    if (!account) throw new ContractError('unauthorized', 'This account no longer exists')
    const rows = await personalRows(tx, accountId)
    const places: Record<string, unknown>[] = []
    const auditEntries: unknown[] = []
    for (const place of await membershipsOf(tx, accountId)) {
      await switchWorkspace(tx, place.workspaceId)
      const facts = await workspaceFacts(tx, place.workspaceId, accountId)
      const last_visit_at = await hooks?.lastVisit(tx, place.workspaceId, accountId)
      places.push({
        id: place.workspaceId,
        name: facts?.name,
        role: place.role,
        joined_at: facts?.joinedAt,
        last_visit_at,
      })
      auditEntries.push(...(await eventsAbout(tx, accountId)))
    }
    await recordAudit(tx, { action: 'account.exported', actorId: accountId, accountId, workspaceId, request, at })
    const { passwordHash, ...kept } = account
    return {
      exported_at: at.toISOString(),
      account: { ...kept, hasPassword: passwordHash !== null },
      workspaces: places,
      ...rows,
      audit_log: auditEntries,
    }
  })
}
