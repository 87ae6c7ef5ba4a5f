import { ContractError } from '@groundswell/contract/errors.ts'
import { lockMembers, noteEntered, roleIn } from '../../features/workspaces/index.ts'
import { type AccountTx, inAccount } from '../../platform/db/tenant.ts'
import type { Caller, RequestFacts } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { recordAudit } from '../record-audit.ts'
import { knownTokens } from '../sessions/known-tokens.ts'
import { announceChangedMember } from '../sessions/notice-store.ts'
import { moveSession } from '../sessions/store.ts'
import { ssoLink } from '../sso/link.ts'
import { isSsoRequired } from '../sso/store.ts'

/**
 * Lets the caller's session act in another of their workspaces, in every process; so does their next sign-in. Where a hosted project signs
 * people in, all their sessions do. Throws `not_found` for a workspace that they are not in, and `conflict` for one that requires single sign-on.
 */
export async function enterWorkspace(
  services: Services,
  caller: Caller,
  workspaceId: string,
  request: Pick<RequestFacts, 'address' | 'headers'>,
): Promise<void> {
  const { accountId } = caller
  const at = await inAccount(services.db.accounts, accountId, async (tx) => {
    await lockMembers(tx, workspaceId)
    if ((await roleIn(tx, workspaceId, accountId)) === null) {
      throw new ContractError('not_found', 'You are not in this workspace')
    }
    if (await isSsoRequired(tx, workspaceId, accountId)) {
      throw new ContractError(
        'conflict',
        `This workspace requires single sign-on. Sign in at ${ssoLink(services, workspaceId)}`,
      )
    }
    const now = services.now()
    await noteEntered(tx, workspaceId, accountId, now)
    await moveCaller(tx, caller, workspaceId, now)
    await recordAudit(tx, { action: 'workspace.entered', at: now, actorId: accountId, accountId, workspaceId, request })
    return now
  })
  knownTokens(services).noteMembers([accountId], at)
}

/** Moves the caller's session, and makes every process read again where it acts. */
export async function moveCaller(
  tx: AccountTx,
  { accountId, session }: Pick<Caller, 'accountId' | 'session'>,
  workspaceId: string,
  at: Date,
): Promise<void> {
  await moveSession(tx, session.id, accountId, workspaceId)
  await announceChangedMember(tx, accountId, at)
}
