import { ContractError } from '@groundswell/contract/errors.ts'
import { type AccountTx, inWorkspace, withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Caller, RequestFacts } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { recordAudit } from '../record-audit.ts'
import { hashToken, makeToken } from '../sessions/opaque-token.ts'
import { spend } from '../throttle/limits.ts'
import {
  deleteExpiredLinks,
  deleteLink,
  enterByLink,
  insertLink,
  type LinkRow,
  type LinkTarget,
  linksOfWorkspace,
} from './store.ts'

type Origin = Pick<RequestFacts, 'address' | 'headers'>

const MAX_LINKS = 500
const DAY_MS = 86_400_000
/** How long an expired link is still listed as expired. */
const LISTED_EXPIRED_MS = 30 * DAY_MS
/** 256 bits in base64url. */
const TOKEN = /^[\w-]{43}$/

/** The links of a workspace, the newest first. */
export function listLinks(services: Services, workspaceId: string): Promise<LinkRow[]> {
  return inWorkspace(services.db.accounts, workspaceId, (tx) => linksOfWorkspace(tx, workspaceId))
}

/**
 * Makes a link of the caller and returns it with its token, which is stored nowhere. `requireTarget` throws when there is nothing to show.
 * Throws `conflict` when there are too many.
 */
export function createLink(
  services: Services,
  caller: Caller,
  given: LinkTarget & { days: number },
  request: Origin,
  requireTarget: (tx: AccountTx) => Promise<void>,
): Promise<{ link: LinkRow; token: string }> {
  const { accountId, workspaceId, email: madeBy } = caller
  const { days, ...target } = given
  const createdAt = services.now()
  const expiresAt = new Date(createdAt.getTime() + days * DAY_MS)
  const { token, tokenHash } = makeToken()
  const link = { ...target, accountId, createdAt, expiresAt }
  return inWorkspace(services.db.accounts, workspaceId, async (tx) => {
    await requireTarget(tx)
    await deleteExpiredLinks(tx, workspaceId, new Date(createdAt.getTime() - LISTED_EXPIRED_MS))
    const id = await insertLink(tx, workspaceId, { ...link, tokenHash }, MAX_LINKS)
    if (id === null) {
      throw new ContractError('conflict', `There are already ${MAX_LINKS} links: revoke those that are not used`)
    }
    const detail = {
      shows: labelOf(link),
      expires: expiresAt.toISOString(),
      names: link.hideNames ? 'hidden' : 'shown',
      quotes: link.hideQuotes ? 'hidden' : 'shown',
    }
    const by = { at: createdAt, actorId: accountId, accountId, workspaceId, request }
    await recordAudit(tx, { action: 'shared_link.created', ...by, detail })
    return { link: { ...link, id, madeBy }, token }
  })
}

/** Revokes a link of the caller's workspace, in every process at once. Throws `not_found`. */
export function revokeLink(services: Services, caller: Caller, id: string, request: Origin): Promise<void> {
  const { accountId, workspaceId } = caller
  return inWorkspace(services.db.accounts, workspaceId, async (tx) => {
    const gone = await deleteLink(tx, workspaceId, id)
    if (!gone) throw new ContractError('not_found', 'There is no such link')
    const by = { at: services.now(), actorId: accountId, accountId: gone.accountId, workspaceId, request }
    await recordAudit(tx, { action: 'shared_link.revoked', ...by, detail: { shows: labelOf(gone) } })
  })
}

/**
 * Runs `work` in a transaction of the workspace of a link; null, without running it, when the link is unknown, revoked or expired. Nothing is
 * cached, so that a revoked link ends at once in every process. Throws `too_many_requests`.
 */
export async function openLink<T>(
  services: Services,
  token: string,
  address: string,
  work: (tx: AccountTx, link: LinkTarget & { workspaceId: string; accountId: string }) => Promise<T>,
): Promise<T | null> {
  await spend(services, { limit: 'shared_link', address })
  if (!TOKEN.test(token)) return null
  return withoutWorkspace(services.db.accounts, async (tx) => {
    const link = await enterByLink(tx, hashToken(token), services.now())
    return link ? work(tx, link) : null
  })
}

/** How the audit log names what a link shows. */
function labelOf({ issueNumber, viewId }: Pick<LinkTarget, 'issueNumber' | 'viewId'>): string {
  return issueNumber === null ? `view ${viewId}` : `insight #${issueNumber}`
}
