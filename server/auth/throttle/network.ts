import { isIPv6 } from 'node:net'

/**
 * The network of a client's address: an IPv4 address itself, the first `bits` of an IPv6 address, since one host usually
 * controls a whole /64. Anything else is its own network.
 */
export function networkOf(address: string, bits: 48 | 64 = 64): string {
  const plain = address.split('%', 1)[0] ?? address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(plain)) return address
  const [head = '', tail] = plain.replace(/\d+\.\d+\.\d+\.\d+$/, '0:0').split('::', 2)
  const groupsOf = (text: string) => (text === '' ? [] : text.split(':'))
  const [front, back] = [groupsOf(head), groupsOf(tail ?? '')]
  const groups = [...front, ...Array.from({ length: 8 - front.length - back.length }, () => '0'), ...back]
  const prefix = groups.slice(0, bits / 16).map((group) => Number.parseInt(group, 16).toString(16))
  return `${prefix.join(':')}::/${bits}`
}
