import * as dns from 'node:dns'
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

function nothingAfter(ms: number): Promise<null> {
  return new Promise((resolve) => setTimeout(resolve, ms, null).unref())
}
