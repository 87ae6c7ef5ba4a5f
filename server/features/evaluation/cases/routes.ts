import { type CaseConsent, getCaseConsent, setCaseConsent } from '@groundswell/contract/evaluation/cases.ts'
import { inWorkspace, type Tx } from '../../../platform/db/tenant.ts'
import { type Handler, handle } from '../../../platform/http/handle.ts'
import type { Services } from '../../../platform/services.ts'
import { countLabelled } from '../../insights/index.ts'
import { deleteConsent, readConsent, writeConsent } from './consent-store.ts'

/** The calls about the consent to use corrections as cases. */
export function caseConsentRoutes(services: Pick<Services, 'db' | 'now'>): Handler[] {
  return [
    handle(getCaseConsent, ({ caller: { workspaceId } }) =>
      inWorkspace(services.db, workspaceId, (tx) => viewConsent(tx, workspaceId)),
    ),
    handle(setCaseConsent, ({ caller: { workspaceId, name, email }, body: { allowed } }) =>
      inWorkspace(services.db, workspaceId, async (tx) => {
        if (allowed) await writeConsent(tx, workspaceId, { givenBy: name || email, givenAt: services.now() })
        else await deleteConsent(tx, workspaceId)
        return viewConsent(tx, workspaceId)
      }),
    ),
  ]
}

async function viewConsent(tx: Tx, workspaceId: string): Promise<CaseConsent> {
  const consent = await readConsent(tx, workspaceId)
  return {
    allowed: consent !== null,
    given_by: consent?.givenBy ?? null,
    given_at: consent?.givenAt.toISOString() ?? null,
    corrections: await countLabelled(tx, workspaceId),
  }
}
