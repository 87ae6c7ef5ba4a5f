import { withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Services } from '../../platform/services.ts'
import { recordAudit } from '../record-audit.ts'
import { signServiceToken } from '../sessions/access-token.ts'

/**
 * A token with which an operator's program can manage accounts for this many hours. Its creation is recorded in the audit
 * log.
 */
export async function serviceToken(services: Services, hours: number): Promise<string> {
  const token = await signServiceToken(services, hours * 3_600_000)
  await withoutWorkspace(services.db.accounts, (tx) =>
    recordAudit(tx, {
      action: 'service_token.made',
      at: services.now(),
      actorId: null,
      accountId: null,
      detail: { hours },
    }),
  )
  return token
}
