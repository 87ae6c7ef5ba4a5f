import * as dns from 'node:dns'
import { isIP } from 'node:net'
import { isAllowedAddress, parseAllowList } from './guard.ts'

type Lookup = (hostname: string) => Promise<readonly { address: string }[]>

/** A resolver that does not respond must not block a form. */
const LOOKUP_MS = 2_000

const system: Lookup = (hostname) => dns.promises.lookup(hostname, { all: true })

/**
 * Whether requests to this URL would be refused now because it resolves to a private or reserved address. Nothing is sent
 * there. False when its name cannot be resolved: that may change, and the guard checks every connection again anyway. `allow`:
 * the operator's allow-list, as for `createHttp`.
 */
export async function isRefusedAddress(
  url: string,
  allow: readonly string[],
  lookup: Lookup = system,
): Promise<boolean> {
  const list = parseAllowList(allow)
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1')
  if (list.hosts.has(host.replace(/\.$/, ''))) return false
  const found = await Promise.race([lookup(host).catch(() => null), nothingAfter(LOOKUP_MS)])
  return found?.some(({ address }) => !isAllowedAddress(address, list)) ?? false
}

/** The last labels of names that no public resolver answers (RFC 6761, RFC 6762, RFC 8375, ICANN's reservation of `internal`). */
const PRIVATE_ENDS = /(^|\.)(localhost|local|internal|home\.arpa|invalid|test|onion)$/

/** Whether the host of this URL has a name that is private whatever it resolves to: one label, or an end that is reserved. `allow`: as above. */
export function isPrivateName(url: string, allow: readonly string[]): boolean {
  const host = new URL(url).hostname.replace(/\.$/, '')
  if (isIP(host.replace(/^\[(.*)\]$/, '$1')) !== 0 || parseAllowList(allow).hosts.has(host)) return false
  return !host.includes('.') || PRIVATE_ENDS.test(host)
}

function nothingAfter(ms: number): Promise<null> {
  return new Promise((resolve) => setTimeout(resolve, ms, null).unref())
}
