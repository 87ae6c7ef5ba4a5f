import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ProviderRequest } from '../../connector.ts'
import { Rejected } from '../errors.ts'

/** How a provider signs its requests. Header names are in lower case. */
export type HmacScheme = {
  /** The provider's name, as its users know it. */
  who: string
  /** SHA-1 only where the provider offers nothing else: as an HMAC it is not broken. */
  algorithm: 'sha1' | 'sha256'
  encoding: 'hex' | 'base64'
  /** The header with the signature. */
  header: string
  /** Precedes the signature, such as `sha256=`. */
  prefix?: string
  /**
   * Where the signature includes the time of sending: `header` has it in epoch seconds or as an ISO date, `signed` returns what is
   * signed in front of the raw body, and requests further than `maxAge` seconds from now are considered replayed.
   */
  timestamp?: { header: string; signed: (timestamp: string) => string; maxAge: number }
}

/**
 * Verifies a request over its raw bytes, in constant time, before anything in it is parsed. Throws `Rejected`, with a message
 * that contains neither secret nor signature. A repeated header is refused, an empty secret verifies nothing.
 */
export function verifyHmac(scheme: HmacScheme, secret: string, request: ProviderRequest, now: Date): void {
  const { who, algorithm, encoding, prefix = '', timestamp } = scheme
  if (secret === '') throw new Rejected(`The signing secret of ${who} is not set`)
  const hmac = algorithm === 'sha1' ? createHmac('sha1', secret) : createHmac('sha256', secret)
  const sentAt = timestamp ? headerOf(request, timestamp.header) : ''
  const seconds = timestamp ? epochSeconds(sentAt) : 0
  if (Number.isNaN(seconds)) throw new Rejected('The event has no valid timestamp')
  if (timestamp) hmac.update(timestamp.signed(sentAt))
  const expected = Buffer.from(prefix + hmac.update(request.body).digest(encoding))
  const given = Buffer.from(headerOf(request, scheme.header))
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new Rejected(`The signature of the event is not that of your ${who} app`)
  }
  if (timestamp && Math.abs(now.getTime() / 1000 - seconds) > timestamp.maxAge) {
    const { maxAge } = timestamp
    const limit = maxAge % 60 === 0 && maxAge > 60 ? `${maxAge / 60} minutes` : `${maxAge} seconds`
    throw new Rejected(`The event was sent more than ${limit} ago, or the clock of this machine is wrong`)
  }
}

/** The value of a header; a repeated header has none. */
function headerOf({ headers }: ProviderRequest, name: string): string {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}

/** NaN for anything but epoch seconds and an ISO date with its time zone. */
function epochSeconds(value: string): number {
  if (/^\d{1,11}$/.test(value)) return Number(value)
  return /^\d{4}-\d\d-\d\dT[\d:.]{5,16}(Z|[+-]\d\d:\d\d)$/.test(value) ? Date.parse(value) / 1000 : Number.NaN
}
