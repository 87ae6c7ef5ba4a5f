import { createHmac, timingSafeEqual } from 'node:crypto'
import { withoutWorkspace } from '../../platform/db/tenant.ts'
import type { RequestFacts } from '../../platform/http/handle.ts'
import type { Services } from '../../platform/services.ts'
import { hasNoAdmin } from '../account/store.ts'
import { isLoopback } from '../site-url.ts'

/**
 * The token that makes the account that signs up with it the first admin. Derived from the sealing key, so that every process
 * of an installation computes the same one and none has to store it.
 */
export function setupToken(services: Pick<Services, 'key'>): string {
  return createHmac('sha256', services.key.bytes).update('groundswell set-up token').digest('base64url').slice(0, 32)
}

/** True when the text is the set-up token, compared in constant time. */
export function isSetupToken(services: Pick<Services, 'key'>, text: string): boolean {
  const digest = (value: string) => createHmac('sha256', services.key.bytes).update(value).digest()
  return timingSafeEqual(digest(text.trim()), digest(setupToken(services)))
}

/** True until the installation has its first admin. It never becomes true again. */
export function needsFirstAdmin(services: Pick<Services, 'db'>): Promise<boolean> {
  return withoutWorkspace(services.db.accounts, hasNoAdmin)
}

/** Headers that a proxy adds. A request with any of them was forwarded. */
const PROXY_HEADERS =
  /^(forwarded|via|x-forwarded-.+|x-(real|client|cluster-client|original)-ip|true-client-ip|cf-connecting-ip)$/

/**
 * True when the request comes from this machine: from a loopback address, through no proxy, and by a loopback name or the
 * host of PUBLIC_URL. The name is compared because a malicious page can make a browser on this machine send requests under a
 * name of its own (DNS rebinding), and because a proxy may pass on the name it was addressed by.
 */
export function isLocal(
  services: Pick<Services, 'config'>,
  { address, headers }: Pick<RequestFacts, 'address' | 'headers'>,
): boolean {
  if (!/^(::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/.test(address)) return false
  if (Object.keys(headers).some((name) => PROXY_HEADERS.test(name))) return false
  const { publicUrl } = services.config
  const isOurs = (url: URL | null) =>
    url !== null && (isLoopback(url) || (publicUrl !== undefined && url.host === new URL(publicUrl).host))
  const { host, origin } = headers
  return isOurs(URL.parse(`http://${String(host)}`)) && (origin === undefined || isOurs(URL.parse(String(origin))))
}
