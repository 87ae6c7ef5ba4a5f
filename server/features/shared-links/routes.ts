import { ContractError } from '@groundswell/contract/errors.ts'
import {
  createSharedLink,
  listSharedLinks,
  revokeSharedLink,
  type SharedLink,
} from '@groundswell/contract/shared-links.ts'
import { createLink, type LinkRow, listLinks, revokeLink } from '../../auth/index.ts'
import { type Handler, handle } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { readInsight } from '../insights/index.ts'

/** The calls on read-only links. No API key can make them. */
export function sharedLinkRoutes(services: Services): Handler[] {
  return [
    handle(listSharedLinks, async ({ caller }) => ({
      links: (await listLinks(services, caller.workspaceId)).map((row) => viewLink(row, services.now())),
    })),
    handle(createSharedLink, async ({ caller, body, request }) => {
      const { issue_number: issueNumber, expires_in_days: days, hide_names: hideNames, hide_quotes: hideQuotes } = body
      const given = { issueNumber, hideNames, hideQuotes, days }
      const { link, token } = await createLink(services, caller, given, request, async (tx) => {
        if ((await readInsight(tx, caller.workspaceId, issueNumber))?.shown) return
        throw new ContractError('not_found', 'There is no such insight')
      })
      return { link: viewLink(link, services.now()), path: `/api/shared/${token}` }
    }),
    handle(revokeSharedLink, async ({ caller, params, request }) => {
      await revokeLink(services, caller, params.id, request)
      return { id: params.id }
    }),
  ]
}

function viewLink(row: LinkRow, now: Date): SharedLink {
  return {
    id: row.id,
    issue_number: row.issueNumber,
    hide_names: row.hideNames,
    hide_quotes: row.hideQuotes,
    made_by: row.madeBy,
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    expired: row.expiresAt <= now,
  }
}
