import type { Database } from '../../platform/db/database.ts'
import { type Tx, withoutWorkspace } from '../../platform/db/tenant.ts'
import type { Authenticate } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { CallerCache } from './caller-cache.ts'
import { findSignIn, insertSignIn, SIGN_IN_CHANNEL, touchSignIn } from './store.ts'
import { hashToken, makeToken } from './tokens.ts'

const TRUSTED_MS = 60_000
const TOUCH_AFTER_MS = 3_600_000
const IDLE_MS = 30 * 24 * 3_600_000

const caches = new WeakMap<Database, CallerCache>()

/** The one cache of a process for its database: who ends a sign-in forgets it here at once. */
export function callerCache(db: Database): CallerCache {
  const cache = caches.get(db) ?? new CallerCache()
  caches.set(db, cache)
  return cache
}

/**
 * Who a bearer token belongs to. A known token costs no query for up to a minute; a sign-in that ends anywhere is
 * forgotten here as soon as the database says so. A sign-in ends after 30 days without use.
 */
export function authenticate(services: Services): Authenticate {
  const { db, log, now } = services
  const cache = callerCache(db)
  let listening: Promise<unknown> | undefined
  const hear = () =>
    db
      .listen(SIGN_IN_CHANNEL, (message) => cache.forget(message), {
        onLost: () => cache.forget(''),
        onReconnect: () => cache.forget(''),
      })
      .catch((error: Error) => {
        listening = undefined
        log.warn({ err: error.message }, 'ended sign-ins are not heard of yet; they end here within a minute')
      })
  return async (token) => {
    const tokenHash = hashToken(token)
    const key = tokenHash.toString('hex')
    const at = now()
    const known = cache.get(key, at.getTime())
    if (known) return known
    listening ??= hear()
    await listening
    const keep = cache.reading()
    const row = await withoutWorkspace(db, async (tx) => {
      const found = await findSignIn(tx, tokenHash, at)
      if (found && at.getTime() - found.lastUsedAt.getTime() > TOUCH_AFTER_MS) {
        await touchSignIn(tx, tokenHash, at, new Date(at.getTime() + IDLE_MS))
      }
      return found
    })
    if (!row) return null
    const { lastUsedAt: _, ...caller } = row
    keep(key, caller, at.getTime() + TRUSTED_MS)
    return caller
  }
}

/** Starts a sign-in and returns its bearer token. */
export async function startSignIn(tx: Tx, accountId: string, workspaceId: string, at: Date): Promise<string> {
  const { token, tokenHash } = makeToken()
  await insertSignIn(tx, { tokenHash, accountId, workspaceId, at, expiresAt: new Date(at.getTime() + IDLE_MS) })
  return token
}
