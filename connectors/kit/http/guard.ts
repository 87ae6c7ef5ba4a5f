import * as dns from 'node:dns'
import * as http from 'node:http'
import * as https from 'node:https'
import * as net from 'node:net'
import ipaddr from 'ipaddr.js'
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent'

/** Thrown instead of connecting. It does not name the address: that would reveal the internal network. */
class BlockedAddress extends Error {
  readonly code = 'EBLOCKED'
}

type Range = ReturnType<typeof ipaddr.parseCIDR>

/** The operator's allow-list beyond public addresses: whole names, and ranges of addresses. */
export type AllowList = { hosts: ReadonlySet<string>; ranges: readonly Range[] }

const HOST = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/

/** Global unicast: it contains every public IPv6 address, so all others are refused. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3')
/** In a public range, but reachable only from a cloud's own machines: Azure's wire server. */
const METADATA = ['168.63.129.16']

/** Parses the operator's entries (host name, address or CIDR each). Throws an error that names the first entry of another form. */
export function parseAllowList(entries: readonly string[]): AllowList {
  const hosts = new Set<string>()
  const ranges: Range[] = []
  for (const raw of entries) {
    const entry = raw
      .trim()
      .toLowerCase()
      .replace(/^\[(.*)\]$/, '$1')
    if (entry === '') continue
    if (net.isIP(entry) !== 0) {
      const address = ipaddr.parse(entry)
      ranges.push([address, address.kind() === 'ipv4' ? 32 : 128])
    } else if (ipaddr.isValidCIDR(entry)) ranges.push(ipaddr.parseCIDR(entry))
    else if (HOST.test(entry)) hosts.add(entry)
    else throw new Error(`Not a host name, an address or a range of addresses: ${raw}`)
  }
  return { hosts, ranges }
}

const within = (address: ReturnType<typeof ipaddr.parse>, range: Range) =>
  address.kind() === range[0].kind() && address.match(range)

/** True for a public address, or one in a range that the operator allows. */
export function isAllowedAddress(address: string, allow: AllowList): boolean {
  if (net.isIP(address) === 0) return false
  const parsed = ipaddr.parse(address)
  if (allow.ranges.some((range) => within(parsed, range))) return true
  if (parsed.range() !== 'unicast' || METADATA.includes(address)) return false
  return parsed.kind() === 'ipv4' || within(parsed, GLOBAL_IPV6)
}

/** The system's resolver with a check of every address it returns, for the connection that will use them. */
function guardedLookup(allow: AllowList, lookup: net.LookupFunction): net.LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, options, (error, found, family) => {
      if (error) return callback(error, found, family)
      const addresses = Array.isArray(found) ? found.map((entry) => entry.address) : [found]
      const refused = addresses.length === 0 || addresses.some((address) => !isAllowedAddress(address, allow))
      if (refused) return callback(new BlockedAddress('The address is private or reserved'), '', 0)
      callback(null, found, family)
    })
  }
}

/** The agents by scheme; both resolve names in the same way. */
export type Agents = { http: http.Agent; https: https.Agent }

/** Agents without a guard. `lookup` replaces the system's resolver in tests. */
export function openAgents(lookup: net.LookupFunction = dns.lookup): Agents {
  return { http: new http.Agent({ lookup }), https: new https.Agent({ lookup }) }
}

/**
 * Agents that connect to public addresses and allowed ranges only. The addresses that a connection is about to use are checked,
 * not those at the time a URL was saved, so a name whose address changes in between gains nothing. It works with node:http and
 * node:https only: `fetch` would ignore it. The caller checks allowed host names. The library's own check is a second barrier,
 * but cannot know the operator's ranges, so it is switched off when there are any: docs/decisions/0003-outgoing-http.md.
 */
export function guardedAgents(allow: AllowList, lookup: net.LookupFunction = dns.lookup): Agents {
  const open = allow.ranges.length > 0
  const options = { lookup: guardedLookup(allow, lookup), allowPrivateIPAddress: open, allowMetaIPAddress: open }
  const agents = { http: new RequestFilteringHttpAgent(options), https: new RequestFilteringHttpsAgent(options) }
  for (const agent of [agents.http, agents.https]) guardLiterals(agent, allow)
  return agents
}

/** Literal addresses in a URL never reach a resolver, so they are checked here. */
function guardLiterals(agent: RequestFilteringHttpAgent | RequestFilteringHttpsAgent, allow: AllowList): void {
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (options, callback) => {
    const host = options.host ?? ''
    if (net.isIP(host) === 0 || isAllowedAddress(host, allow)) return connect(options, callback)
    const refused = new net.Socket()
    callback?.(new BlockedAddress('The address is private or reserved'), refused)
    return refused
  }
}
