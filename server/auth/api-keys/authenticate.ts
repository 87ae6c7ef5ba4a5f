import { withoutWorkspace } from '../../platform/db/tenant.ts'
import { RetryLater } from '../../platform/http/errors.ts'
import type { Authenticate, Caller } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { hashToken } from '../sessions/opaque-token.ts'
import { takeAllIn } from '../throttle/limits.ts'
import { isApiKey, labelOf } from './api-key.ts'
import { enterByKey, touchKey } from './store.ts'

const TOUCH_MS = 60_000
/** The window of the limit `api_key`. */
const WINDOW_SECONDS = 60

/** The same, and for API keys too. */
export function acceptingKeys(services: Services, authenticate: Authenticate): Authenticate {
  return (token) => (isApiKey(token) ? callerOfKey(services, token) : authenticate(token))
}

/**
 * The caller of an API key, with the role of the member who made it; null when it was revoked or expired. Nothing is cached, so that a revoked key stops at once in every
 * process: counting the call needs the database anyway. Throws `too_many_requests`.
 */
async function callerOfKey(services: Services, token: string): Promise<Caller | null> {
  const at = services.now()
  const used = await withoutWorkspace(services.db.accounts, async (tx) => {
    const key = await enterByKey(tx, hashToken(token), at)
    if (!key) return null
    if (!key.lastUsedAt || at.getTime() - key.lastUsedAt.getTime() >= TOUCH_MS) {
      await touchKey(tx, key.workspaceId, key.id, at)
    }
    return { key, isTaken: await takeAllIn(tx, services, [{ limit: 'api_key', key: key.id }]) }
  })
  if (!used) return null
  if (!used.isTaken) {
    throw new RetryLater('too_many_requests', 'Too many calls with this API key: wait a minute', WINDOW_SECONDS)
  }
  const { id, workspaceId, accountId, role, accountName: name, madeBy: email, scopes } = used.key
  return {
    accountId,
    workspaceId,
    role,
    isAdmin: false,
    name,
    email,
    session: { id, aal: 'aal1', isFirst: false, needsSecondFactor: false },
    key: { id, label: labelOf(used.key), scopes },
  }
}
