import type { FastifyReply } from 'fastify'
import type { Config } from '../config/config.ts'

type ChatWidget = NonNullable<Config['chat']>

const CALLS_POLICY =
  "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Headers of every reply. Headers that are already set stay. `https`: browsers have to insist on it. */
export function setSecurityHeaders(reply: FastifyReply, https: boolean): void {
  setUnlessSet(reply, 'content-security-policy', CALLS_POLICY)
  setUnlessSet(reply, 'cache-control', 'no-store')
  reply.header('x-content-type-options', 'nosniff')
  setUnlessSet(reply, 'referrer-policy', 'same-origin')
  reply.header('x-frame-options', 'DENY')
  reply.header('cross-origin-opener-policy', 'same-origin')
  // Keeps replies out of the pages of other sites. Requests by CORS, which ALLOWED_ORIGINS may make, are not subject to it.
  reply.header('cross-origin-resource-policy', 'same-origin')
  reply.header('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()')
  if (https) reply.header('strict-transport-security', 'max-age=31536000')
}

/**
 * The content policy of a page whose scripts and styles carry this nonce. With a chat widget also its hosts, and styles
 * without a nonce: each of the three writes its own into the page. With hosted sign-in the page may call its origin.
 */
export function pagePolicy(nonce: string, { chat, hostedAuth }: Pick<Config, 'chat' | 'hostedAuth'> = {}): string {
  const widget = chat ? ` ${chatHosts(chat).join(' ')}` : ''
  const sockets = widget.replaceAll('https://', 'wss://')
  const hosted = hostedAuth ? ` ${new URL(hostedAuth.url).origin}` : ''
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'${widget}`,
    chat ? `style-src 'self' 'unsafe-inline'${widget}` : `style-src 'self' 'nonce-${nonce}'`,
    chat ? `img-src 'self' data: blob:${widget}` : "img-src 'self' data:",
    `font-src 'self'${widget}`,
    "manifest-src 'self'",
    `connect-src 'self'${hosted}${widget}${sockets}`,
    ...(chat ? [`frame-src${widget}`, `media-src${widget}`] : []),
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "object-src 'none'",
  ].join('; ')
}

function chatHosts({ provider, host }: ChatWidget): string[] {
  if (provider === 'intercom') return ['https://*.intercom.io', 'https://*.intercomcdn.com']
  if (provider === 'crisp') return ['https://*.crisp.chat']
  return [host ?? 'https://app.chatwoot.com']
}

function setUnlessSet(reply: FastifyReply, name: string, value: string): void {
  if (!reply.hasHeader(name)) reply.header(name, value)
}
