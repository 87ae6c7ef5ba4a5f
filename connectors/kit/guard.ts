import * as dns from 'node:dns'
import * as http from 'node:http'
import * as https from 'node:https'
import * as net from 'node:net'
import ipaddr from 'ipaddr.js'
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent'

/** Thrown instead of connecting. It does not say which address it was: that would map the inside for the outside. */
class BlockedAddress extends Error {
  readonly code = 'EBLOCKED'
}

type Range = ReturnType<typeof ipaddr.parseCIDR>

/** What an operator allows beyond public addresses: names, compared whole, and ranges of addresses. */
export type AllowList = { hosts: ReadonlySet<string>; ranges: readonly Range[] }

const HOST = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/

/** Global unicast: all IPv6 addresses that lead to the internet are in it, so every other one is refused. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3')
/** Public by number, but only a cloud's own machines answer there: Azure's wire server. */
const METADATA = ['168.63.129.16']

/** Parses the operator's entries (host name, address or CIDR each). Throws on one that is none of these, naming it. */
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

/** True when an address leads to the public internet, or into a range that the operator allows. */
export function isAllowedAddress(address: string, allow: AllowList): boolean {
  if (net.isIP(address) === 0) return false
  const parsed = ipaddr.parse(address)
  if (allow.ranges.some((range) => within(parsed, range))) return true
  if (parsed.range() !== 'unicast' || METADATA.includes(address)) return false
  return parsed.kind() === 'ipv4' || within(parsed, GLOBAL_IPV6)
}

/** The system's resolver with a check of every address that it finds, made for the very connection that will use them. */
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

export type Agents = { http: http.Agent; https: https.Agent }

/** Agents that connect anywhere. `lookup` stands in for the system's resolver in tests. */
export function openAgents(lookup: net.LookupFunction = dns.lookup): Agents {
  return { http: new http.Agent({ lookup }), https: new https.Agent({ lookup }) }
}

/**
 * Agents that connect to public addresses and allowed ranges only. The check is made on the addresses that the connection
 * is about to use, not when an URL is saved, so a name that changes its address in between gains nothing. It acts through
 * node:http and node:https alone: `fetch` would ignore it. Allowed host names are the caller's to sort out.
 *
 * The library's own check stands behind ours as a second wall, but cannot know the operator's ranges, so it is opened
 * when there are some: docs/decisions/0003-outgoing-http.md.
 */
export function guardedAgents(allow: AllowList, lookup: net.LookupFunction = dns.lookup): Agents {
  const open = allow.ranges.length > 0
  const options = { lookup: guardedLookup(allow, lookup), allowPrivateIPAddress: open, allowMetaIPAddress: open }
  const agents = { http: new RequestFilteringHttpAgent(options), https: new RequestFilteringHttpsAgent(options) }
  for (const agent of [agents.http, agents.https]) guardLiterals(agent, allow)
  return agents
}

/** Addresses written into an URL never reach a resolver, so they are checked where the connection is made. */
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
