import { ContractError } from '@groundswell/contract/errors.ts'
import {
  createSharedLink,
  listSharedLinks,
  revokeSharedLink,
  type SharedLink,
} from '@groundswell/contract/shared-links.ts'
import { createLink, type LinkRow, type LinkTarget, listLinks, revokeLink } from '../../auth/index.ts'
import type { Tx } from '../../platform/db/tenant.ts'
import { type Caller, type Handler, handle } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { readInsight } from '../insights/index.ts'
import { findView } from '../views/index.ts'

/** The calls on read-only links. No API key can make them. */
export function sharedLinkRoutes(services: Services): Handler[] {
  return [
    handle(listSharedLinks, async ({ caller }) => ({
      links: (await listLinks(services, caller.workspaceId)).map((row) => viewLink(row, services.now())),
    })),
    handle(createSharedLink, async ({ caller, body, request }) => {
      const { issue_number: issueNumber = null, view_id: viewId = null } = body
      if ((issueNumber === null) === (viewId === null)) {
        throw new ContractError('invalid_input', 'A link is to one insight or to one view')
      }
      const { expires_in_days: days, hide_names: hideNames, hide_quotes: hideQuotes } = body
      const given = { issueNumber, viewId, hideNames, hideQuotes, days }
      const { link, token } = await createLink(services, caller, given, request, (tx) =>
        requireTarget(tx, caller, given),
      )
      return { link: viewLink(link, services.now()), path: `/api/shared/${token}` }
    }),
    handle(revokeSharedLink, async ({ caller, params, request }) => {
      await revokeLink(services, caller, params.id, request)
      return { id: params.id }
    }),
  ]
}

async function requireTarget(
  tx: Tx,
  { workspaceId, accountId }: Caller,
  { issueNumber, viewId }: Pick<LinkTarget, 'issueNumber' | 'viewId'>,
): Promise<void> {
  if (issueNumber !== null && !(await readInsight(tx, workspaceId, issueNumber))?.shown) {
    throw new ContractError('not_found', 'There is no such insight')
  }
  if (viewId !== null && !(await findView(tx, workspaceId, accountId, viewId))) {
    throw new ContractError('not_found', 'There is no such view')
  }
}

function viewLink(row: LinkRow, now: Date): SharedLink {
  return {
    id: row.id,
    issue_number: row.issueNumber,
    view_id: row.viewId,
    hide_names: row.hideNames,
    hide_quotes: row.hideQuotes,
    made_by: row.madeBy,
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    expired: row.expiresAt <= now,
  }
}
