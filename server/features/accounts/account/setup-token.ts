import { createHmac, timingSafeEqual } from 'node:crypto'
import { withoutWorkspace } from '../../../platform/db/tenant.ts'
import type { RequestFacts } from '../../../platform/http/handle.ts'
import type { Services } from '../../../platform/services.ts'
import { hasNoAdmin } from './store.ts'

/**
 * The token that makes the account which is signed up with it an admin, as long as there is none. Drawn from the sealing
 * key, so that every process of an installation knows the same one and none has to store it.
 */
export function setupToken(services: Pick<Services, 'key'>): string {
  return createHmac('sha256', services.key.bytes).update('groundswell set-up token').digest('base64url').slice(0, 32)
}

/** True when the text is the set-up token. Takes as long whatever the text is. */
export function isSetupToken(services: Pick<Services, 'key'>, text: string): boolean {
  const digest = (value: string) => createHmac('sha256', services.key.bytes).update(value).digest()
  return timingSafeEqual(digest(text.trim()), digest(setupToken(services)))
}

/** True while the installation waits for its first admin. */
export function needsFirstAdmin(services: Pick<Services, 'db'>): Promise<boolean> {
  return withoutWorkspace(services.db, hasNoAdmin)
}

/**
 * True when the call comes from this machine itself. A call that some proxy passed on does not count, unless the proxy is
 * trusted to name the client: otherwise all the world would seem to be local.
 */
export function isLocal(
  services: Pick<Services, 'config'>,
  request: Pick<RequestFacts, 'address' | 'headers'>,
): boolean {
  const passedOn = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].some((name) => name in request.headers)
  if (passedOn && services.config.trustProxy === false) return false
  return /^(::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/.test(request.address)
}
