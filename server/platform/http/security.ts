import type { FastifyReply } from 'fastify'

const CALLS_POLICY = "default-src 'none'; frame-ancestors 'none'"

/** Headers of every answer. Those already set by the answer itself stay. `https`: browsers are to insist on it. */
export function setSecurityHeaders(reply: FastifyReply, https: boolean): void {
  setUnlessSet(reply, 'content-security-policy', CALLS_POLICY)
  setUnlessSet(reply, 'cache-control', 'no-store')
  reply.header('x-content-type-options', 'nosniff')
  reply.header('referrer-policy', 'same-origin')
  reply.header('x-frame-options', 'DENY')
  reply.header('cross-origin-opener-policy', 'same-origin')
  reply.header('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()')
  if (https) reply.header('strict-transport-security', 'max-age=31536000')
}

/** The content policy of a page whose scripts and styles carry this nonce. */
export function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "manifest-src 'self'",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "object-src 'none'",
  ].join('; ')
}

function setUnlessSet(reply: FastifyReply, name: string, value: string): void {
  if (!reply.hasHeader(name)) reply.header(name, value)
}
