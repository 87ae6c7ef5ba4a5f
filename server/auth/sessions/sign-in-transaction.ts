import { type AccountTx, inAccount, inWorkspace, withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { knownTokens } from './known-tokens.ts'

/** Whose rows the transaction sees: an account's, a new account's workspace's, or neither's. */
type Scope = { accountId: string } | { workspaceId: string } | null

/**
 * Runs `work` in one transaction in which a session may be issued or renewed. Every sign-in goes through here: the signing keys
 * are loaded before the transaction opens. Loading them inside takes a second connection, and a pool whose transactions all
 * wait for one never recovers.
 */
export async function inSignIn<T>(services: Services, scope: Scope, work: (tx: AccountTx) => Promise<T>): Promise<T> {
  await knownTokens(services).ready()
  if (scope === null) return withoutWorkspace(services.db.accounts, work)
  return 'accountId' in scope
    ? inAccount(services.db.accounts, scope.accountId, work)
    : inWorkspace(services.db.accounts, scope.workspaceId, work)
}
